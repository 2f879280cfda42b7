import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { STATUS } from '../../src/db/core/columns/codes.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { dialectOf } from '../../src/db/dialect-of.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import type { Store } from '../../src/db/core/store.ts';
import { countCollected, nextCollected, openDigest } from '../../src/db/notifications/messages.ts';
import { insertDeliveries, listDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { StorageUnavailable } from '../../src/domain/faults/storage-unavailable.ts';
import { testStorage } from './conformance/conformance.ts';
import { deliveryRow, ids, newWorkspace, NOW, type TestStorage } from './storage.ts';

async function createSqlite(): Promise<TestStorage & { file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-sqlite-'));
  const file = join(folder, 'hubline.db');
  return {
    file,
    open: () => openSqlite(file, { synchronous: 'NORMAL' }),
    drop: () => rm(folder, { recursive: true }),
  };
}

testStorage(createSqlite);

describe('on SQLite', () => {
  let storage: Awaited<ReturnType<typeof createSqlite>>;
  let store: Store;
  beforeEach(async () => {
    storage = await createSqlite();
    store = openSqlite(storage.file);
    await migrate(store, new Date(NOW));
  });
  afterEach(async () => {
    await store.close();
    await storage.drop();
  });

  it.each([
    ['FULL', 2],
    ['NORMAL', 1],
  ] as const)('a database that exists is opened at %s as well as a new one', async (synchronous, level) => {
    const levels: unknown[] = [];
    for (let opening = 0; opening < 2; opening += 1) {
      const opened = openSqlite(opening === 0 ? `${storage.file}.new` : storage.file, { synchronous });
      const read = (await sql`pragma synchronous`.execute(opened.read)).rows;
      const written = await opened.write(async (tx) => (await sql`pragma synchronous`.execute(tx)).rows);
      await opened.close();
      levels.push(read, written);
    }
    expect(levels).toEqual(Array.from({ length: 4 }, () => [{ synchronous: level }]));
  });

  it('a lock of another process is waited for without stopping the loop', async () => {
    const other = new SQLite(storage.file);
    other.exec('BEGIN IMMEDIATE');
    const written = store.write((tx) => writeMeta(tx, 'key', 'a'));
    // Only a loop that keeps turning releases the lock.
    for (let turns = 0; turns < 5; turns += 1) await sleep(10);
    expect(await readMeta(store.read, 'key')).toBeNull();
    other.exec('COMMIT');
    other.close();
    await written;
    expect(await readMeta(store.read, 'key')).toBe('a');
  });

  it('a full disk refuses the unit as unavailable, disturbs no other, and is over when there is room', async () => {
    const pages = (count: number) =>
      store.write(async (tx) => void (await sql.raw(`pragma max_page_count = ${count}`).execute(tx)));
    const large = (key: string) => store.write((tx) => writeMeta(tx, key, 'x'.repeat(1_000_000)));
    const small = (key: string) => store.write((tx) => writeMeta(tx, key, 'small'));
    // A limit below the present size means the present size.
    await pages(1);
    await expect(large('large')).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await readMeta(store.read, 'large')).toBeNull();
    await pages(100_000);
    await Promise.all([small('before'), large('large'), small('after')]);
    expect(await readMeta(store.read, 'large')).toHaveLength(1_000_000);
  });

  it('a unit that awaits something else is given up, alone, and cannot come back', async () => {
    let late: Promise<void> | undefined;
    const { promise: outside, resolve: arrive } = Promise.withResolvers<void>();
    const waiting = store.write(async (tx) => {
      await writeMeta(tx, 'first', 'a');
      await outside;
      late = writeMeta(tx, 'second', 'b');
      await late;
    });
    const other = store.write((tx) => writeMeta(tx, 'other', 'c'));
    await expect(waiting).rejects.toThrow(/awaited something other than its tx/);
    await other;
    arrive();
    await expect.poll(() => late !== undefined).toBe(true);
    await expect(late).rejects.toThrow(/outside the unit/);
    expect(await Promise.all(['first', 'second', 'other'].map((key) => readMeta(store.read, key)))).toEqual([
      null,
      null,
      'c',
    ]);
  });

  it('a unit may take long, as long as it makes queries', async () => {
    const long = store.write(async (tx) => {
      for (const since = performance.now(); performance.now() - since < 2_500;) {
        await writeMeta(tx, 'long', 'a');
        await nextTurn();
      }
    });
    await Promise.all([long, store.write((tx) => writeMeta(tx, 'other', 'b'))]);
    expect(await Promise.all(['long', 'other'].map((key) => readMeta(store.read, key)))).toEqual(['a', 'b']);
  });

  it('SQLite yields to the event loop while very many rows are deleted at once', async () => {
    const at = { workspaceId: await newWorkspace(store), webhookId: ids('webhook') };
    const deliveries = Array.from({ length: 3_000 }, () => deliveryRow(at));
    await store.write((tx) => insertDeliveries(tx, deliveries));
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    const turned = await store.write(async (tx) => {
      const before = turns;
      await dialectOf(tx).deleteMany(tx, 'deliveries', sql`due_at is not null`);
      return turns - before;
    });
    clearInterval(count);
    expect(turned).toBeGreaterThan(0);
    expect(await store.read.selectFrom('deliveries').select('seq').execute()).toEqual([]);
  });

  it('the queries of the queue use the partial indexes', async () => {
    const plan = async (query: string) => {
      const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${query}`).execute(store.read);
      return rows.map((row) => row.detail).join('\n');
    };
    for (const [part, status] of [
      ['initial', 'status = 0'],
      ['retry', 'status <> 0'],
    ] as const) {
      const open = `webhook_id = 'x' and due_at is not null and ${status}`;
      const due = `select seq from deliveries where ${open} and due_at <= 'y' order by due_at limit 5`;
      expect(await plan(due)).toMatch(`INDEX deliveries_due_${part}`);
      expect(await plan(due)).not.toMatch(/TEMP B-TREE/);
      const change = `update deliveries set status = 4 where ${open}`;
      expect(await plan(change)).toMatch(`INDEX deliveries_due_${part}`);
    }
    const held = `update deliveries set due_at = 'x' where webhook_id = 'x' and status = 4`;
    expect(await plan(held)).toMatch(/INDEX deliveries_held/);
  });

  it('a statement is planned without regard to its values, and so only once', async () => {
    const { rows } = await sql<{ detail: string }>`
      explain query plan select seq from deliveries
      where workspace = ${1} and status = ${STATUS.of.failed} order by seq desc limit ${5}
    `.execute(store.read);
    // If the planner saw the value, it would use the index of failed deliveries.
    expect(rows.map(({ detail }) => detail).join()).toMatch('INDEX deliveries_workspace ');
  });

  it('a list of failed deliveries uses their own index', async () => {
    const prepare = vi.spyOn(SQLite.prototype, 'prepare');
    const id = ids('workspace');
    await listDeliveries(store.read, { workspaceId: id, status: 'failed' }, { after: null, limit: 5 });
    const list = prepare.mock.calls.map(([text]) => text).find((text) => text.includes('"attempt_count"'));
    prepare.mockRestore();
    const { rows } = await sql
      .raw<{ detail: string }>(`explain query plan ${list?.replaceAll('+?', '1')}`)
      .execute(store.read);
    expect(rows.map(({ detail }) => detail).join()).toMatch('INDEX deliveries_failed_workspace');
  });

  it('what a digest has collected is found by its own index, however many messages its rule has sent', async () => {
    const prepare = vi.spyOn(SQLite.prototype, 'prepare');
    const name = { rule: 'rul_x', digestKey: '' };
    await openDigest(store.read, name, 0);
    await nextCollected(store.read, name, 0);
    await countCollected(store.read, { ...name, destination: 'x' }, 0);
    const texts = prepare.mock.calls.map(([text]) => text).filter((text) => text.includes('"digest_key"'));
    prepare.mockRestore();
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      const plan = sql.raw<{ detail: string }>(`explain query plan ${text.replaceAll('+?', '1')}`);
      const { rows } = await plan.execute(store.read);
      expect(rows.map(({ detail }) => detail).join()).toMatch('INDEX notification_messages_collecting');
    }
  });
});
