import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { backup, restore } from '../../src/backups/backup.ts';
import { explainBackupError } from '../../src/backups/explain-backup-error.ts';
import { explainWritten } from '../../src/backups/named-file.ts';
import { fetchBackup, listBackups } from '../../src/backups/find-backups.ts';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { Api } from '../api/support/api.ts';
import { startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import { TestClock } from '../delivery/test-clock.ts';

const DAY = 86_400_000;
const MAKE_PIPE = 'mkfifo';

/** A server that backs itself up every day into a directory beside it, on a clock that only the test moves. */
async function scheduled({ keep = 7, mounted = true }: { keep?: number; mounted?: boolean } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'hubline-scheduled-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const to = join(root, 'backups');
  if (mounted) await mkdir(to);
  const clock = new TestClock();
  const time = { clock: clock.clock, timer: clock.timer, monotonic: clock.monotonic };
  const flags = { data: join(root, 'data'), backupEvery: '24h', backupKeep: keep, backupTo: to };
  const workspace = await startWorkspace({ flags, ...time });
  onTestFinished(() => workspace.stop());
  const serverHealth = async () =>
    (await workspace.api.call('workspaces.health', { params: { id: workspace.workspaceId } })).server;
  const made = (before: string | null) =>
    until('a backup', async () => {
      const { backup_schedule: known, jobs = [] } = (await serverHealth()) ?? {};
      const waits = jobs.some(({ kind, state }) => kind === 'backup' && state === 'scheduled');
      return waits && known?.last_success_at !== before && (known?.last_success_at ?? undefined);
    });
  return {
    ...workspace,
    root,
    to,
    clock,
    serverHealth,
    schedule: async () => (await serverHealth())?.backup_schedule,
    /**
     * Waits for a backup after `before`, and until its job waits for the next one, so that the clock may move. Returns
     * the backup's time.
     */
    made,
    async nextDay() {
      const before = (await serverHealth())?.backup_schedule?.last_success_at ?? null;
      clock.advance(DAY);
      return made(before);
    },
    /** The values of the metrics of backups, without their common beginning. */
    async metrics() {
      const text = await (await fetch(`${workspace.server.url}/metrics`)).text();
      const lines = text.matchAll(/^hubline_backup_(\w+) (\S+)$/gm);
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
    },
    /** The complete backups, oldest first. */
    async complete() {
      const names = await readdir(to);
      return names.filter((name) => names.includes(`${name}.json`)).toSorted();
    },
  };
}

it('a server makes a backup at its start and then one each day, keeps the newest, and each brings everything back', async () => {
  const workspace = await scheduled({ keep: 2 });
  const {
    api,
    workspaceId,
    server,
    root,
    to,
    complete,
    clock,
    schedule,
    serverHealth,
    metrics,
    made,
    nextDay,
  } = workspace;
  const publish = (type: string) =>
    api.call('events.publish', { params: { id: workspaceId }, body: { type, payload: {} } });
  const [first = ''] = await until('the first backup', async () => {
    const names = await complete();
    return names.length === 1 && names;
  });
  await made(null);
  expect(await schedule()).toMatchObject({ every_seconds: 86_400, keep: 2, to, last_error: null });
  expect((await stat(join(to, first))).mode & 0o777).toBe(0o600);
  expect((await serverHealth())?.backups).toMatchObject([{ path: join(to, first), present: true }]);

  // Files that were left by a crash, and by another server with the same destination.
  const [, series = ''] = first.split('-');
  const leftover = `hubline-${series}-20200101T000000000Z.db`;
  const foreign = 'hubline-ffffff-20200101T000000000Z.db';
  for (const name of [
    leftover,
    `${first}.partial-0a0b0c0d`.replace(/\d{8}T/, '20200102T'),
    foreign,
    'notes.txt',
  ])
    await writeFile(join(to, name), 'x');
  // Leftovers are recognized by their age if the server cannot look up processes.
  const isKnown = process.platform === 'linux';
  const age = (name: string) => utimes(join(to, name), 0, isKnown ? Date.now() / 1_000 : 0);
  for (const name of await readdir(to)) if (name.includes('-2020')) await age(name);
  const underWay = `hubline-${series}-20200103T000000000Z.db.partial-0a0b0c0d`;
  const held = await open(join(to, underWay), 'w');
  // Directories are never backups, whatever their names.
  const folders = [
    `hubline-${series}-20200104T000000000Z.db`,
    `hubline-${series}-20200105T000000000Z.db.json`,
  ];
  for (const name of folders) await mkdir(join(to, name));

  await publish('deploy');
  await nextDay();
  expect(await readdir(to)).toContain(underWay);
  await held.close();
  await age(underWay);
  await nextDay();
  await until('the first to be removed', async () => (await complete()).length === 2);
  const names = await complete();
  expect(names).not.toContain(first);
  expect((await readdir(to)).toSorted()).toEqual(
    [...names, ...names.map((name) => `${name}.json`), foreign, 'notes.txt', ...folders].toSorted(),
  );
  expect((await serverHealth())?.backups?.map(({ path }) => path)).toEqual(
    names.toReversed().map((name) => join(to, name)),
  );
  const newest = names.at(-1) ?? '';
  const bytes = (await stat(join(to, newest))).size;
  expect(await metrics()).toEqual({
    interval_seconds: 86_400,
    last_success_timestamp_seconds: Date.parse((await schedule())?.last_success_at ?? '') / 1_000,
    last_size_bytes: bytes,
    last_duration_seconds: expect.any(Number),
    failures_total: 0,
  });

  const other = join(root, 'other');
  await mkdir(other);
  await copyFile(join(server.data, 'master.key'), join(other, 'master.key'));
  // The destination of this server is missing. Its report is about that one, and not about the destination of the backup.
  const flags = { data: other, port: 0, logLevel: 'silent', synchronous: 'NORMAL' } as const;
  const own = { backupEvery: '24h', backupTo: join(root, 'not-mounted') };
  const config = parseServerConfig({ ...flags, ...own }, {});
  await using found = await fetchBackup(config, join(to, newest));
  restore(config, found.path);
  await using copy = await startServer(config, clock);
  const copied = new Api(copy.baseUrl, server.apiKey);
  const list = await copied.call('events.list', { params: { id: workspaceId } });
  expect(list.data.map(({ type }) => type)).toEqual(['deploy']);
  const remembered = await until('its failure', async () => {
    const health = await copied.call('workspaces.health', { params: { id: workspaceId } });
    const known = health.server?.backup_schedule;
    return known?.last_error !== null && known;
  });
  expect(remembered).toMatchObject({
    last_success_at: null,
    last_error: expect.stringContaining('not-mounted'),
  });
});

it('a server on a restored backup, with the settings of the real one, removes none of its backups', async () => {
  const { server, root, to, clock, complete, made } = await scheduled({ keep: 1 });
  await made(null);
  const [real = ''] = await complete();
  const data = join(root, 'drill');
  await mkdir(data);
  await copyFile(join(server.data, 'master.key'), join(data, 'master.key'));
  const flags = { data, port: 0, logLevel: 'silent', synchronous: 'NORMAL' } as const;
  const config = parseServerConfig({ ...flags, backupEvery: '24h', backupKeep: 1, backupTo: to }, {});
  restore(config, join(to, real));
  clock.advance(1_000);
  await using _ = await startServer(config, clock);
  const both = await until('its first backup', async () => {
    const names = await complete();
    return names.length > 1 && names;
  });
  await until('the end of its removal', async () => (await readdir(to)).length === 4);
  expect(both).toContain(real);
  expect(await complete()).toContain(real);
});

it('a server tries a new destination at its next start, and reports on that one only', async () => {
  const { server, to, clock, made, root } = await scheduled();
  await made(null);
  const other = join(root, 'other');
  await mkdir(other);
  await copyFile(join(server.data, 'master.key'), join(other, 'master.key'));
  const now = join(root, 'now.db');
  backup(parseServerConfig({ data: server.data }, {}), now);
  restore(parseServerConfig({ data: other }, {}), now);
  const start = async (backupTo: string) => {
    const flags = { data: other, port: 0, logLevel: 'silent', synchronous: 'NORMAL' } as const;
    const running = await startServer(
      parseServerConfig({ ...flags, backupEvery: '24h', backupTo }, {}),
      clock,
    );
    onTestFinished(() => running.stop());
    const api = new Api(running.baseUrl, server.apiKey);
    const { id } = (await api.call('workspaces.list')).data[0] ?? { id: '' };
    const schedule = async () => {
      const health = await api.call('workspaces.health', { params: { id } });
      return health.server?.backup_schedule;
    };
    return { running, schedule };
  };
  const first = await start(to);
  await until('its first backup', async () => (await first.schedule())?.last_success_at != null);
  await first.running.stop();
  const same = await start(to);
  expect(await same.schedule()).toMatchObject({ last_success_at: expect.any(String), last_error: null });
  await same.running.stop();
  const typo = await start(join(root, 'typo'));
  const told = await until('its failure', async () => {
    const known = await typo.schedule();
    return known?.last_error !== null && known;
  });
  expect(told).toMatchObject({ last_success_at: null, last_error: expect.stringContaining('typo') });
});

it('a backup that fails is reported, and tried again', async () => {
  const { to, clock, schedule, metrics, complete, made } = await scheduled({ mounted: false });
  const reason = await until('the failure', async () => (await schedule())?.last_error ?? undefined);
  expect(reason).toContain(`There is no directory ${to}`);
  expect(await metrics()).toMatchObject({ last_success_timestamp_seconds: 0, failures_total: 1 });
  await mkdir(to);
  clock.advance(DAY);
  await made(null);
  expect(await schedule()).toMatchObject({ last_error: null });
  expect(await complete()).toHaveLength(1);
});

it('an unfinished copy that another program removed is reported as that, and not as a missing directory', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hubline-scheduled-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const file = join(root, 'hubline.db');
  const gone: unknown = await rename(`${file}.partial-0a0b0c0d`, file).catch((error: unknown) => error);
  expect(explainWritten(gone, file)).toMatchObject({
    message: expect.stringContaining(`${file} was not written: its unfinished copy was removed`),
  });
  expect(explainBackupError(gone, root)).toMatchObject({
    message: expect.stringContaining(`${root} lost the copy before it was finished`),
  });
});

it('a backup that was changed, or was not completed, is refused', async () => {
  const { to, complete, made, root } = await scheduled();
  await made(null);
  const [name = ''] = await complete();
  const config = parseServerConfig({ data: join(root, 'other'), backupTo: to }, {});
  const bytes = await readFile(join(to, name));
  bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0);
  await writeFile(join(to, name), bytes);
  await expect(fetchBackup(config, 'latest')).rejects.toThrow(/is damaged/);
  await writeFile(join(to, name), bytes.subarray(0, 8_192));
  await expect(fetchBackup(config, 'latest')).rejects.toThrow(/is damaged: its size/);
  await rm(join(to, `${name}.json`));
  await expect(fetchBackup(config, name)).rejects.toThrow(/no complete backup/);
});

it.runIf(process.platform === 'linux')(
  'a backup with a pipe or a directory in place of its manifest is damaged, and nothing waits for it',
  async () => {
    const { to, complete, made, root } = await scheduled();
    await made(null);
    const [name = ''] = await complete();
    const config = parseServerConfig({ data: join(root, 'other'), backupTo: to }, {});
    const [pipe, directory] = [7, 8].map((digit) => join(to, `hubline-00000${digit}-20200101T000000000Z.db`));
    expect(spawnSync(MAKE_PIPE, [`${pipe}.json`]).status).toBe(0);
    await mkdir(`${directory}.json`);
    const { backups, damaged } = await listBackups(config);
    expect(backups).toMatchObject([{ path: join(to, name) }]);
    expect(damaged.toSorted()).toEqual([pipe, directory]);
  },
);

it('the list leaves out a backup that is removed while it is made', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hubline-scheduled-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  // A dead link has a name, and no file.
  for (const name of ['before-0002-x.db', 'replaced-20260101000000-hubline.db'])
    await symlink(join(root, 'gone'), join(root, name));
  await writeFile(join(root, 'before-0003-x.db'), '');
  const { backups } = await listBackups(parseServerConfig({ data: root }, {}));
  expect(backups).toMatchObject([{ path: join(root, 'before-0003-x.db') }]);
});

it('a backup from a clock that was years ahead does not count: the next start makes a new one, and removes the old one first', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hubline-scheduled-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const to = join(root, 'backups');
  await mkdir(to);
  const schedule = { backupEvery: '24h', backupKeep: 1, backupTo: to };
  const flags = { data: join(root, 'data'), port: 0, logLevel: 'silent', senders: 0, ...schedule } as const;
  const config = parseServerConfig(flags, {});
  const years = async () => {
    const names = (await readdir(to)).filter((name) => name.endsWith('.json'));
    return names.map((name) => name.split('-')[2]?.slice(0, 4));
  };
  for (const year of ['2099', '2030', '2031']) {
    const clock = new TestClock(Date.UTC(Number(year), 0, 2));
    await using _ = await startServer(config, {
      clock: clock.clock,
      timer: clock.timer,
      monotonic: clock.monotonic,
    });
    await until(`only that of ${year}`, async () => (await years()).join() === year);
  }
});
