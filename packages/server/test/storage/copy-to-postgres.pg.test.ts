import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DELIVERY_HEADERS, HEADERS } from '@hubline/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { parseServerConfig, type ServerConfig } from '../../src/config/config.ts';
import type { Db } from '../../src/db/core/schema.ts';
import type { Store } from '../../src/db/core/store.ts';
import { removeMeta, writeMeta } from '../../src/db/meta.ts';
import { seedDatabase } from '../../src/seed/seed-database.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { copyToPostgres } from '../../src/start/storage/copy-to-postgres.ts';
import { openStorage } from '../../src/start/storage/open-storage.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';
import { Api } from '../api/support/api.ts';
import { startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

let database: TestDatabase;
let data: string;
beforeEach(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  data = await mkdtemp(join(tmpdir(), 'hubline-copy-'));
});
afterEach(async () => {
  await database.drop();
  await rm(data, { recursive: true, force: true });
});

const onSqlite = (): ServerConfig =>
  parseServerConfig(
    { data, port: 0, allowHttpLocalhost: true, logLevel: 'silent', senders: 0, synchronous: 'NORMAL' },
    {},
  );
const onPostgres = (): ServerConfig & { databaseUrl: string } => ({
  ...onSqlite(),
  databaseUrl: database.url,
});

async function open(config: ServerConfig): Promise<Store> {
  const { store } = await openStorage(config, new Date());
  onTestFinished(() => store.close());
  return store;
}

const tablesOf = async (store: Store) => {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name <> 'migrations' and name not like 'sqlite%'`.execute(
    store.read,
  );
  return rows.map(({ name }) => name);
};

/** The rows of a table as text, in an order that both databases share. */
async function rowsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
  const textOf = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('hex') : String(value));
  return rows
    .map((row) =>
      Object.entries(row)
        .map(([column, value]) => `${column} ${textOf(value)}`)
        .toSorted()
        .join('\n'),
    )
    .toSorted();
}

it(
  'copies every row of every table, with secrets that the master key opens',
  { timeout: 60_000 },
  async () => {
    await seedDatabase(onSqlite(), { days: 1, eventsPerDay: 200 });
    const copied = await copyToPostgres(onPostgres(), new Date());
    const sqlite = await open(onSqlite());
    const postgres = await open(onPostgres());
    let rows = 0;
    for (const table of await tablesOf(sqlite)) {
      const stored = await rowsOf(sqlite.read, table);
      expect(await rowsOf(postgres.read, table), table).toEqual(stored);
      rows += stored.length;
    }
    expect(copied.rows).toBe(rows);
    expect(copied.events).toBeGreaterThan(100);
  },
);

it('a server continues on the copy: keys, open deliveries, secrets, idempotency keys and the order of lists', async () => {
  let status = 503;
  const receiver = await startReceiver(() => ({ status }));
  onTestFinished(() => receiver.stop());
  const { api_key: apiKey, workspace_id: id } = await bootstrap(onSqlite(), {
    email: 'ana@example.com',
    name: 'Acme',
    slug: 'acme',
  });
  const params = { id: id ?? '' };
  const publish = {
    params,
    body: { type: 'deploy', payload: { n: 1 } },
    headers: { [HEADERS.idempotencyKey]: 'once' },
  };
  const first = await startServer(onSqlite());
  const before = new Api(first.baseUrl, apiKey);
  await before.call('webhooks.create', {
    body: { url: receiver.url, events: ['event.created'], workspace_id: params.id, secret: 's3cret' },
  });
  const event = await before.call('events.publish', publish);
  await until('an attempt', () => receiver.calls.length > 0);
  await first.stop();
  await copyToPostgres(onPostgres(), new Date());

  status = 200;
  const earlier = receiver.calls.length;
  const later = await startServer(onPostgres(), { clock: () => new Date(Date.now() + 3_600_000) });
  onTestFinished(() => later.stop());
  const after = new Api(later.baseUrl, apiKey);
  await until('the open delivery', () => receiver.calls.length > earlier);
  const [one, two] = [receiver.calls[0], receiver.calls.at(-1)];
  expect(two?.body).toBe(one?.body);
  const signature = DELIVERY_HEADERS.signature.toLowerCase();
  expect(one?.headers[signature]).toMatch(/^[0-9a-f]{64}$/);
  expect(two?.headers[signature]).toBe(one?.headers[signature]);
  expect((await after.call('events.publish', publish)).event_id).toBe(event.event_id);
  const next = await after.call('events.publish', { params, body: { type: 'deploy', payload: { n: 2 } } });
  const { data: events } = await after.call('events.list', { params });
  expect(events.map((listed) => listed.event_id)).toEqual([next.event_id, event.event_id]);
});

it('copies nothing into a database that has data, and nothing from a database in use', async () => {
  const server = await startServer(onSqlite());
  await expect(copyToPostgres(onPostgres(), new Date())).rejects.toThrow(
    /Another server is using .*Stop it first/,
  );
  await server.stop();
  await copyToPostgres(onPostgres(), new Date());
  await expect(copyToPostgres(onPostgres(), new Date())).rejects.toThrow(
    /is not empty: its table \w+ has rows\. Nothing was copied\. Name an empty database/,
  );
});

it('does not touch a database of another program', async () => {
  await open(onSqlite()).then((store) => store.close());
  const sqlOf = async (statement: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      // Several statements give several results.
      return [await client.query<{ name: string }>(statement)]
        .flat()
        .flatMap(({ rows }) => rows)
        .map(({ name }) => name);
    } finally {
      await client.end();
    }
  };
  const tables = `select tablename as name from pg_tables where schemaname = 'public'`;
  await sqlOf('create table orders (id int); insert into orders values (1)');
  await expect(copyToPostgres(onPostgres(), new Date())).rejects.toThrow(/its table orders has rows/);
  expect(await sqlOf(tables)).toEqual(['orders']);
  await sqlOf('drop table orders; create table users (id int)');
  const refusal = /relation "users" already exists\. Use a separate database/;
  await expect(copyToPostgres(onPostgres(), new Date())).rejects.toThrow(refusal);
  await expect(openStorage(onPostgres(), new Date())).rejects.toThrow(refusal);
  expect(await sqlOf(tables)).toEqual(['users']);
});

it('a copy that fails leaves nothing behind, and can be made again', async () => {
  const sqlite = await open(onSqlite());
  // PostgreSQL takes no NUL in text.
  await sqlite.write((tx) => writeMeta(tx, 'broken', 'a\0b'));
  await sqlite.close();
  await expect(copyToPostgres(onPostgres(), new Date())).rejects.toThrow();
  const again = await open(onSqlite());
  await again.write((tx) => removeMeta(tx, 'broken'));
  await again.close();
  expect(await copyToPostgres(onPostgres(), new Date())).toMatchObject({ workspaces: 0, events: 0 });
});
