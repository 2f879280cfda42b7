import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RELEASE_KEY, SIGNING_KEY } from '../../cli/src/test/release-server.ts';
import { buildIdOf } from '../scripts/build-id.ts';
import { HOST } from '../scripts/targets.ts';

function script(name: string, words: readonly string[], env: Record<string, string> = {}) {
  const file = join(import.meta.dirname, '../scripts', name);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=hubline-source', file, ...words],
    { encoding: 'utf8', env: { ...process.env, HUBLINE_RELEASE_PRIVATE_KEY: '', ...env } },
  );
  return { status, stdout, stderr };
}

it.each([
  [
    'build.ts',
    ['--target', 'linux-riscv64'],
    'Error: --target: there is no linux-riscv64; there are linux-x64, ',
  ],
  ['build.ts', ['linux-arm64'], "Error: Unexpected argument 'linux-arm64'.\n"],
  ['release/sign-release.ts', ['--target'], "Error: Option '--target <value>' argument missing.\n"],
  ['build-image.ts', ['--latest'], "Error: Unknown option '--latest'.\n"],
])('%s %j is refused in one sentence, followed by the usage', (name, words, told) => {
  const { status, stdout, stderr } = script(name, words);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr.slice(0, told.length)).toBe(told);
  expect(stderr).toMatch(/^[^\n]+\n\nUsage:\n {2}/);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('says how a program is built', () => {
  const { status, stdout, stderr } = script('build.ts', ['--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage:\n.*build:binary/);
});

it('refuses an invalid release key before it builds', () => {
  const { status, stderr } = script('build.ts', [], { HUBLINE_RELEASE_PUBLIC_KEY: 'release.pem' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^Error: HUBLINE_RELEASE_PUBLIC_KEY must be an ed25519 key in PEM.*\n$/),
  });
});

it('gives programs the same ID only if all of their shared parts are the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hubline-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const idOf = (parts: Readonly<Record<string, string>>): string =>
    buildIdOf(
      Object.fromEntries(
        Object.entries(parts).map(([name, text]) => {
          const file = join(folder, name);
          writeFileSync(file, text);
          return [name, file];
        }),
      ),
    );
  const ids = [
    idOf({ server: 'a', command: 'b' }),
    idOf({ server: 'a', command: 'c' }),
    idOf({ server: 'ab', command: '' }),
    idOf({ server: 'a', page: 'b' }),
    idOf({ server: 'a' }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(idOf({ command: 'b', server: 'a' })).toBe(ids[0]);
});

it.skipIf(process.platform === 'win32')(
  'signs a release when all of its files are checked, or leaves the previous one',
  () => {
    const dist = mkdtempSync(join(tmpdir(), 'hubline-dist-'));
    onTestFinished(() => rmSync(dist, { recursive: true }));
    const other = HOST === 'linux-x64' ? 'linux-arm64' : 'linux-x64';
    const put = (target: string, build: string, key: string): void => {
      mkdirSync(join(dist, target), { recursive: true });
      const program = `#!/bin/sh\necho '{"version":"1.2.3","schema":"0001"}'\nexit\n${build}\n${key}\n`;
      writeFileSync(join(dist, target, 'hubline'), program, { mode: 0o755 });
    };
    const signed = (...words: string[]) =>
      script('release/sign-release.ts', ['--dist', dist, ...words], {
        HUBLINE_RELEASE_PRIVATE_KEY: SIGNING_KEY,
      });
    const refused = (told: RegExp, { status, stdout, stderr } = signed()): void => {
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(told),
      });
      expect(stderr).toMatch(/^Error: /);
      expect(stderr).not.toMatch(/\n\s+at /);
    };
    writeFileSync(join(dist, 'build-id'), 'this build');

    refused(/HUBLINE_RELEASE_PRIVATE_KEY is missing/, script('release/sign-release.ts', ['--dist', dist]));
    const notOurs = generateKeyPairSync('x25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string;
    refused(
      /HUBLINE_RELEASE_PRIVATE_KEY must be an ed25519 key/,
      script('release/sign-release.ts', ['--dist', dist], { HUBLINE_RELEASE_PRIVATE_KEY: notOurs }),
    );
    refused(new RegExp(`There is no \\S+${HOST}/hubline. Build it first: .*build:binary --target ${HOST}`));
    put(HOST, 'this build', RELEASE_KEY);
    put(other, 'the build before', RELEASE_KEY);
    refused(new RegExp(`${other}/hubline is older than the others. Build it again: `));
    put(other, 'this build', '');
    refused(new RegExp(`${other}/hubline was built without the key of releases, .*\\n.* --target`));
    expect(existsSync(join(dist, 'release'))).toBe(false);

    expect(signed('--target', HOST)).toMatchObject({ status: 0, stdout: `hubline 1.2.3: ${HOST}, signed\n` });
    const made = [
      'SHA256SUMS',
      `hubline-1.2.3-${HOST}`,
      'hubline.pub.pem',
      'manifest.json',
      'manifest.json.sig',
    ];
    expect(readdirSync(join(dist, 'release')).toSorted()).toEqual(made);
    refused(/was built without the key/);
    expect(readdirSync(join(dist, 'release')).toSorted()).toEqual(made);
    expect(readdirSync(dist).toSorted()).toEqual([other, HOST, 'build-id', 'release'].toSorted());
  },
);
