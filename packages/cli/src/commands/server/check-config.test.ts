import { startTestServer } from '@hubline/server/testing';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import { expectSentence } from '../../test/expect-sentence.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

const MAKE_PIPE = 'mkfifo';

/** Changes a data directory, or its key, so that a start refuses it. */
type Spoil = (data: string, key: string) => unknown;

let made: string;

const check = (data: string) => runCli(['server', 'check-config', '--port=0', `--data=${data}`]);

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'hubline-cli-'));
  expect(await runCli(['server', 'migrate', `--data=${made}`])).toMatchObject({ code: 0 });
  return () => rm(made, { recursive: true });
});

/** The files with their sizes and times. */
async function filesOf(data: string) {
  const names = await readdir(data);
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(data, name));
      // SQLite rebuilds its index of a leftover log.
      return name.endsWith('-shm') ? { name, size } : { name, size, mtimeMs };
    }),
  );
}

/** A copy of the data directory of a server that has been stopped. */
async function stopped(): Promise<string> {
  const data = await temporaryDirectory();
  await cp(made, data, { recursive: true });
  return data;
}

function migrateFurther(data: string): DatabaseSync {
  const database = new DatabaseSync(join(data, 'hubline.db'));
  database.exec(`insert into migrations values ('9999-later', '2026-01-01T00:00:00.000Z')`);
  return database;
}

/** Leaves a part of the database in its log. */
async function crashed(data: string): Promise<void> {
  const database = migrateFurther(data);
  const copy = await temporaryDirectory();
  await cp(data, copy, { recursive: true });
  database.close();
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
}

async function expectRefusal(spoil: Spoil, sentence: string): Promise<void> {
  const data = await stopped();
  await spoil(data, join(data, 'master.key'));
  const before = await filesOf(data);
  const checked = await check(data);
  expectSentence(checked);
  expect(checked.err).toContain(sentence);
  expect(await filesOf(data)).toEqual(before);
  const { err, ...started } = await runCli(['server', 'start', '--port=0', `--data=${data}`]);
  expect({ ...started, err: err.replace('server start --help', 'server check-config --help') }).toEqual(
    checked,
  );
}

it.each<[string, Spoil, string]>([
  ['no master key', (_, key) => rm(key), 'The database needs its master key, but there is none.'],
  ['a key that is too short', (_, key) => writeFile(key, 'c2hvcnQ=\n'), 'must hold one key per line'],
  [
    'the key of another server',
    (_, key) => writeFile(key, Buffer.alloc(32, 1).toString('base64')),
    'This is not the master key of the database',
  ],
  [
    'a directory in its place',
    async (_, key) => {
      await rm(key);
      await mkdir(key);
    },
    'master.key cannot be used: it is a directory.',
  ],
  [
    'a damaged lock',
    (data) => writeFile(join(data, 'server.lock'), 'something else, by another program'.repeat(20)),
    'server.lock is damaged. It holds no data',
  ],
  ['a damaged database', (data) => truncate(join(data, 'hubline.db'), 10_000), 'hubline.db is damaged'],
  [
    'a database of a newer version',
    (data) => migrateFurther(data).close(),
    'The database was migrated by a newer version of Hubline (9999-later).',
  ],
  ['one that crashed', crashed, 'The database was migrated by a newer version of Hubline (9999-later).'],
])('refuses %s with the message of server start, and changes nothing', (_, spoil, sentence) =>
  expectRefusal(spoil, sentence),
);

it.skipIf(process.platform === 'win32')('refuses a pipe in the place of the key', () =>
  expectRefusal(async (_, key) => {
    await rm(key);
    spawnSync(MAKE_PIPE, [key]);
  }, 'master.key is a pipe, a socket or a device'),
);

it('accepts the data of a stopped server, and changes nothing', async () => {
  const data = await stopped();
  const before = await filesOf(data);
  expect(await check(data)).toMatchObject({ code: 0, err: '' });
  expect(await filesOf(data)).toEqual(before);
});

it('only warns of a server that uses the data directory, and leaves its files alone', async () => {
  const data = await temporaryDirectory();
  await using _ = await startTestServer({ flags: { data } });
  const before = await filesOf(data);
  expect(await check(data)).toMatchObject({
    code: 0,
    err: expect.stringContaining(`A start would be refused now: Another server is using ${data}`),
  });
  expect(await filesOf(data)).toEqual(before);
});
