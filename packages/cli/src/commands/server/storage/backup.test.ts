import { Hubline } from '@hubline/sdk';
import { startTestServer } from '@hubline/server/testing';
import { copyFile, mkdir, open, readdir, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runCli, temporaryDirectory } from '../../../test/run-cli.ts';
import { serve } from '../../../test/serve.ts';
import { PATIENT, spawnCli } from '../../../../test/support/spawn-cli.ts';

/** The exit code of `mount` where no disk can be mounted. */
const NO_DISK = 77;

it(
  'backs up a server that is being written to, and restores all that was stored before',
  { timeout: 120_000 },
  async () => {
    const root = await temporaryDirectory();
    const data = join(root, 'data');
    await using server = await startTestServer({ flags: { data, rateLimit: 10_000_000 } });
    const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });

    const stored: string[] = [];
    const writing = new AbortController();
    const writer = (async () => {
      while (!writing.signal.aborted) {
        const events = Array.from({ length: 20 }, (_, n) => ({ type: 'deploy', payload: { n } }));
        const { data } = await client.events.publishBatch(server.workspaceId, { events });
        stored.push(...data.map((event) => event.event_id));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const file = join(root, 'backup.db');
    while (stored.length < 200) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = new Set(stored);
    const made = await spawnCli(['server', 'backup', file, `--data=${data}`, '--json']).ended;
    expect(made, made.err).toMatchObject({ code: 0 });
    const after = stored.length;
    // The server continued in the meantime.
    expect(after).toBeGreaterThan(before.size);

    const other = join(root, `other-${after}`);
    await mkdir(other);
    await copyFile(join(data, 'master.key'), join(other, 'master.key'));
    const restored = await runCli(['server', 'restore', file, `--data=${other}`, '--json']);
    expect(restored, restored.err).toMatchObject({ code: 0 });

    const second = await serve(['--json'], { data: other });
    const { base_url: baseURL } = JSON.parse(second.out()) as { base_url: string };
    const copy = new Hubline({ apiKey: server.apiKey, baseURL });
    const ids = new Set<string>();
    for await (const event of copy.events.list(server.workspaceId, { limit: 100 })) ids.add(event.event_id);
    expect([...before].filter((id) => !ids.has(id))).toEqual([]);
    await second.stop();
    writing.abort();
    await writer;

    const running = await runCli(['server', 'restore', file, `--data=${data}`, '--force']);
    expect(running).toMatchObject({ code: 2, out: '' });
    expect(running.err).toContain('Another server is using');
    // The hint must not suggest a second server.
    expect(running.err).toMatch(/Stop it first: hubline server stop --data \S+\.\n/);
  },
);

it.skipIf(process.platform === 'win32')(
  'Ctrl-C ends a backup that is under way, and the next one cleans up',
  async () => {
    const root = await temporaryDirectory();
    const [data, out] = [join(root, 'data'), join(root, 'out')];
    await mkdir(data);
    await mkdir(out);
    // This lock holds up the copy, which waits for it without a pause.
    const database = new DatabaseSync(join(data, 'hubline.db'));
    database.exec('create table t (a); begin exclusive');
    const line = ['server', 'backup', join(out, 'hubline.db'), `--data=${data}`];
    const { child, ended } = spawnCli(line);
    const partial = () => readdir(out);
    await vi.waitUntil(async () => (await partial()).length === 1, PATIENT);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: null, out: '', err: '' });
    expect(child.signalCode).toBe('SIGINT');
    database.exec('rollback');
    database.close();

    const [left = ''] = await partial();
    expect(left).toMatch(/^hubline\.db\.partial-/);
    await writeFile(join(out, `${left}-journal`), '');
    // A partial file that a process has open is in use. If the system does not tell, its age decides.
    const held = await open(join(out, 'hubline.db.partial-00000000'), 'w');
    const before = new Date(process.platform === 'linux' ? Date.now() : 0);
    for (const name of [left, `${left}-journal`]) await utimes(join(out, name), before, before);
    expect(await runCli(line)).toMatchObject({ code: 0 });
    expect((await partial()).toSorted()).toEqual(['hubline.db', 'hubline.db.partial-00000000']);
    await held.close();
    await utimes(join(out, 'hubline.db.partial-00000000'), before, before);
    expect(await runCli([...line, '--force'])).toMatchObject({ code: 0 });
    expect(await partial()).toEqual(['hubline.db']);
  },
);

async function stoppedServer(): Promise<{ root: string; data: string }> {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const owner = ['server', 'bootstrap', `--data=${data}`, '--email=ana@acme.test', '--yes'];
  expect(await runCli(owner)).toMatchObject({ code: 0 });
  return { root, data };
}

it('a backup that cannot be added to the list of backups succeeds, with a warning', async () => {
  const { root, data } = await stoppedServer();
  // Stands for a full disk: it cannot be written, not even by root.
  await mkdir(join(data, 'backups.json'));
  const file = join(root, 'backup.db');
  const { code, out, err } = await runCli(['server', 'backup', file, `--data=${data}`, '--json=path']);
  expect({ code, out }).toEqual({ code: 0, out: `${JSON.stringify({ path: file })}\n` });
  expect(err).toMatch(
    /^Warning: .*backup\.db is complete, but could not be added to the list of backups: .*backups\.json cannot be used: it is a directory/,
  );
});

it.runIf(process.platform === 'linux')(
  'a backup that is not listed because the disk of the data is full says so',
  async (context) => {
    const { root, data } = await stoppedServer();
    const disk = join(root, 'disk');
    await mkdir(disk);
    // Leaves room to open the database, but not for a list of that length.
    await writeFile(join(data, 'backups.json'), JSON.stringify([{ path: 'x'.repeat(300_000) }]));
    const fill = `cp -p ${data}/* "$0"; head -c 128k /dev/zero > "$0/room"; cat /dev/zero > "$0/fill" 2> /dev/null; rm "$0/room"`;
    const mount = `mount -t tmpfs -o size=2m tmpfs "$0" || exit ${NO_DISK}; ${fill}; exec "$@"`;
    const within = ['unshare', '-rm', 'sh', '-c', mount, disk];
    const file = join(root, 'backup.db');
    const line = ['server', 'backup', file, `--data=${disk}`];
    const { code, err } = await spawnCli(line, {}, { within }).ended;
    context.skip([1, NO_DISK].includes(code ?? 1), 'a separate disk cannot be mounted here');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(
        `could not be added to the list of backups: There is no space for the database in ${disk}`,
      ),
    });
    const again = ['server', 'restore', file, '--force', `--data=${disk}`];
    expect(await spawnCli(again, {}, { within }).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Error: There is no space for the database in ${disk}`),
    });
  },
);

it.runIf(process.platform === 'linux')('names the place of a backup that is full', async (context) => {
  const { root, data } = await stoppedServer();
  const full = join(root, 'full');
  await mkdir(full);
  const mount = `mount -t tmpfs -o size=64k tmpfs "$0" || exit ${NO_DISK}; exec "$@"`;
  const within = ['unshare', '-rm', 'sh', '-c', mount, full];
  const file = join(full, 'backup.db');
  const { code, err } = await spawnCli(['server', 'backup', file, `--data=${data}`], {}, { within }).ended;
  context.skip(code === NO_DISK || err.startsWith('unshare:'), 'no disk can be mounted here');
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`There is no space left for ${file}. Make room there`),
  });
});

it('an unusable path for a backup is refused with the reason and the cure', async () => {
  const { root, data } = await stoppedServer();
  const at = (name: string) => join(root, name);
  await mkdir(at('folder'));
  await writeFile(at('file'), '');
  await symlink('loop', at('loop'));
  const long = at('x'.repeat(300));
  const create = (path: string) => ['backup', 'create', `--out=${path}`, '--force'];
  const verify = (path: string) => ['backup', 'verify', path];
  const list = (path: string) => ['backup', 'list', `--backup-to=${path}`];
  const expected: [string[], string][] = [
    [create(at('folder')), `${at('folder')} is a directory. Name a file in it, such as ${at('folder')}/`],
    [create(at('file/x')), `${at('file')} is a file. Name a file in a directory.`],
    [create('/dev/stdout'), '/dev/stdout stands for an open file, but a backup needs a file of its own.'],
    [create('/dev/null'), '/dev/null is a device, a pipe or a socket. Name a file'],
    [create(long), `${long} cannot be used: name too long. Check`],
    [verify(at('folder')), `${at('folder')} is a directory, but a backup is a file. Name the file.`],
    [verify(at('file/x')), `There is no file ${at('file/x')}. Check`],
    [verify(at('loop')), `${at('loop')} cannot be used: too many symbolic links encountered. Check`],
    [['server', 'restore', long], `${long} cannot be used: name too long. Check`],
    [list(at('file')), `${at('file')} cannot be used: not a directory. Name a directory with --backup-to`],
    [list(at('loop/x')), `${at('loop/x')} cannot be used: too many symbolic links encountered. Name`],
  ];
  for (const [line, told] of expected) {
    const { code, err } = await runCli([...line, `--data=${data}`]);
    expect({ line, code, err }).toEqual({ line, code: 2, err: expect.stringContaining(`Error: ${told}`) });
    expect(err).not.toMatch(/\bE[A-Z]{4,}\b/);
  }
});

it('a list of backups that another process has locked costs the entry, not the backup, and the process is named', async () => {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const server = await startTestServer({ flags: { data } });
  onTestFinished(() => server.stop());
  const list = new DatabaseSync(join(data, 'backups.lock'));
  onTestFinished(() => list.close());
  list.exec('begin exclusive');
  const { code, err } = await spawnCli(['server', 'backup', join(root, 'backup.db'), `--data=${data}`]).ended;
  const by = process.platform === 'linux' ? `node .*\\(pid ${process.pid}\\)` : 'another process';
  expect(err).toMatch(
    new RegExp(
      `^Warning: .*backup\\.db is complete, but could not be added to the list of backups: .*backups\\.lock has been locked for 5 seconds by ${by}\\. Let that process end, or stop it\\.`,
    ),
  );
  expect(code).toBe(0);
});

it('restores a backup with secrets of a further key only when they may be lost', async () => {
  const root = await temporaryDirectory();
  const data = join(root, 'data');
  const file = join(root, 'backup.db');
  {
    await using server = await startTestServer({ flags: { data } });
    const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });
    const body = { url: 'https://example.com', events: ['event.created' as const], secret: 's3cret' };
    await client.webhooks.create({ ...body, workspace_id: server.workspaceId });
    expect(await runCli(['server', 'backup', file, `--data=${data}`])).toMatchObject({ code: 0 });
    await copyFile(join(data, 'master.key'), join(root, 'master.key'));
  }
  const database = new DatabaseSync(file);
  // As a rotation of the master key leaves it that was interrupted.
  database.exec(`update webhooks set secret = 'v1.deadbeef.' || substr(secret, 13)`);
  database.close();
  for (const [command, confirmed] of [
    ['server', '--force'],
    ['backup', `--confirm=${root}`],
  ] as const) {
    const line = [command, 'restore', file, `--data=${root}`, confirmed];
    const refused = await runCli(line);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('sealed with the key deadbeef') });
    expect(refused.err).toContain('If the key is lost, restore it without them: --without-secrets.');
    expect(await runCli([...line, '--without-secrets'])).toMatchObject({ code: 0 });
  }
});

it('writes a backup where a link leads, and keeps the link', async () => {
  const root = await temporaryDirectory();
  const data = `--data=${join(root, 'data')}`;
  const boot = ['server', 'bootstrap', data, '--email=ana@acme.test', '--yes'];
  expect(await runCli(boot)).toMatchObject({ code: 0 });
  await mkdir(join(root, 'disk'));
  const link = join(root, 'latest.db');
  await symlink(join('disk', 'backup.db'), link);
  const line = ['backup', 'create', data, `--out=${link}`];
  expect(await runCli(line)).toMatchObject({ code: 0 });
  expect(await runCli(line)).toMatchObject({ code: 2 });
  expect(await runCli([...line, '--force'])).toMatchObject({ code: 0 });
  expect(await readlink(link)).toBe(join('disk', 'backup.db'));
  expect(await readdir(join(root, 'disk'))).toEqual(['backup.db']);
});
