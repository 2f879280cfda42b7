import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/run-cli.ts';
import { image } from './image.fixture.ts';

/** An image in which a path is a link. */
async function linked(path: string, target: string) {
  const made = await image();
  await mkdir(join(made.root, dirname(path)), { recursive: true });
  await symlink(target, join(made.root, path));
  return made;
}

describe.runIf(process.platform === 'linux')('an installation stays inside its image', () => {
  it.each(['etc', 'etc/systemd', 'etc/systemd/system', 'etc/systemd/system/multi-user.target.wants'])(
    'where %s is a link out of it',
    async (path) => {
      const outside = await temporaryDirectory();
      await mkdir(join(outside, 'systemd/system'), { recursive: true });
      await mkdir(join(outside, 'system'));
      for (const name of ['systemd/system', 'system', '.'])
        await writeFile(join(outside, name, 'hubline.service'), '');
      const before = await readdir(outside, { recursive: true });
      const { root, run, called } = await linked(path, outside);
      const refused = async (target: string) => {
        for (const line of [
          ['install', '--yes'],
          ['install', '--dry-run'],
          ['uninstall', '--yes'],
        ])
          expect(await run(...line)).toMatchObject({
            code: 2,
            err: expect.stringMatching(
              new RegExp(
                `${root}/${path} is a link to ${target}, through which .* leave the image in ${root}\\.`,
              ),
            ),
          });
        expect(await readdir(outside, { recursive: true })).toEqual(before);
        expect(await called()).toEqual([]);
      };
      await refused(outside);
      const climbing = `../../../../../../../../..${outside}`;
      await rm(join(root, path));
      await symlink(climbing, join(root, path));
      await refused(climbing);
    },
  );

  it('where its settings are behind a link that means a place in it', async () => {
    const outside = await temporaryDirectory();
    await writeFile(join(outside, 'env'), 'HUBLINE_PORT=x\n');
    const { root, run, read } = await linked('etc/hubline', outside);
    expect(await run('install', '--rate-limit=5', '--yes')).toMatchObject({ code: 0 });
    expect(await read(`${outside}/env`)).toContain('HUBLINE_RATE_LIMIT="5"');
    expect(await run('install', '--rate-limit=6', '--yes')).toMatchObject({
      code: 5,
      err: expect.stringContaining(`hubline service install --root ${root} without settings`),
    });
    expect(await run('install', '--yes')).toMatchObject({ code: 0 });
  });

  it('where links go in a circle, or the unit is a device', async () => {
    const { root, run } = await linked('etc/hubline', 'hubline');
    expect((await run('install', '--yes')).err).toContain(
      `too many links, such as ${root}/etc/hubline to hubline.`,
    );
    const masked = await linked('etc/systemd/system/hubline.service', '/dev/null');
    expect((await masked.run('install', '--dry-run')).err).toContain(
      `hubline.service is a link to /dev/null, through which systemctl would leave`,
    );
  });

  it('with relative links, and to an image that is itself behind a link', async () => {
    const { root, run, read } = await linked('etc/systemd', '../usr/systemd');
    const other = join(await temporaryDirectory(), 'image');
    await symlink(root, other);
    expect(await run('install', '--root', other, '--yes')).toMatchObject({ code: 0 });
    expect(await read('usr/systemd/system/hubline.service')).toContain('Description=Hubline');
    expect(await run('uninstall', '--yes')).toMatchObject({ code: 0 });
    await expect(read('usr/systemd/system/hubline.service')).rejects.toThrow('ENOENT');
    expect((await run('uninstall', '--yes')).err).toContain(
      `Install it: hubline service install --root ${root}`,
    );
  });

  it('with a program that can be run there', async () => {
    const { root, run, write } = await image();
    const program = join(root, 'bin/hubline');
    const becomes = async (code: number) => {
      const { code: ended, err } = await run('install', '--dry-run');
      expect(ended).toBe(code);
      return err;
    };
    await chmod(program, 0o644);
    expect(await becomes(2)).toContain(`${program} is not an executable file.`);
    await rm(program);
    await symlink('/bin/sh', program);
    expect(await becomes(2)).toContain('has no program hubline, which its service would start.');
    await write('opt/hubline/bin/hubline', { mode: 0o755 });
    await rm(program);
    await symlink('/opt/hubline/bin/hubline', program);
    await becomes(0);
  });

  it.each([
    ['/', '/mnt/r is a system directory'],
    ['../..', '/mnt/r is a system directory'],
    ['/home/ana', '/home/ana is hidden from the service'],
  ])('when backups go to a link to %s', async (target, told) => {
    const { run } = await linked('mnt/r', target);
    expect(await run('install', '--backup-to=/mnt/r', '--dry-run')).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--backup-to ${told}`),
    });
  });

  it('and has a name', async () => {
    const { run } = await image();
    for (const line of ['install', 'uninstall'])
      expect(await run(line, '--root', '', '--yes')).toMatchObject({
        code: 2,
        err: expect.stringContaining('--root is empty.'),
      });
  });
});
