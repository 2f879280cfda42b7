import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterAll, expect, it } from 'vitest';
import manifest from '../../cli/package.json' with { type: 'json' };
import { deb, type Image, ImageBuilder, sha256 } from './support/image-builder.ts';

const builder = new ImageBuilder();
afterAll(() => builder[Symbol.dispose]());

it('says which program is not built, and which package is gone or has changed', async () => {
  await expect(builder.build({})).rejects.toThrow(
    'No file for Linux is built. Run build:binary --target linux-x64',
  );
  await expect(builder.build({}, '--target', 'windows-x64')).rejects.toThrow(
    'there are linux-x64 and linux-arm64',
  );
  await expect(builder.build({}, '--target', 'linux-arm64')).rejects.toThrow('linux-arm64 is not built');
  builder.putProgram('linux-x64', 'one from another build');
  await expect(builder.build({})).rejects.toThrow(
    'is older than the others. Run build:binary --target linux-x64',
  );
  builder.putProgram('linux-x64', 'x64: the program');
  const gone = { ...builder.put('libc6.deb', await deb({})), path: 'libc6_0.deb' };
  await expect(builder.build({ amd64: [gone] })).rejects.toThrow('is gone: Debian has replaced it');
  const other = { ...builder.put('libc6.deb', await deb({})), sha256: sha256('another') };
  await expect(builder.build({ amd64: [other] })).rejects.toThrow(`not ${sha256('another')}. Do not use it`);
  const none = builder.put('libc6.deb', Buffer.from('<html>'));
  await expect(builder.build({ amd64: [none] })).rejects.toThrow('libc6 is not a Debian package');
});

it('is one image for two processors, which has the same digest each time', async () => {
  builder.putProgram('linux-x64', 'x64: the program');
  builder.putProgram('linux-arm64', 'arm64: the program');
  const libraries = await deb({
    'lib/x86_64-linux-gnu/libc.so.6': 'libc',
    'lib/x86_64-linux-gnu/libstdc++.so.6.0.33': 'libstdc++',
    'lib/os-release': 'ID=debian\n',
    'bin/bash': 'nobody needs it',
    'share/doc/libc6/copyright': 'LGPL',
  });
  const pins = { amd64: [builder.put('libc6_1.deb', libraries)], arm64: [] };
  const said = await builder.build(pins);
  expect(said).toMatch(/linux-x64, linux-arm64 {2}sha256:[0-9a-f]{64}\n$/);
  expect(await builder.build(pins)).toBe(said);
  for (const name of readdirSync(join(builder.dist, 'image/blobs/sha256')))
    expect(sha256(readFileSync(join(builder.dist, 'image/blobs/sha256', name)))).toBe(name);

  const { name, images } = builder.built();
  const { amd64, arm64 } = images as Record<'amd64' | 'arm64', Image>;
  expect(name).toBe(manifest.version);
  expect(amd64.config).toMatchObject({ User: '10001:10001', Volumes: { '/data': {} } });
  const tars = amd64.layers.map((layer) => gunzipSync(readFileSync(builder.fileOf(layer))));
  expect(tars.map((tar) => `sha256:${sha256(tar)}`)).toEqual(amd64.rootfs.diff_ids);
  const [base = [], own = []] = await Promise.all(tars.map((tar) => unpackTar(tar)));
  const paths = base.filter(({ header }) => header.type !== 'directory').map(({ header }) => header.name);
  expect(paths).toEqual([
    'etc/group',
    'etc/nsswitch.conf',
    'etc/os-release',
    'etc/passwd',
    'lib',
    'lib64',
    'usr/lib/os-release',
    'usr/lib/x86_64-linux-gnu/libc.so.6',
    'usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.33',
    'usr/share/doc/libc6/copyright',
    'var/lib/dpkg/status.d/libc6',
  ]);
  const data = base.find((entry) => entry.header.name === 'data/');
  expect(data?.header).toMatchObject({ uid: 10_001, gid: 10_001, mode: 0o700 });
  expect(own.at(-1)?.header).toMatchObject({ name: 'usr/local/bin/hubline', uid: 0, mode: 0o755 });
  const [, program = Buffer.alloc(0)] = arm64.layers.map((layer) =>
    gunzipSync(readFileSync(builder.fileOf(layer))),
  );
  expect(program.includes('arm64: the program')).toBe(true);
});

it('downloads a package again that the cache does not have whole', async () => {
  builder.putProgram('linux-x64', 'x64: the program');
  const build = (pin: object) => builder.build({ amd64: [pin] }, '--target', 'linux-x64');
  const library = await deb({ 'lib/x86_64-linux-gnu/libm.so.6': 'libm' });
  const pin = builder.put('libm6_1.deb', library);
  const said = await build(pin);
  builder.spoil(pin, library.subarray(0, library.length >> 1));
  expect(await build(pin)).toBe(said);
  builder.spoil(pin, await deb({ 'lib/x86_64-linux-gnu/libm.so.6': 'another' }));
  expect(await build(pin)).toBe(said);
});

it.skipIf(spawnSync('xz', ['--version']).error)(
  'pins the newest of its packages, including security updates',
  async () => {
    const index = (archive: string, offers: Record<string, string>) => {
      const paragraphs = Object.entries(offers).map(
        ([version, file]) =>
          `Package: libc6\nVersion: ${version}\nFilename: ${file}\nSHA256: ${sha256('')}\n`,
      );
      builder.put(archive, spawnSync('xz', ['-c'], { input: paragraphs.join('\n') }).stdout);
    };
    index('debian/dists/trixie/main/binary-amd64/Packages.xz', { '2.41-9': 'old.deb' });
    index('debian-security/dists/trixie-security/main/binary-amd64/Packages.xz', {
      '2.41-12+deb13u10': 'new.deb',
      '2.41-12+deb13u2': 'middle.deb',
    });
    // The build goes on to the package, which this mirror does not have.
    const built = builder.build({ amd64: [{ name: 'libc6' }] }, '--update', '--target', 'linux-x64');
    await expect(built).rejects.toThrow('debian-security/new.deb is gone');
    expect(JSON.parse(readFileSync(builder.packages, 'utf8'))).toEqual({
      amd64: [
        { name: 'libc6', version: '2.41-12+deb13u10', path: 'debian-security/new.deb', sha256: sha256('') },
      ],
    });
  },
);
