import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { insertDeliveries } from '../../src/db/webhooks/deliveries.ts';
import type { NewEventRow } from '../../src/db/events/event-row.ts';
import { insertEvent } from '../../src/db/events/events.ts';
import { claimDeliveries } from '../../src/db/webhooks/queue/delivery-leases.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { dialectOf } from '../../src/db/dialect-of.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { openPostgres } from '../../src/db/postgres/postgres-store.ts';
import type { Store } from '../../src/db/core/store.ts';
import type { Deps } from '../../src/context.ts';
import { insertWebhook, lockWebhook, updateWebhook } from '../../src/db/webhooks/webhooks.ts';
import type { AttemptOutcome } from '../../src/delivery/delivery-store.ts';
import { createVault } from '../../src/secrets/vault.ts';
import { createDeliveryStore } from '../../src/services/delivery-store/create-delivery-store.ts';
import { webhookSecretContext } from '../../src/services/webhooks/secret.ts';
import { createBudgets } from '../../src/limits/byte-budget.ts';
import { EventBatches } from '../../src/services/events/event-batches.ts';
import { EventFeed } from '../../src/services/events/event-feed.ts';
import { StorageUnavailable } from '../../src/domain/faults/storage-unavailable.ts';
import { createTestDatabase } from '../../src/testing/test-database.ts';
import { until } from '../api/support/until.ts';
import { openDatabaseLink } from '../crash/harness/database-link.ts';
import { startPostgres } from '../start-postgres.ts';
import { testStorage } from './conformance/conformance.ts';
import {
  after,
  deliveryRow,
  eventRow,
  ids,
  newWorkspace,
  NOW,
  type TestStorage,
  webhookRow,
} from './storage.ts';
import { idlePorts } from '../idle-ports.ts';

async function createPostgres(): Promise<TestStorage> {
  const database = await createTestDatabase(inject('postgresUrl'));
  return { open: () => openPostgres(database.url), drop: () => database.drop() };
}

testStorage(createPostgres);

describe('on PostgreSQL', () => {
  let storage: TestStorage;
  let store: Store;
  const deaf = { changed() {}, due() {}, jobs() {}, sweep() {}, gone: () => Promise.resolve() };
  beforeEach(async () => {
    storage = await createPostgres();
    store = storage.open();
    await migrate(store, new Date(NOW));
  });
  afterEach(async () => {
    await store.close();
    await storage.drop();
  });

  it('a claim steps over what another transaction is claiming, and waits for nobody', async () => {
    const at = { workspaceId: await newWorkspace(store), webhookId: ids('webhook') };
    await store.write((tx) =>
      insertDeliveries(
        tx,
        Array.from({ length: 6 }, () => deliveryRow(at)),
      ),
    );
    const wanted = {
      ...at,
      part: 'initial' as const,
      now: NOW,
      leaseUntil: after(60_000),
      limit: 4,
    };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: claimed, resolve: signal } = Promise.withResolvers<void>();
    const slow = store.write(async (tx) => {
      const rows = await claimDeliveries(tx, { ...wanted, owner: 'slow' });
      signal();
      await released;
      return rows;
    });
    await claimed;
    const quick = await store.write((tx) => claimDeliveries(tx, { ...wanted, owner: 'quick' }));
    release();
    const shares = [...(await slow), ...quick].map((row) => row.id);
    expect([quick.length, new Set(shares).size]).toEqual([2, 6]);
  });

  it('a database that no longer responds is given up, and used again once it responds', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const link = await openDatabaseLink(database.url);
    const far = openPostgres(link.url, { silenceMs: 200 });
    await far.peers?.join(deaf);
    // The connections are made before the silence: another deadline gives up connections that are made during it.
    await Promise.all([readMeta(far.read, 'key'), readMeta(far.read, 'key')]);
    link.silence();
    const waiting = [readMeta(far.read, 'key'), far.write((tx) => writeMeta(tx, 'key', 'a'))];
    for (const each of await Promise.allSettled(waiting))
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    link.mend();
    await far.write((tx) => writeMeta(tx, 'key', 'b'));
    expect(await readMeta(far.read, 'key')).toBe('b');
    await far.close();
    await link.close();
    await database.drop();
  });

  it('a silent process is gone, like one whose connection has ended, and living ones are not', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const silent = new pg.Client({ connectionString: database.url });
    await silent.connect();
    await silent.query(`set application_name = 'hubline process-silent'`);
    const open = () => openPostgres(database.url, { silenceMs: 2_000 });
    const [watching, living] = [open(), open()];
    const told: string[] = [];
    await living.peers?.join(deaf);
    await watching.peers?.join({ ...deaf, gone: async (owners) => void told.push(...owners) });
    const at = { workspaceId: await newWorkspace(living), webhookId: ids('webhook') };
    const due_at = new Date(Date.now() + 3_600_000).toISOString();
    const others = ['process-silent.1', 'process-ended.7', 'run_of_an_older_version'];
    const leased = [living.peers?.owner() ?? '', watching.peers?.owner() ?? '', ...others].map((owner) =>
      deliveryRow(at, { lease_owner: owner, due_at }),
    );
    await living.write((tx) => insertDeliveries(tx, leased));
    await until('the silent one is gone', () => told.includes('process-silent.1'));
    expect(new Set(told)).toEqual(new Set(['process-silent.1', 'process-ended.7']));
    await silent.end();
    await Promise.all([watching.close(), living.close()]);
    await database.drop();
  });

  it('a process pauses after a transaction for as long as the others take for theirs, but not when it is alone', async () => {
    const processes = [storage.open(), storage.open(), storage.open()];
    const pauses: (number | undefined)[] = [];
    for (const { peers } of processes) {
      await peers?.join(deaf);
      pauses.push(peers?.pauseAfter(4));
    }
    expect(pauses).toEqual([0, 4, 8]);
    expect(processes[2]?.peers?.pauseAfter(1_000)).toBe(20);
    for (const process of processes) await process.close();
  });

  it('a key that a process has locked while it was alone is refused to one that joins', async () => {
    const [first, second] = [storage.open(), storage.open()];
    const key = Buffer.from('a key that somebody has');
    await first.peers?.join(deaf);
    const unlock = await first.peers?.lock(key);
    await second.peers?.join(deaf);
    expect(await second.peers?.lock(key)).toBeNull();
    unlock?.();
    await expect.poll(() => second.peers?.lock(key)).toBeTypeOf('function');
    for (const process of [first, second]) await process.close();
  });

  it('two processes that record attempts of the same two disabled webhooks do not deadlock', async () => {
    const workspaceId = await newWorkspace(store);
    const hooks = [webhookRow(workspaceId), webhookRow(workspaceId)];
    const vault = createVault(Buffer.alloc(32, 7));
    const silent = () => {};
    const deps = {
      store,
      clock: () => new Date(NOW),
      ids,
      vault,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      metrics: { attempt: silent, delivered: silent },
      stats: { count: silent },
      ...idlePorts,
    } as Partial<Record<keyof Deps, unknown>> as unknown as Deps;
    const port = createDeliveryStore(deps);
    await store.write(async (tx) => {
      for (const row of hooks) {
        const secret = vault.seal('secret', webhookSecretContext(row.id, 'secret'));
        await insertWebhook(tx, { ...row, secret });
        await insertDeliveries(
          tx,
          [1, 2].map(() => deliveryRow({ workspaceId, webhookId: row.id })),
        );
      }
    });
    const limits = { initial: 2, retry: 0 };
    const claimed = await port.claim(
      'me',
      hooks.map(({ id }) => ({ webhookId: id, limits })),
    );
    await store.write(async (tx) => {
      for (const row of hooks) await updateWebhook(tx, row, { status: 'disabled' });
    });
    const outcome: AttemptOutcome = {
      startedAt: new Date(NOW),
      durationMs: 1,
      response: { status: 500, headers: {}, body: '' },
      error: null,
      retryAfterMs: null,
      ok: false,
    };
    const failed = (which: number, number: number) => {
      const delivery = claimed[which]?.deliveries[number];
      if (!delivery) throw new Error('Nothing was claimed.');
      return { delivery, outcome };
    };
    const waiting = async (locks: number) => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks l
        join pg_stat_activity a using (pid) where a.datname = current_database() and not granted`.execute(
        store.read,
      );
      return rows[0]?.count === locks;
    };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: signal } = Promise.withResolvers<void>();
    const first = hooks[0] ?? expect.fail('There is no webhook.');
    const blocker = store.write(async (tx) => {
      await lockWebhook(tx, first);
      signal();
      await released;
    });
    await locked;
    const one = port.record([failed(0, 0), failed(1, 0)]);
    await until('one waits', () => waiting(1));
    const other = port.record([failed(1, 1), failed(0, 1)]);
    await until('both wait', () => waiting(2));
    release();
    await blocker;
    const dueAgain = (await Promise.all([one, other])).flat();
    expect(dueAgain).toEqual([null, null, null, null]);
  });

  it('a connection that is cut costs the unit and nothing else', async () => {
    const { promise: cut, resolve: signalCut } = Promise.withResolvers<void>();
    const { promise: begun, resolve: signalPid } = Promise.withResolvers<number>();
    const unit = store.write(async (tx) => {
      await writeMeta(tx, 'key', 'a');
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      signalPid(rows[0]?.pid ?? 0);
      await cut;
      await writeMeta(tx, 'key', 'b');
    });
    const ended = expect(unit).rejects.toBeInstanceOf(StorageUnavailable);
    await sql`select pg_terminate_backend(${await begun}, 5000)`.execute(store.read);
    signalCut();
    await ended;
    await store.write((tx) => writeMeta(tx, 'other', 'c'));
    expect([await readMeta(store.read, 'key'), await readMeta(store.read, 'other')]).toEqual([null, 'c']);
  });

  it('idle connections that are cut are replaced', async () => {
    await Promise.all(Array.from({ length: 5 }, () => readMeta(store.read, 'x')));
    const killer = storage.open();
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(killer.read);
    await killer.close();
    await expect.poll(() => readMeta(store.read, 'x').catch(() => 'cut')).toBeNull();
    await store.write((tx) => writeMeta(tx, 'key', 'a'));
  });

  // A failover leaves connections to the former primary, and hosted databases refuse writes when their disk is nearly full.
  it('a database that can only be read is unavailable for writes, until it takes them again', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const setReadOnly = (value: 'on' | 'off') =>
      sql`alter database ${sql.id(new URL(database.url).pathname.slice(1))}
        set default_transaction_read_only = ${sql.raw(value)}`.execute(store.read);
    await setReadOnly('on');
    const opened = openPostgres(database.url);
    const alone = (key: string) => opened.write((tx) => writeMeta(tx, key, 'a'));
    const inGroup = (key: string) => opened.write((tx) => writeMeta(tx, key, 'b'), { addsTo: 'ws_1' });
    for (const write of [alone, inGroup])
      await expect(write('refused')).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await readMeta(opened.read, 'refused')).toBeNull();
    await setReadOnly('off');
    // A connection that has only been read from is replaced after one more refusal.
    for (const write of [alone, inGroup])
      await expect
        .poll(() =>
          write('stored').then(
            () => 'ok',
            () => 'refused',
          ),
        )
        .toBe('ok');
    await opened.close();
    await database.drop();
  });

  it.each([
    ['does not let the user in', 'alter role NAME nologin', 'alter role NAME login'],
    ['has another password for the user', `alter role NAME password 'new'`, `alter role NAME password 'old'`],
    [
      'is closed for a restore',
      'alter database NAME allow_connections false',
      'alter database NAME allow_connections true',
    ],
    [
      'has another name for a while',
      'alter database NAME rename to NAME_away',
      'alter database NAME_away rename to NAME',
    ],
  ])('a database that %s is unavailable, until it accepts connections again', async (_, close, open) => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const { name } = database;
    const run = (statement: string) => sql.raw(statement.replaceAll('NAME', name)).execute(store.read);
    await run(`create role NAME login password 'old'`);
    await run('grant pg_read_all_data, pg_write_all_data to NAME');
    const url = new URL(database.url);
    Object.assign(url, { username: name, password: 'old' });
    const opened = openPostgres(url.href);
    const uses = () => [
      readMeta(opened.read, 'key'),
      opened.write((tx) => writeMeta(tx, 'key', 'a')),
      opened.write((tx) => writeMeta(tx, 'key', 'b'), { addsTo: 'ws_1' }),
      opened.peers?.others() ?? Promise.reject(new Error('no peers')),
    ];
    await run(close);
    for (const each of await Promise.allSettled(uses()))
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    await run(open);
    for (const each of await Promise.allSettled(uses())) expect(each.status).toBe('fulfilled');
    await opened.close();
    await database.drop();
    await run('drop role NAME');
  });

  it.each(['lock_timeout', 'statement_timeout'])(
    'a table that is locked for longer than %s is unavailable, for reads and for writes',
    async (timeout) => {
      const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
      await sql`alter database ${sql.id(database.name)} set ${sql.raw(timeout)} = 50`.execute(store.read);
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      await holder.query('begin; lock table meta in access exclusive mode');
      const opened = openPostgres(database.url);
      const uses = () => [
        readMeta(opened.read, 'key'),
        opened.write((tx) => writeMeta(tx, 'key', 'a')),
        opened.write((tx) => writeMeta(tx, 'key', 'b'), { addsTo: 'ws_1' }),
      ];
      for (const each of await Promise.allSettled(uses()))
        expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
      await holder.query('rollback');
      for (const each of await Promise.allSettled(uses())) expect(each.status).toBe('fulfilled');
      await holder.end();
      await opened.close();
      await database.drop();
    },
  );

  it('defaults of an administrator do not change what a unit sees after its lock, or how a search is read', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    for (const setting of [
      `default_transaction_isolation = 'serializable'`,
      'standard_conforming_strings = off',
    ])
      await sql`alter database ${sql.id(database.name)} set ${sql.raw(setting)}`.execute(store.read);
    const [first, second] = [openPostgres(database.url), openPostgres(database.url)];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: signal } = Promise.withResolvers<void>();
    const writing = first.write(async (tx) => {
      await dialectOf(tx).lock(tx, 'ws_1');
      signal();
      await released;
      await writeMeta(tx, 'key', 'a');
    });
    await locked;
    const reading = second.write(async (tx) => {
      await dialectOf(tx).lock(tx, 'ws_1');
      return readMeta(tx, 'key');
    });
    await until('the second waits', async () => {
      const { rows } = await sql`select 1 from pg_locks l join pg_stat_activity a using (pid)
        where a.datname = ${database.name} and not granted`.execute(store.read);
      return rows.length === 1;
    });
    release();
    await writing;
    expect(await reading).toBe('a');
    const found = dialectOf(first.read).contains(sql`'50%'`, '0%');
    expect((await sql`select ${found} as found`.execute(first.read)).rows).toEqual([{ found: true }]);
    await Promise.all([first.close(), second.close()]);
    await database.drop();
  });

  it('a batch that a slow stream is still sending is not sent to others once another server has taken over', async () => {
    const workspaceId = await newWorkspace(store);
    const [lost, later] = [eventRow(workspaceId), eventRow(workspaceId)];
    let timeline = 1;
    const followed: Store = Object.create(store, { timeline: { value: () => timeline } });
    const batches = new EventBatches(
      { store: followed, budgets: createBudgets(160) },
      new EventFeed(),
      () => [],
    );
    const position = { workspaceId, filters: {}, seq: 0, bare: false };
    const insert = (row: NewEventRow) => store.write((tx) => insertEvent(tx, row), { addsTo: workspaceId });
    await insert(lost);
    const slow = await batches.next(position);
    slow.hold();
    await sql`delete from events`.execute(store.read);
    await insert(later);
    timeline = 2;
    const next = await batches.next(position);
    expect([slow, next].map(({ events }) => events.map(({ id }) => id))).toEqual([[lost.id], [later.id]]);
    slow.release();
  });

  it('a unit sees what is committed before each of its statements, also in a session with other defaults, as behind a pooler', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const single = openPostgres(database.url, { connections: 1 });
    await sql`set default_transaction_isolation = 'serializable'`.execute(single.read);
    for (const options of [{}, { addsTo: 'ws_1' }]) {
      const shown = single.write((tx) => sql`show transaction_isolation`.execute(tx), options);
      expect((await shown).rows).toEqual([{ transaction_isolation: 'read committed' }]);
    }
    await single.close();
    await database.drop();
  });

  it('processes behind a pooler that gives each its own session see each other, and prepare nothing there', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const link = await openDatabaseLink(database.url, { pooled: true });
    const [first, second] = [openPostgres(link.url), openPostgres(link.url)];
    const key = Buffer.from('a key that somebody has');
    await first.peers?.join(deaf);
    await first.peers?.lock(key);
    await second.peers?.join(deaf);
    expect(await second.peers?.lock(key)).toBeNull();
    expect(second.peers?.owner()).toMatch(/^process-/);
    for (let each = 0; each < 3; each += 1) await readMeta(first.read, 'key');
    const { rows } = await sql`select name from pg_prepared_statements`.execute(first.read);
    expect(rows).toEqual([]);
    await Promise.all([first.close(), second.close()]);
    await link.close();
    await database.drop();
  });

  it('a process that waits for another connection while it joins still learns that a pooler gives it its own session', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const link = await openDatabaseLink(database.url, { pooled: true });
    const busy = openPostgres(link.url, { connections: 1 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const writing = busy.write((tx) => readMeta(tx, 'key').then(() => released));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const joining = busy.peers?.join(deaf);
    await until('it listens', async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = ${database.name} and state = 'idle' and query like 'listen %'`.execute(store.read);
      return rows.length > 0;
    });
    vi.advanceTimersByTime(4_000);
    release();
    await Promise.all([writing, joining]);
    expect(busy.peers?.owner()).toMatch(/^process-/);
    vi.useRealTimers();
    await busy.close();
    await link.close();
    await database.drop();
  });

  it('connections without a pooler prepare the statements that are repeated', async () => {
    const database = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    const link = await openDatabaseLink(database.url);
    for (const url of [database.url, link.url]) {
      const direct = openPostgres(url);
      for (let each = 0; each < 3; each += 1) await readMeta(direct.read, 'key');
      const { rows } = await sql`select name from pg_prepared_statements`.execute(direct.read);
      expect(rows).toEqual([{ name: 'hubline_0' }]);
      await direct.close();
    }
    await link.close();
    await database.drop();
  });

  it('a commit whose wait for a synchronous replica is cancelled is not acknowledged', async () => {
    const primary = await startPostgres({ settings: ['synchronous_standby_names=nobody'] });
    onTestFinished(() => primary.stop());
    const operator = new pg.Client({ connectionString: primary.url });
    await operator.connect();
    const { name, url, drop } = await createTestDatabase(primary.url);
    const before = openPostgres(url);
    await migrate(before, new Date(NOW));
    await before.close();
    await operator.query(`alter database ${name} set synchronous_commit = on`);
    const opened = openPostgres(url);
    for (const options of [{}, { addsTo: 'ws_1' }]) {
      const writing = expect(opened.write((tx) => writeMeta(tx, 'key', 'a'), options)).rejects.toBeInstanceOf(
        StorageUnavailable,
      );
      await until('the wait is cancelled', async () => {
        const waiting = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and datname = $1`;
        return (await operator.query(waiting, [name])).rows.length > 0;
      });
      await writing;
    }
    await opened.close();
    await drop();
    await operator.end();
  });

  it('a server that is gone is unavailable, for reads and for writes', async () => {
    const gone = openPostgres('postgres://nobody@127.0.0.1:1/nothing');
    await expect(readMeta(gone.read, 'x')).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(gone.write((tx) => writeMeta(tx, 'x', 'y'))).rejects.toBeInstanceOf(StorageUnavailable);
    await gone.close();
  });

  it('a unit that swallows the failure of a statement is not committed', async () => {
    const unit = store.write(async (tx) => {
      await writeMeta(tx, 'key', 'a');
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(unit).rejects.toThrow();
    expect(await readMeta(store.read, 'key')).toBeNull();
  });
});
