import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  findEventByDedupeKey,
  insertEvent,
  lastEventSeq,
  seqOfEvent,
} from '../../../src/db/events/events.ts';
import { listEventsAfter } from '../../../src/db/events/list-events.ts';
import { insertApiKey, touchApiKeys } from '../../../src/db/identity/api-keys.ts';
import { findIdempotent, insertIdempotent } from '../../../src/db/idempotency.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { lockWorkspace } from '../../../src/db/workspaces/workspaces.ts';
import {
  after,
  apiKeyRow,
  eventRow,
  ids,
  newUser,
  newWorkspace,
  NOW,
  openMigrated,
  type TestStorage,
} from '../storage.ts';

const TWINS = 12;

export function testRaces(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });

  it('for one dedupe key have one winner, whose id the others find', async () => {
    const workspaceId = await newWorkspace(store);
    const integrationId = ids('integration');
    const twins = Array.from({ length: TWINS }, () =>
      eventRow(workspaceId, { integration_id: integrationId, dedupe_key: 'delivery 1' }),
    );
    const inserted = await Promise.all(
      twins.map((row) =>
        store.write(async (tx) => [
          await insertEvent(tx, row),
          await findEventByDedupeKey(tx, { id: integrationId }, 'delivery 1'),
        ]),
      ),
    );
    const winners = twins.filter((_, index) => inserted[index]?.[0] === true);
    expect(winners).toHaveLength(1);
    expect(new Set(inserted.map(([, id]) => id))).toEqual(new Set([winners[0]?.id]));
  });

  it('for the last use of a key are won by the latest, but not by one from a clock that was ahead', async () => {
    const key = apiKeyRow(await newUser(store), null);
    await store.write((tx) => insertApiKey(tx, key));
    const at = (second: number) => new Date(Date.parse(NOW) + second * 1_000);
    const used = async (second: number, now: number) => {
      await store.write((tx) => touchApiKeys(tx, new Map([[key.id, at(second)]]), at(now)));
      const { last_used_at } = await store.read
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow();
      return last_used_at;
    };
    expect(await used(10, 10)).toBe(at(10).toISOString());
    expect(await used(5, 20)).toBe(at(10).toISOString());
    expect(await used(900, 900)).toBe(at(900).toISOString());
    expect(await used(30, 30)).toBe(at(30).toISOString());
  });

  it('for a dedupe key are lost only within an integration, and never without a key', async () => {
    const workspaceId = await newWorkspace(store);
    const rows = [
      eventRow(workspaceId, { integration_id: ids('integration'), dedupe_key: 'same' }),
      eventRow(workspaceId, { integration_id: ids('integration'), dedupe_key: 'same' }),
      eventRow(workspaceId, { integration_id: null, dedupe_key: null }),
      eventRow(workspaceId, { integration_id: null, dedupe_key: null }),
    ];
    for (const row of rows) expect(await store.write((tx) => insertEvent(tx, row))).toBe(true);
  });

  it('for a place in the order end in the order of the commits: a reader that follows it misses nothing', async () => {
    const workspaceId = await newWorkspace(store);
    const rows = Array.from({ length: 120 }, () => eventRow(workspaceId));
    let writing = true;
    const written = Promise.all(
      rows.map((row) =>
        store.write(async (tx) => {
          await lockWorkspace(tx, workspaceId);
          await insertEvent(tx, row);
        }),
      ),
    ).finally(() => (writing = false));

    const followed: string[] = [];
    let seq = 0;
    for (let last = false; ; last = !writing) {
      const found = await listEventsAfter(store.read, { workspaceId, seq }, 100);
      followed.push(...found.map((row) => row.id));
      seq = found.at(-1)?.seq ?? seq;
      if (last && found.length === 0) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await written;
    expect(followed.toSorted()).toEqual(rows.map((row) => row.id).toSorted());
    expect(await lastEventSeq(store.read, workspaceId)).toBe(seq);
    expect(await seqOfEvent(store.read, workspaceId, followed.at(-1) ?? '')).toBe(seq);
  });

  it('for an idempotency key have one winner', async () => {
    const id = randomBytes(16);
    const outcomes = await Promise.all(
      Array.from({ length: TWINS }, (_, index) =>
        store.write((tx) =>
          insertIdempotent(tx, outcome(id, String(index)), { now: NOW, oldest: after(-1_000) }),
        ),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const stored = await findIdempotent(store.read, id, after(-1_000));
    expect(stored).toEqual(outcome(id, String(outcomes.indexOf(true))));
  });

  it('for an idempotency key begin again once it has expired, to the millisecond', async () => {
    const id = randomBytes(16);
    await store.write((tx) =>
      insertIdempotent(tx, outcome(id, 'first'), { now: NOW, oldest: after(-1_000) }),
    );
    const find = (oldest: string) => findIdempotent(store.read, id, oldest);
    expect(await find(after(-1))).toMatchObject({ body: 'first' });
    expect(await find(NOW)).toBeUndefined();
    const second = outcome(id, 'second');
    const insert = (oldest: string) =>
      store.write((tx) => insertIdempotent(tx, second, { now: after(5), oldest }));
    expect(await insert(after(-1))).toBe(false);
    expect(await insert(NOW)).toBe(true);
    expect(await find(NOW)).toEqual(second);
  });
}

const outcome = (id: Buffer, body: string) => ({
  id,
  fingerprint: Buffer.alloc(16, 1),
  status: 201,
  event_id: null,
  body,
});
