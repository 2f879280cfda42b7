import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import type { Tx } from '../../src/db/core/schema.ts';
import { dialectOf } from '../../src/db/dialect-of.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { openPostgres, type PostgresOptions } from '../../src/db/postgres/postgres-store.ts';
import { StorageLocked } from '../../src/domain/faults/storage-unavailable.ts';
import { describeFailure } from '../../src/log/describe-failure.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';
import { Api } from '../api/support/api.ts';
import { until } from '../api/support/until.ts';
import { CHEAP } from '../api/support/workspace.ts';
import { openDatabaseLink } from '../crash/harness/database-link.ts';
import { holding, SECRET } from '../delivery/support.ts';

let database: TestDatabase;
/** An administrator, who locks tables. */
let operator: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
});
afterEach(async () => {
  await operator.end();
  await database.drop();
});

function open(url = database.url, options: PostgresOptions = {}) {
  const store = openPostgres(url, options);
  onTestFinished(() => store.close());
  return store;
}

const lock = (table: string) => operator.query(`begin; lock table ${table} in access exclusive mode`);

const waiting = (count: number) =>
  until('somebody waits for a lock', async () => {
    const waits =
      'select 1 from pg_locks join pg_database d on d.oid = database where not granted and datname = $1';
    return (await operator.query(waits, [database.name])).rows.length >= count;
  });

/** The limits of a read, of a unit, of units that share a transaction, and of a migration. */
async function limitsAt(url: string): Promise<string[]> {
  const store = open(url, { connections: 1 });
  // The first connection has been set up before the second statement.
  await readMeta(store.read, 'key');
  const shown = sql<{ lock_timeout: string }>`show lock_timeout`;
  const migrating = async (tx: Tx) => {
    await dialectOf(tx).lockForMigration(tx);
    return shown.execute(tx);
  };
  const results = [
    await shown.execute(store.read),
    await store.write((tx) => shown.execute(tx)),
    await store.write((tx) => shown.execute(tx), { addsTo: 'ws_1' }),
    await store.write(migrating),
  ];
  return results.map(({ rows: [row] }) => row?.lock_timeout ?? '');
}

it('waits for locks have a limit, also behind a pooler, and migrations have a longer one', async () => {
  const link = await openDatabaseLink(database.url, { pooled: true });
  onTestFinished(() => link.close());
  for (const url of [database.url, link.url])
    expect(await limitsAt(url)).toEqual(['4s', '15s', '15s', '10min']);
});

it('the first unit has a limit, too, before anything is known about its connection', async () => {
  const store = open();
  const { rows } = await store.write((tx) => sql`show lock_timeout`.execute(tx));
  expect(rows).toEqual([{ lock_timeout: '15s' }]);
});

it.each(['3s', '0'])('the lock_timeout of an administrator stays, here %s', async (value) => {
  const url = new URL(database.url);
  url.searchParams.set('options', `-c lock_timeout=${value}`);
  expect(await limitsAt(url.href)).toEqual([value, value, value, value]);
  await operator.query(`alter database ${database.name} set lock_timeout = '${value}'`);
  const link = await openDatabaseLink(database.url, { pooled: true });
  onTestFinished(() => link.close());
  for (const each of [database.url, link.url])
    expect(await limitsAt(each)).toEqual([value, value, value, value]);
});

it('units that shared a transaction do not wait for a locked table one by one', async () => {
  await operator.query(`alter database ${database.name} set lock_timeout = 50`);
  const store = open();
  await lock('meta');
  let runs = 0;
  const unit = (tx: Tx) => {
    runs += 1;
    return writeMeta(tx, 'key', 'a');
  };
  const units = [1, 2, 3].map(() => store.write(unit, { addsTo: 'ws_1' }));
  for (const each of await Promise.allSettled(units)) {
    const reason = each.status === 'rejected' ? each.reason : null;
    expect(reason).toBeInstanceOf(StorageLocked);
    expect(describeFailure(reason)).toEqual({
      reason: expect.stringMatching(
        /^Another session of the database holds a lock that is needed\. .* \(55P03\)\. Find it in /,
      ),
    });
  }
  expect(runs).toBe(3);
  await operator.query('rollback');
  await store.write(unit, { addsTo: 'ws_1' });
});

it('connections that are all in use are no failure of the network', async () => {
  const store = open(database.url, { connections: 1 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: signal } = Promise.withResolvers<void>();
  const writing = store.write(async (tx) => {
    await readMeta(tx, 'key');
    signal();
    await released;
  });
  await begun;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const refused = readMeta(store.read, 'key').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  const error = await refused;
  release();
  await writing;
  expect(describeFailure(error)).toEqual({
    reason: expect.stringMatching(
      / All connections to PostgreSQL \(1\) were in use for 5 s\. Find in pg_stat_activity /,
    ),
  });
});

async function startOnDatabase(options: { databaseConnections?: number } = {}) {
  const data = await mkdtemp(join(tmpdir(), 'hubline-locked-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const config = parseServerConfig(
    {
      data,
      databaseUrl: database.url,
      ...options,
      port: 0,
      senders: 0,
      httpThread: 'off',
      logLevel: 'silent',
      allowHttpLocalhost: true,
    },
    {},
  );
  const { api_key, workspace_id } = await bootstrap(config, {
    email: 'o@acme.test',
    name: 'A',
    slug: 'acme',
  });
  const server = await startServer(config, CHEAP);
  onTestFinished(() => server.stop());
  return { api: new Api(server.baseUrl, api_key), workspaceId: workspace_id ?? '', url: server.url };
}

it('locked quotas delay neither the heartbeat nor request after request', async () => {
  const { api } = await startOnDatabase();
  const heartbeat = async () => {
    const own = `select pid from pg_stat_activity where datname = $1 and application_name like 'hubline process%'`;
    return (await operator.query(own, [database.name])).rows;
  };
  const before = await heartbeat();
  expect(before).toHaveLength(1);
  await lock('quotas');
  for (let request = 0; request < 3; request += 1) await api.call('workspaces.list');
  expect(await heartbeat()).toEqual(before);
  await operator.query('rollback');
});

it.each(['', '0'])(
  'the table of the readiness check is locked: the process stays in rotation, lock_timeout "%s"',
  async (limit) => {
    if (limit !== '') await operator.query(`alter database ${database.name} set lock_timeout = ${limit}`);
    const { url } = await startOnDatabase();
    await lock('meta');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await operator.query('rollback');
  },
);

it('all connections wait for a locked table: the process stays in rotation for as long as its last result holds', async () => {
  await operator.query(`alter database ${database.name} set lock_timeout = 0`);
  const { api, workspaceId, url } = await startOnDatabase({ databaseConnections: 2 });
  const readiness = async () => (await fetch(`${url}/readyz`)).status;
  expect(await readiness()).toBe(200);
  await lock('events');
  const lists = [1, 2].map(() => api.call('events.list', { params: { id: workspaceId } }));
  await waiting(2);
  expect(await readiness()).toBe(200);
  await until('it can serve nothing', async () => (await readiness()) === 503);
  await operator.query('rollback');
  await Promise.all(lists);
  await until('it is back', async () => (await readiness()) === 200);
});

it('a locked table refuses what needs it, says so, and loses nothing', async () => {
  await operator.query(`alter database ${database.name} set lock_timeout = 50`);
  const { api, workspaceId } = await startOnDatabase();
  const receiver = await holding();
  const workspace = { workspace_id: workspaceId, url: receiver.url, events: ['event.created'] };
  await api.call('webhooks.create', { body: { ...workspace, secret: SECRET } });
  const event = { params: { id: workspace.workspace_id }, body: { type: 'push', payload: {} } };
  const { event_id: eventId } = await api.call('events.publish', event);
  await until('the call', () => receiver.waiting() === 1);
  await lock('deliveries, events');
  receiver.respond(200);
  await waiting(1);
  for (const name of ['events.publish', 'events.list'] as const) {
    const refusal = await api.refused(name, 503, name === 'events.list' ? { params: event.params } : event);
    expect(refusal.message).toBe(
      'The service waited too long for a lock of its database. Nothing was stored. Retry in a few seconds.',
    );
    expect(refusal.headers.get('retry-after')).toBe('5');
  }
  await api.call('workspaces.list');
  await operator.query('rollback');
  await until('the result is stored', async () => {
    const { data: deliveries } = await api.call('deliveries.list', { params: event.params });
    return deliveries.length === 1 && deliveries[0]?.status === 'delivered';
  });
  expect(receiver.calls.length).toBe(1);
  const { data: events } = await api.call('events.list', { params: event.params });
  expect(events.map(({ event_id }) => event_id)).toEqual([eventId]);
});
