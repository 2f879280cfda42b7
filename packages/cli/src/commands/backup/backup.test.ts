import { startTestServer } from '@hubline/server/testing';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { spawnCli } from '../../../test/support/spawn-cli.ts';

it('a backup is made while the server runs, verified, listed and restored', async () => {
  const directory = await temporaryDirectory();
  const data = join(directory, 'data');
  await mkdir(data);
  const server = await startTestServer({ flags: { data } });
  const file = join(directory, 'hubline.db');
  const create = await runCli(['backup', 'create', `--out=${file}`, `--data=${data}`, '--json=bytes']);
  expect(create).toMatchObject({ code: 0, err: '' });
  const streamed = spawnCli(['backup', 'create', '--out=-', `--data=${data}`]);
  const chunks: Buffer[] = [];
  streamed.child.stdout.on('data', (text: string) => chunks.push(Buffer.from(text)));
  expect((await streamed.ended).code).toBe(0);
  expect(Buffer.concat(chunks).subarray(0, 15).toString()).toBe('SQLite format 3');
  const nowhere = { TMPDIR: join(directory, 'nowhere') };
  const beside = await spawnCli(['backup', 'create', '--out=-', `--data=${data}`], nowhere).ended;
  expect(beside).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^SQLite format 3/) });
  expect((await readdir(data)).filter((name) => name.startsWith('hubline-backup-'))).toEqual([]);
  // A copy that went through a temporary file is not listed: it is gone, and cannot be restored.
  expect(JSON.parse(await readFile(join(data, 'backups.json'), 'utf8'))).toMatchObject([{ path: file }]);
  // A copy whose reader is gone leaves no file.
  const TMPDIR = join(directory, 'temporary');
  // The user's own folder stays, even under such a name.
  const own = join(TMPDIR, 'hubline-backup-monday');
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'hubline.db'), 'mine');
  const broken = spawnCli(['backup', 'create', '--out=-', `--data=${data}`], { TMPDIR });
  broken.child.stdout.destroy();
  expect((await broken.ended).code).toBe(141);
  expect(await readdir(TMPDIR)).toEqual(['hubline-backup-monday']);
  expect(await readdir(own)).toEqual(['hubline.db']);
  const nothing = ['backup', 'create', '--out=-', `--data=${join(directory, 'nothing')}`];
  expect(await spawnCli(nothing, nowhere).ended).toMatchObject({
    code: 2,
    err: expect.stringContaining('TMPDIR'),
  });
  const verify = (path: string, ...more: string[]) =>
    runCli(['backup', 'verify', path, `--data=${data}`, '--json=key_fits', ...more]);
  expect(await verify(file)).toMatchObject({ code: 0, out: '{"key_fits":true}\n' });
  const damaged = join(directory, 'damaged.db');
  await writeFile(damaged, 'SQLite format 3\0 and then nonsense');
  expect(await verify(damaged)).toMatchObject({ code: 9, out: '' });
  expect(await verify(join(directory, 'nothing.db'))).toMatchObject({ code: 2, out: '' });
  // A copy of a live database keeps its mode, in which SQLite leaves a log beside every file that it reads.
  const copy = join(directory, 'copy.db');
  const bytes = await readFile(file);
  bytes.fill(2, 18, 20);
  await writeFile(copy, bytes);
  expect(await verify(copy)).toMatchObject({ code: 0 });
  expect((await readdir(directory)).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  const inUse = join(directory, 'in-use.db');
  await cp(file, inUse);
  await writeFile(`${inUse}-wal`, '');
  expect(await verify(inUse)).toMatchObject({ code: 9, err: expect.stringContaining('a database in use') });
  expect(await runCli(['server', 'backup', '-', `--data=${data}`])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`hubline backup create --data ${data} --out -`),
  });
  const elsewhere = join(directory, 'elsewhere');
  await cp(data, elsewhere, { recursive: true });
  await server.stop();

  // Stopping a test server removes its data, so the copy stands for a stopped server.
  const restore = ['backup', 'restore', file, `--data=${elsewhere}`];
  expect(await runCli(restore)).toMatchObject({ code: 2, out: '' });
  expect(await runCli([...restore, `--confirm=${directory}`])).toMatchObject({ code: 2, out: '' });
  expect(await runCli([...restore, `--confirm=${elsewhere}`, '--json=replaced'])).toMatchObject({ code: 0 });
  // A script may restore twice within a second.
  vi.useFakeTimers({ toFake: ['Date'] });
  const replaced: { replaced: string }[] = [];
  for (let again = 0; again < 2; again += 1) {
    await writeFile(join(elsewhere, 'hubline.db'), `the database before ${again}`);
    const { out } = await runCli([...restore, `--confirm=${elsewhere}`, '--json=replaced']);
    replaced.push(JSON.parse(out));
  }
  vi.useRealTimers();
  for (const [again, kept] of replaced.entries())
    expect(await readFile(kept.replaced, 'utf8')).toBe(`the database before ${again}`);
  const listed = await runCli(['backup', 'list', `--data=${elsewhere}`, '-q']);
  expect(listed.out.match(/replaced-[\d-]+-hubline\.db\n/g)).toHaveLength(3);
  expect(listed.out.split('\n')).toContain(file);
  await writeFile(join(elsewhere, 'backups.json'), 'no list');
  expect(await runCli(['backup', 'list', `--data=${elsewhere}`])).toMatchObject({ code: 2, out: '' });
  await rm(join(elsewhere, 'master.key'));
  await writeFile(join(elsewhere, 'master.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  expect(await runCli(['backup', 'verify', file, `--data=${elsewhere}`])).toMatchObject({ code: 9 });
});

it('a list without a database and without a place for backups says so', async () => {
  const data = await temporaryDirectory();
  expect(await runCli(['backup', 'list', `--data=${data}`])).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringContaining(`There is no database in ${data}.`),
  });
});

it('verify and restore report a backup from before the master key was replaced', async () => {
  const directory = await temporaryDirectory();
  const [data, file] = [join(directory, 'data'), join(directory, 'old.db')];
  for (const line of [
    ['server', 'bootstrap', '--email=ana@acme.test', '--yes'],
    ['backup', 'create', `--out=${file}`],
    ['server', 'rotate-key', '--yes'],
  ])
    expect(await runCli([...line, `--data=${data}`])).toMatchObject({ code: 0 });
  const reason = `${file} was made before the master key was replaced. Add the keys of master.key.retired`;
  expect(await runCli(['backup', 'verify', file, `--data=${data}`])).toMatchObject({
    code: 9,
    err: expect.stringContaining(reason),
  });
  expect(await runCli(['backup', 'restore', file, `--data=${data}`, `--confirm=${data}`])).toMatchObject({
    code: 2,
    err: expect.stringContaining(reason),
  });
});
