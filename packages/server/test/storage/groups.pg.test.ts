import { sql } from 'kysely';
import type { Socket } from 'node:net';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { findApiKeyByHash, insertApiKey, updateApiKey } from '../../src/db/identity/api-keys.ts';
import { insertEvent, lastEventSeq } from '../../src/db/events/events.ts';
import { listEventsAfter } from '../../src/db/events/list-events.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { openPostgres } from '../../src/db/postgres/postgres-store.ts';
import type { Db, Tx } from '../../src/db/core/schema.ts';
import type { Store } from '../../src/db/core/store.ts';
import { createDeliveryStore } from '../../src/services/delivery-store/create-delivery-store.ts';
import { insertDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { insertWebhook, listAllWebhooks, updateWebhook } from '../../src/db/webhooks/webhooks.ts';
import { lockWorkspace } from '../../src/db/workspaces/workspaces.ts';
import { StorageUnavailable } from '../../src/domain/faults/storage-unavailable.ts';
import { createTestDatabase } from '../../src/testing/test-database.ts';
import {
  after,
  apiKeyRow,
  deliveryRow,
  eventRow,
  ids,
  newUser,
  newWorkspace,
  NOW,
  webhookRow,
} from './storage.ts';

let url: string;
let store: Store;
/** Stands in for another process. */
let other: Store;
const commits: number[] = [];
beforeAll(async () => {
  const database = await createTestDatabase(inject('postgresUrl'));
  url = database.url;
  store = openPostgres(url, { connections: 4, onCommit: (units) => commits.push(units) });
  other = openPostgres(database.url, { connections: 4 });
  await migrate(store, new Date(NOW));
  return async () => {
    await Promise.all([store.close(), other.close()]);
    await database.drop();
  };
});

const transactionOf = async (tx: Tx) =>
  (await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)).rows[0]?.id ?? '';
const add = async (tx: Tx, workspaceId: string, values: Parameters<typeof eventRow>[1] = {}) => {
  await lockWorkspace(tx, workspaceId);
  const row = eventRow(workspaceId, values);
  await insertEvent(tx, row);
  return row.id;
};
const stored = async (db: Db, workspaceId: string) =>
  (await listEventsAfter(db, { workspaceId, seq: 0 }, 1_000)).map(({ id }) => id);

describe('units that add to a workspace', () => {
  it('share a transaction with those of the same moment, of any workspace, and a statement', async () => {
    const workspaces = [await newWorkspace(store), await newWorkspace(store)];
    commits.length = 0;
    const transactions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const workspaceId = workspaces[index % 2] ?? '';
        return store.write(
          async (tx) => {
            await add(tx, workspaceId);
            return transactionOf(tx);
          },
          { addsTo: workspaceId },
        );
      }),
    );
    expect([new Set(transactions).size, commits]).toEqual([1, [20]]);
    for (const id of workspaces) expect(await stored(other.read, id)).toHaveLength(10);
  });

  it('end after the commit: another process sees what they have written', async () => {
    const workspaceId = await newWorkspace(store);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const id = await store.write((tx) => add(tx, workspaceId), { addsTo: workspaceId });
        expect(await stored(other.read, workspaceId)).toContain(id);
      }),
    );
  });

  it('fail alone, whatever they had written, and whoever shared their transaction', async () => {
    const workspaceId = await newWorkspace(store);
    const refusal = new Error('no');
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        store.write(
          async (tx) => {
            const id = await add(tx, workspaceId);
            if (index % 4 === 1) throw refusal;
            return id;
          },
          { addsTo: workspaceId },
        ),
      ),
    );
    const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual([
      refusal,
      refusal,
      refusal,
    ]);
    expect([kept.length, (await stored(store.read, workspaceId)).toSorted()]).toEqual([9, kept.toSorted()]);
  });

  it('whose statement the database refuses take none of the others with them', async () => {
    const workspaceId = await newWorkspace(store);
    const [bad, good] = await Promise.allSettled([
      // PostgreSQL refuses a zero byte in a text.
      store.write((tx) => add(tx, workspaceId, { type: '\0' }), { addsTo: workspaceId }),
      store.write((tx) => add(tx, workspaceId), { addsTo: workspaceId }),
    ]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
    expect(await stored(store.read, workspaceId)).toHaveLength(1);
  });

  it('that fail before they have written anything are left out, and nothing runs again', async () => {
    const workspaceId = await newWorkspace(store);
    let runs = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        store.write(
          async (tx) => {
            runs += 1;
            if (index === 3) {
              await readMeta(tx, 'x');
              throw new Error('no');
            }
            return add(tx, workspaceId);
          },
          { addsTo: workspaceId },
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(runs).toBe(6);
  });

  it('of one workspace wait for its group without a connection; those of others go on', async () => {
    const [busy, free] = [await newWorkspace(store), await newWorkspace(store)];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: signal } = Promise.withResolvers<void>();
    const slow = store.write(
      async (tx) => {
        await add(tx, busy);
        signal();
        await released;
      },
      { addsTo: busy },
    );
    await begun;
    // More units than there are connections.
    const waiting = Array.from({ length: 12 }, () => store.write((tx) => add(tx, busy), { addsTo: busy }));
    await Promise.all(Array.from({ length: 3 }, () => store.write((tx) => add(tx, free), { addsTo: free })));
    await Promise.all([store.write((tx) => writeMeta(tx, 'beside', 'a')), readMeta(store.read, 'x')]);
    expect([await stored(store.read, busy), (await stored(store.read, free)).length]).toEqual([[], 3]);
    release();
    await Promise.all([slow, ...waiting]);
    expect(await stored(store.read, busy)).toHaveLength(13);
  });

  it('of crossing workspaces, in two processes, never deadlock', async () => {
    const workspaces: string[] = [];
    for (let index = 0; index < 6; index += 1) workspaces.push(await newWorkspace(store));
    const publish = async (through: Store, order: readonly string[]) => {
      for (let round = 0; round < 15; round += 1)
        await Promise.all(order.map((id) => through.write((tx) => add(tx, id), { addsTo: id })));
    };
    await Promise.all([publish(store, workspaces), publish(other, workspaces.toReversed())]);
    for (const id of workspaces) expect(await stored(store.read, id)).toHaveLength(30);
  });

  it('of two processes keep the order: a reader that follows it misses nothing', async () => {
    const workspaceId = await newWorkspace(store);
    let writing = true;
    const write = async (through: Store) => {
      for (let round = 0; round < 12; round += 1)
        await Promise.all(
          Array.from({ length: 5 }, () =>
            through.write((tx) => add(tx, workspaceId), { addsTo: workspaceId }),
          ),
        );
    };
    const written = Promise.all([write(store), write(other)]).finally(() => (writing = false));
    const followed: string[] = [];
    let seq = 0;
    for (let last = false; ; last = !writing) {
      const found = await listEventsAfter(store.read, { workspaceId, seq }, 100);
      followed.push(...found.map((row) => row.id));
      seq = found.at(-1)?.seq ?? seq;
      if (last && found.length === 0) break;
    }
    await written;
    expect(followed.toSorted()).toEqual((await stored(other.read, workspaceId)).toSorted());
    expect([new Set(followed).size, await lastEventSeq(store.read, workspaceId)]).toEqual([120, seq]);
  });

  it('may lock no other workspace: that would be out of order', async () => {
    const [own, foreign] = [await newWorkspace(store), await newWorkspace(store)];
    const unit = store.write((tx) => lockWorkspace(tx, foreign), { addsTo: own });
    await expect(unit).rejects.toThrow(/takes no further locks, and this one locks ws_/);
  });

  it('cannot go on after their end, nor read outside of themselves', async () => {
    const workspaceId = await newWorkspace(store);
    let leaked: Tx | undefined;
    await store.write(async (tx) => void (leaked = tx), { addsTo: workspaceId });
    await expect(writeMeta(leaked as Tx, 'late', 'a')).rejects.toThrow(/outside the unit/);
    const unit = store.write(() => readMeta(store.read, 'x'), { addsTo: workspaceId });
    await expect(unit).rejects.toThrow(/Store.read inside a unit/);
  });

  it('whose connection is cut are refused together, and the next ones have another', async () => {
    const workspaceId = await newWorkspace(store);
    const { promise: cut, resolve: signalCut } = Promise.withResolvers<void>();
    const { promise: begun, resolve: signalPid } = Promise.withResolvers<number>();
    const write = (index: number) =>
      store.write(
        async (tx) => {
          await add(tx, workspaceId);
          if (index > 0) return;
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
          signalPid(rows[0]?.pid ?? 0);
          await cut;
          await add(tx, workspaceId);
        },
        { addsTo: workspaceId },
      );
    const units = [0, 1, 2].map(write);
    const ended = Promise.allSettled(units);
    await sql`select pg_terminate_backend(${await begun}, 5000)`.execute(other.read);
    signalCut();
    for (const result of await ended)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    await write(1);
    expect(await stored(store.read, workspaceId)).toHaveLength(1);
  });

  it('of which one awaits something else are given up, and no longer hold up others', async () => {
    const impatient = openPostgres(url, { connections: 2, groupMs: 200 });
    onTestFinished(() => impatient.close());
    const workspaceId = await newWorkspace(store);
    const stuck = impatient.write(
      async (tx) => {
        await add(tx, workspaceId);
        await new Promise(() => {});
      },
      { addsTo: workspaceId },
    );
    await expect(stuck).rejects.toThrow(/awaited something other/);
    await impatient.write((tx) => add(tx, workspaceId), { addsTo: workspaceId });
    expect(await stored(store.read, workspaceId)).toHaveLength(1);
  });

  it('may take long, as long as they make queries', async () => {
    const impatient = openPostgres(url, { connections: 2, groupMs: 500 });
    onTestFinished(() => impatient.close());
    const workspaceId = await newWorkspace(store);
    const long = async (tx: Tx) => {
      for (const since = performance.now(); performance.now() - since < 1_500;)
        await sql`select pg_sleep(0.01)`.execute(tx);
      await add(tx, workspaceId);
    };
    await impatient.write(long, { addsTo: workspaceId });
    expect(await stored(store.read, workspaceId)).toHaveLength(1);
  });

  it('are refused when nobody knows whether they are committed, and do not run again', async () => {
    const workspaceId = await newWorkspace(store);
    let runs = 0;
    const { query } = pg.Client.prototype;
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => sent.mockRestore());
    function loseCommit(this: pg.Client, ...values: unknown[]): unknown {
      const [{ text }] = values as [{ text?: string }];
      // The response to the commit is lost with the connection.
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      if (text === 'commit') stream.destroy();
      return Reflect.apply(query, this, values);
    }
    sent.mockImplementation(loseCommit);
    const units = [0, 1, 2].map(() =>
      store.write(
        (tx) => {
          runs += 1;
          return add(tx, workspaceId);
        },
        { addsTo: workspaceId },
      ),
    );
    for (const result of await Promise.allSettled(units))
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    expect(runs).toBe(3);
  });

  it('that swallow the failure of a statement are not committed', async () => {
    const workspaceId = await newWorkspace(store);
    const unit = store.write(
      async (tx) => {
        await add(tx, workspaceId);
        await sql`select 1 / 0`.execute(tx).catch(() => undefined);
      },
      { addsTo: workspaceId },
    );
    await expect(unit).rejects.toThrow();
    expect(await stored(store.read, workspaceId)).toEqual([]);
  });
});

describe('a change by one process', () => {
  it('is seen by the next unit that adds to the workspace in another, whatever that has cached', async () => {
    const workspaceId = await newWorkspace(store);
    const row = { ...webhookRow(workspaceId), description: 'before' };
    await store.write((tx) => insertWebhook(tx, row));
    const seen = (through: Store) =>
      through.write(
        async (tx) => (await listAllWebhooks(tx, workspaceId)).map(({ description }) => description),
        { addsTo: workspaceId },
      );
    for (const description of ['a', 'b', 'c', 'd', 'e']) {
      expect(await seen(other)).not.toContain(description);
      await store.write((tx) => updateWebhook(tx, row, { description }));
      expect(await seen(other)).toEqual([description]);
    }
  });

  it('is seen by every request that begins a second later in another, at the latest', async () => {
    const workspaceId = await newWorkspace(store);
    const key = apiKeyRow(await newUser(store), workspaceId);
    await store.write((tx) => insertApiKey(tx, key));
    const revokedAt = async () => (await findApiKeyByHash(other.read, key.hash))?.revoked_at;
    for (let round = 0; round < 3; round += 1) {
      const revoked = round % 2 === 0 ? after(round) : null;
      await revokedAt();
      await store.write((tx) => updateApiKey(tx, key, { revoked_at: revoked }));
      const since = performance.now();
      for (;;) {
        const began = performance.now() - since;
        if ((await revokedAt()) === revoked) break;
        expect(began).toBeLessThan(1_000);
      }
    }
  });

  it('is seen at once by the process itself', async () => {
    const key = apiKeyRow(await newUser(store), await newWorkspace(store));
    await store.write((tx) => insertApiKey(tx, key));
    for (const revoked_at of [after(1), null, after(2)]) {
      expect((await findApiKeyByHash(store.read, key.hash))?.id).toBe(key.id);
      await store.write((tx) => updateApiKey(tx, key, { revoked_at }));
      expect((await findApiKeyByHash(store.read, key.hash))?.revoked_at).toBe(revoked_at);
    }
  });

  it('is read once: until the next change, the rows are the same objects', async () => {
    const key = apiKeyRow(await newUser(store), await newWorkspace(store));
    await store.write((tx) => insertApiKey(tx, key));
    const first = await findApiKeyByHash(store.read, key.hash);
    expect(await findApiKeyByHash(store.read, key.hash)).toBe(first);
  });
});

describe('the statements of a batch', () => {
  /** Counts the statements that are sent while `unit` runs. */
  async function statementsOf(unit: () => Promise<unknown>): Promise<number> {
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => sent.mockRestore());
    sent.mockClear();
    await unit();
    return sent.mock.calls.length;
  }
  const port = () =>
    createDeliveryStore({ store, clock: () => new Date(NOW) } as Parameters<typeof createDeliveryStore>[0]);

  /** Webhooks with three due deliveries each. */
  async function queues(count: number): Promise<string[]> {
    const workspaceId = await newWorkspace(store);
    const webhooks = Array.from({ length: count }, () => webhookRow(workspaceId));
    await store.write(async (tx) => {
      for (const webhook of webhooks) await insertWebhook(tx, webhook);
      const rows = webhooks.flatMap(({ id: webhookId }) => {
        const initial = deliveryRow({ workspaceId, webhookId });
        const retried = { status: 'retrying', attempt_count: 1 } as const;
        return [
          initial,
          deliveryRow({ workspaceId, webhookId }),
          { ...initial, ...retried, id: ids('delivery') },
        ];
      });
      await insertDeliveries(tx, rows);
    });
    return webhooks.map(({ id }) => id);
  }

  it('are as many for a claim of thirty webhooks as for one', async () => {
    const claim = async (webhooks: readonly string[]) => {
      let claimed = 0;
      const statements = await statementsOf(async () => {
        const limits = { initial: 9, retry: 9 };
        for (const { deliveries } of await port().claim(
          'me',
          webhooks.map((webhookId) => ({ webhookId, limits })),
        ))
          claimed += deliveries.length;
      });
      expect(claimed).toBe(3 * webhooks.length);
      return statements;
    };
    expect(await claim(await queues(30))).toBe(await claim(await queues(1)));
  });

  it('are as many for thirty events as for one', async () => {
    const workspaceId = await newWorkspace(store);
    const publish = (count: number) =>
      statementsOf(() =>
        Promise.all(
          Array.from({ length: count }, () =>
            store.write((tx) => add(tx, workspaceId), { addsTo: workspaceId }),
          ),
        ),
      );
    await publish(1);
    expect(await publish(30)).toBe(await publish(1));
  });
});

describe('units that lock a workspace which another unit has locked', () => {
  it('wait without a connection: others read and write', async () => {
    const [busy, free] = [await newWorkspace(store), await newWorkspace(store)];
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLock } = Promise.withResolvers<void>();
    const holder = other.write(async (tx) => {
      await lockWorkspace(tx, busy);
      hasLock();
      await end;
    });
    await locked;
    const waiting = Array.from({ length: 12 }, () => store.write((tx) => lockWorkspace(tx, busy)));
    await store.write((tx) => lockWorkspace(tx, free));
    await store.write((tx) => add(tx, free), { addsTo: free });
    expect(await stored(store.read, free)).toHaveLength(1);
    letGo();
    await holder;
    await Promise.all(waiting);
  });

  it('and those that add to it have it in the order in which they came', async () => {
    const two = openPostgres(url, { connections: 2 });
    onTestFinished(() => two.close());
    const workspaceId = await newWorkspace(two);
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLock } = Promise.withResolvers<void>();
    const first = two.write(async (tx) => {
      const id = await add(tx, workspaceId);
      hasLock();
      await end;
      return id;
    });
    await locked;
    /** Begins a unit that locks the workspace, and comes back when it waits. */
    const lockLater = async () => {
      const { promise: refused, resolve: signal } = Promise.withResolvers<void>();
      const unit = two.write((tx) => add(tx, workspaceId).finally(signal));
      await refused;
      // Needs the connection that the unit gives back.
      await readMeta(two.read, 'x');
      return { unit };
    };
    const { unit: second } = await lockLater();
    const adds = two.write((tx) => add(tx, workspaceId), { addsTo: workspaceId });
    const { unit: last } = await lockLater();
    letGo();
    const order = await Promise.all([first, second, adds, last]);
    expect(await stored(two.read, workspaceId)).toEqual(order);
  });

  it('and those that add to it take turns', async () => {
    const workspaceId = await newWorkspace(store);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? store.write((tx) => add(tx, workspaceId), { addsTo: workspaceId })
          : store.write((tx) => add(tx, workspaceId)),
      ),
    );
    expect(await stored(store.read, workspaceId)).toHaveLength(20);
  });
});
