import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, chown, lchown, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PATIENT, spawnCli } from '../support/spawn-cli.ts';
import { expectSentence } from '../../src/test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../src/test/run-cli.ts';

const onLinux = process.platform === 'linux';
const NOBODY = 65_534;
const MAKE_PIPE = 'mkfifo';

it('a link to nowhere in the place of a directory is reported', async () => {
  const data = await temporaryDirectory();
  const link = join(data, 'certificates');
  await symlink('nowhere', link);
  const ports = ['--domain=hub.example.com', '--https-port=0', '--http-port=0', '--host=127.0.0.1'];
  const started = await runCli(['server', 'start', `--data=${data}`, ...ports]);
  expectSentence({ ...started, err: started.err.replace(/^.*WARN.*\n/, '') });
  expect(started.err).toContain(`${link} cannot be used: it is a file, or a link that leads nowhere`);
});

it.runIf(onLinux && process.getuid?.() === 0).each([
  ['certificates', 'ca'],
  ['certificates/acme.test_directory', 'ca'],
  ['hubline.db', 'new'],
  ['server.lock', 'new'],
  ['master.key', 'new'],
])('root does not follow a link %s of the owner of the data directory', async (name, target) => {
  const folder = await temporaryDirectory();
  const [data, ofRoot] = [join(folder, 'data'), join(folder, 'root')];
  await mkdir(join(ofRoot, 'ca'), { recursive: true });
  await chmod(join(ofRoot, 'ca'), 0o755);
  await mkdir(join(data, name, '..'), { recursive: true });
  const link = join(data, name);
  await symlink(join(ofRoot, target), link);
  await chown(data, NOBODY, NOBODY);
  await lchown(link, NOBODY, NOBODY);
  const ports = ['--domain=hub.example.com', '--https-port=0', '--http-port=0', '--host=192.0.2.1'];
  const acme = '--acme-directory=https://acme.test/directory';
  for (const line of [
    ['start', ...ports, acme],
    ['bootstrap', '--email=ana@acme.test', '--yes'],
  ]) {
    const ran = await runCli(['server', ...line, `--data=${data}`]);
    expectSentence(ran);
    expect(ran.err).toContain(`${link} is a link of user ${NOBODY}, and root does not follow`);
    expect(ran.err).toContain(`chown -h root ${link}`);
  }
  expect(await readdir(ofRoot, { recursive: true })).toEqual(['ca']);
  expect(statSync(join(ofRoot, 'ca')).mode & 0o777).toBe(0o755);
});

it.runIf(onLinux)('a pipe in the place of a file is reported, and nobody waits for it', async () => {
  const data = await temporaryDirectory();
  for (const [name, line] of [
    ['hubline.db', ['server', 'start', '--port=0']],
    ['server.lock', ['server', 'start', '--port=0']],
    ['master.key', ['server', 'start', '--port=0']],
    ['backups.json', ['backup', 'list']],
  ] as const) {
    const pipe = join(data, name);
    spawnSync(MAKE_PIPE, [pipe]);
    const ran = await runCli([...line, `--data=${data}`]);
    expectSentence(ran);
    expect(ran.err).toContain(`${pipe} is a pipe, a socket or a device, but must be a file. Move it away`);
    await rm(pipe);
  }
});

it.runIf(onLinux && process.getuid?.() === 0)(
  'root follows a link of another user on the way to a directory only to what is of that user',
  async () => {
    const folder = await temporaryDirectory();
    const target = join(folder, 'target');
    await mkdir(target);
    const link = join(folder, 'link');
    await symlink(target, link);
    await lchown(link, NOBODY, NOBODY);
    const bootstrap = (data: string) =>
      runCli(['server', 'bootstrap', '--email=ana@acme.test', '--yes', `--data=${data}`]);
    const backUp = ['server', 'check-config', `--data=${target}`, '--backup-every=1d', `--backup-to=${link}`];
    for (const ran of [await bootstrap(link), await bootstrap(join(link, 'deep')), await runCli(backUp)]) {
      expectSentence(ran);
      expect(ran.err).toContain(`${link} is a link of user ${NOBODY}, and root does not follow`);
    }
    expect(await readdir(target)).toEqual([]);
    const data = join(folder, 'data');
    expect(await bootstrap(data)).toMatchObject({ code: 0 });
    for (const line of [
      ['backup', 'create', `--out=${link}/b.db`],
      ['server', 'backup', `${link}/b.db`],
    ]) {
      await writeFile(join(target, 'b.db.partial-0a0b0c0d'), '');
      const ran = await runCli([...line, `--data=${data}`]);
      expectSentence(ran);
      expect(ran.err).toContain(`${link} is a link of user ${NOBODY}, and root does not follow`);
      expect(await readdir(target)).toEqual(['b.db.partial-0a0b0c0d']);
    }
    await chown(target, NOBODY, NOBODY);
    expect(await bootstrap(link)).toMatchObject({ code: 0 });
    expect(await readdir(target)).toContain('hubline.db');
  },
);

it('a link to nowhere in the place of the master key is reported before anything is made', async () => {
  const data = await temporaryDirectory();
  await symlink('nowhere/key', join(data, 'master.key'));
  const line = ['server', 'bootstrap', '--email=ana@acme.test', '--yes', `--data=${data}`];
  const ran = await runCli(line);
  expectSentence(ran);
  expect(ran.err).toContain(`${join(data, 'master.key')} is a link to nowhere/key, which cannot be opened`);
  expect((await readdir(data)).filter((name) => name.startsWith('hubline'))).toEqual([]);
});

it.runIf(onLinux && process.getuid?.() === 0)(
  'a link into a directory that this user may not enter is reported',
  async () => {
    const folder = await temporaryDirectory();
    await chmod(folder, 0o755);
    const [data, closed] = [join(folder, 'data'), join(folder, 'closed')];
    await mkdir(data);
    await mkdir(join(closed, 'certificates'), { recursive: true });
    await chmod(closed, 0o700);
    const link = join(data, 'certificates');
    await symlink(join(closed, 'certificates'), link);
    await chown(data, NOBODY, NOBODY);
    const ports = ['--domain=hub.example.com', '--https-port=0', '--http-port=0', '--host=127.0.0.1'];
    const line = ['server', 'start', `--data=${data}`, ...ports];
    const started = await spawnCli(line, {}, { cwd: '/', uid: NOBODY }).ended;
    expectSentence({ ...started, err: started.err.replace(/^.*WARN.*\n/, '') });
    expect(started.err).toContain(
      `${link} is a link to ${join(closed, 'certificates')}, which user ${NOBODY} may not use`,
    );
  },
  PATIENT.timeout,
);

it('a link of the operator is followed', async () => {
  const folder = await temporaryDirectory();
  const [data, disk] = [join(folder, 'data'), join(folder, 'disk')];
  await Promise.all([mkdir(data), mkdir(disk)]);
  await symlink(join(disk, 'hubline.db'), join(data, 'hubline.db'));
  const line = ['server', 'bootstrap', '--email=ana@acme.test', '--yes', `--data=${data}`];
  expect(await runCli(line)).toMatchObject({ code: 0 });
  expect(await readdir(disk)).toEqual(['hubline.db']);
});
