import { beforeAll, describe, expect, it } from 'vitest';
import { createIds } from '../../../src/ids.ts';
import {
  insertApiKey,
  listPersonalApiKeys,
  listWorkspaceApiKeys,
} from '../../../src/db/identity/api-keys.ts';
import { insertAudit, listAudit } from '../../../src/db/audit-log.ts';
import { insertDeliveries, listDeliveries } from '../../../src/db/webhooks/deliveries.ts';
import { insertEvent } from '../../../src/db/events/events.ts';
import { listEvents, listEventsAfter } from '../../../src/db/events/list-events.ts';
import { insertIntegration, listIntegrations } from '../../../src/db/integrations/integrations.ts';
import { insertMember, listMembers } from '../../../src/db/identity/members.ts';
import type { PageRequest } from '../../../src/db/core/queries/paging.ts';
import { LOOKED_AT_MAX } from '../../../src/db/core/queries/seq-range.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { insertWebhook, listWebhooks } from '../../../src/db/webhooks/webhooks.ts';
import { listWorkspaces } from '../../../src/db/workspaces/workspaces.ts';
import {
  after,
  apiKeyRow,
  auditRow,
  deliveryRow,
  eventRow,
  ids,
  integrationRow,
  newUser,
  newWorkspace,
  NOW,
  openMigrated,
  type TestStorage,
  webhookRow,
} from '../storage.ts';

/** A list, its rows and its reader. */
interface List {
  newestFirst: boolean;
  /** Inserts a row; returns its ID. */
  add(store: Store, workspaceId: string, userId: string): Promise<string>;
  read(
    store: Store,
    owner: { workspaceId: string; userId: string },
    page: PageRequest,
  ): Promise<{ id: string; position: string | number }[]>;
}

const bySeq = <Row extends { id: string; seq: number }>(rows: Row[]) =>
  rows.map(({ id, seq }) => ({ id, position: seq }));
const byId = <Row extends { id: string }>(rows: Row[]) => rows.map(({ id }) => ({ id, position: id }));

const LISTS: Record<string, List> = {
  events: {
    newestFirst: true,
    add: (store, workspaceId) => insertOne(store, eventRow(workspaceId), insertEvent),
    read: async (store, { workspaceId }, page) =>
      bySeq((await listEvents(store.read, { workspaceIds: [workspaceId] }, page)).rows),
  },
  deliveries: {
    newestFirst: true,
    add: (store, workspaceId) =>
      insertOne(store, deliveryRow({ workspaceId, webhookId: ids('webhook') }), (tx, row) =>
        insertDeliveries(tx, [row]),
      ),
    read: async (store, { workspaceId }, page) =>
      bySeq((await listDeliveries(store.read, { workspaceId }, page)).rows),
  },
  'the audit log': {
    newestFirst: true,
    add: (store, workspaceId) => insertOne(store, auditRow(workspaceId), insertAudit),
    read: async (store, { workspaceId }, page) =>
      bySeq((await listAudit(store.read, { workspaceId }, page)).rows),
  },
  webhooks: {
    newestFirst: false,
    add: (store, workspaceId) => insertOne(store, webhookRow(workspaceId), insertWebhook),
    read: async (store, { workspaceId }, page) => byId(await listWebhooks(store.read, workspaceId, page)),
  },
  integrations: {
    newestFirst: false,
    add: (store, workspaceId) => insertOne(store, integrationRow(workspaceId), insertIntegration),
    read: async (store, { workspaceId }, page) => byId(await listIntegrations(store.read, workspaceId, page)),
  },
  'keys of a workspace': {
    newestFirst: false,
    add: (store, workspaceId, userId) => insertOne(store, apiKeyRow(userId, workspaceId), insertApiKey),
    read: async (store, { workspaceId }, page) =>
      byId(await listWorkspaceApiKeys(store.read, workspaceId, page)),
  },
  'personal keys': {
    newestFirst: false,
    add: (store, _workspaceId, userId) => insertOne(store, apiKeyRow(userId, null), insertApiKey),
    read: async (store, { userId }, page) => byId(await listPersonalApiKeys(store.read, userId, page)),
  },
  members: {
    newestFirst: false,
    async add(store, workspaceId) {
      const id = await newUser(store);
      const member = { workspace_id: workspaceId, user_id: id, role: 'viewer', status: 'active' } as const;
      await store.write((tx) =>
        insertMember(tx, { ...member, invited_at: null, joined_at: NOW, updated_at: NOW }),
      );
      return id;
    },
    read: async (store, { workspaceId }, page) =>
      (await listMembers(store.read, workspaceId, page)).map(({ user_id: id }) => ({ id, position: id })),
  },
};

export function testPages(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });

  describe.each(Object.entries(LISTS))('of %s', (_name, { newestFirst, add, read }) => {
    it('show every row once, in order, and nothing of others', async () => {
      const owner = { workspaceId: await newWorkspace(store), userId: await newUser(store) };
      const other = { workspaceId: await newWorkspace(store), userId: await newUser(store) };
      const added: string[] = [];
      for (let index = 0; index < 8; index += 1) {
        added.push(await add(store, owner.workspaceId, owner.userId));
        await add(store, other.workspaceId, other.userId);
      }
      const pages: string[][] = [];
      for (let from: string | null = null; ;) {
        const rows = await read(store, owner, { after: from, limit: 3 });
        if (rows.length === 0) break;
        pages.push(rows.map((row) => row.id));
        from = String(rows.at(-1)?.position);
        // A row that is inserted between two pages moves nothing.
        if (newestFirst) await add(store, owner.workspaceId, owner.userId);
      }
      expect(pages.map((page) => page.length)).toEqual([3, 3, 2]);
      expect(pages.flat()).toEqual(newestFirst ? added.toReversed() : added);
    });
  });

  it('of events in several workspaces show every one once, newest first', async () => {
    const workspaceIds = [await newWorkspace(store), await newWorkspace(store), await newWorkspace(store)];
    const added: string[] = [];
    // Interleaved: the oldest are in the first workspace, the newest in the last.
    for (const index of [0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 2])
      added.push(await insertOne(store, eventRow(workspaceIds[index] ?? ''), insertEvent));
    const pages: string[][] = [];
    for (let from: string | null = null; ;) {
      const { rows, resume } = await listEvents(store.read, { workspaceIds }, { after: from, limit: 4 });
      expect(resume).toBeNull();
      if (rows.length === 0) break;
      pages.push(rows.map((row) => row.id));
      from = String(rows.at(-1)?.seq);
    }
    expect(pages.map((page) => page.length)).toEqual([4, 4, 3]);
    expect(pages.flat()).toEqual(added.toReversed());
  });

  // The numbers of events in each workspace, all older than those of the next one.
  it.each([[[LOOKED_AT_MAX]], [[LOOKED_AT_MAX, 0, 1]], [[LOOKED_AT_MAX / 2, LOOKED_AT_MAX / 2]]])(
    'of a search look at no more events than in one workspace, however they are distributed: %j',
    async (counts) => {
      const workspaceIds: string[] = [];
      const old: string[] = [];
      for (const count of counts) {
        const workspaceId = await newWorkspace(store);
        workspaceIds.push(workspaceId);
        const rows = Array.from({ length: count + 1 }, (_, index) => ({
          ...eventRow(workspaceId),
          type: index === 0 ? 'old' : 'noise',
        }));
        old.unshift(rows[0]?.id ?? '');
        await store.write(async (tx) => {
          for (const row of rows) await insertEvent(tx, row);
        });
      }
      const filter = { workspaceIds, search: [{ kind: 'text', text: 'old' }] } as const;
      const pages: string[][] = [];
      for (let from: number | null | undefined; from !== null;) {
        const page = await listEvents(store.read, filter, { after: from?.toString() ?? null, limit: 10 });
        pages.push(page.rows.map(({ id }) => id));
        from = page.resume;
      }
      expect(pages.flat()).toEqual(old);
      // It goes on at the last event that it looked at, and looks at no less than half of the maximum.
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.length).toBeLessThanOrEqual(3);
    },
  );

  it('of a search leave the event loop its turns', async () => {
    const workspaceId = await newWorkspace(store);
    await store.write(async (tx) => {
      for (let index = 0; index < 1_000; index += 1) await insertEvent(tx, eventRow(workspaceId));
    });
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const filter = { workspaceIds: [workspaceId], search: [{ kind: 'text', text: 'nothing' }] } as const;
    const { rows } = await listEvents(store.read, filter, { after: null, limit: 10 });
    isOver = true;
    expect(rows).toEqual([]);
    // At least one after each part but the last: 16 events, 64, 256, and the rest.
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('of the audit log show every entry once that meets all filters', async () => {
    const workspaceId = await newWorkspace(store);
    const values = {
      action: ['made', 'gone'],
      actor_id: ['one', 'two', null],
      target_id: ['it', 'other', null],
    };
    const rows = values.action.flatMap((action) =>
      values.actor_id.flatMap((actor_id) =>
        values.target_id.map((target_id) => ({ ...auditRow(workspaceId), action, actor_id, target_id })),
      ),
    );
    for (const row of [...rows, ...rows.map((each) => ({ ...each, id: ids('audit') }))])
      await store.write((tx) => insertAudit(tx, row));
    for (const action of [undefined, 'made'])
      for (const actor of [undefined, 'one', 'nobody'])
        for (const target of [undefined, 'it']) {
          const found: string[] = [];
          for (let from: string | null = null; ;) {
            const filter = { workspaceId, action, actor, target };
            const page = await listAudit(store.read, filter, { after: from, limit: 4 });
            found.push(...page.rows.map((row) => `${row.action} ${row.actor_id} ${row.target_id}`));
            expect(page.resume).toBeNull();
            if (page.rows.length < 4) break;
            from = String(page.rows.at(-1)?.seq);
          }
          const expected = rows
            .filter((row) => action === undefined || row.action === action)
            .filter((row) => actor === undefined || row.actor_id === actor)
            .filter((row) => target === undefined || row.target_id === target)
            .map((row) => `${row.action} ${row.actor_id} ${row.target_id}`);
          expect(found.toSorted()).toEqual([...expected, ...expected].toSorted());
        }
  });

  it('of the audit log end after a number of entries, with two filters, and continue there', async () => {
    const workspaceId = await newWorkspace(store);
    const row = { ...auditRow(workspaceId), actor_id: 'one', target_id: 'it' };
    await store.write(async (tx) => {
      await insertAudit(tx, { ...row, action: 'rare' });
      for (let index = 0; index < LOOKED_AT_MAX; index += 1)
        await insertAudit(tx, { ...row, id: ids('audit'), action: 'usual' });
    });
    const both = { workspaceId, actor: 'one', action: 'rare' };
    const first = await listAudit(store.read, both, { after: null, limit: 10 });
    expect(first.rows).toEqual([]);
    const second = await listAudit(store.read, both, { after: String(first.resume), limit: 10 });
    expect([second.rows.map(({ id }) => id), second.resume]).toEqual([[row.id], null]);
    // One filter alone has an index.
    const alone = await listAudit(store.read, { workspaceId, action: 'rare' }, { after: null, limit: 10 });
    expect([alone.rows.map(({ id }) => id), alone.resume]).toEqual([[row.id], null]);
  });

  it('until now have everything, although the clock was ahead when the first row was stored', async () => {
    const workspaceId = await newWorkspace(store);
    const ahead = createIds(() => new Date(after(48 * 60 * 60_000)));
    const event = { ...eventRow(workspaceId), id: ahead('event') };
    const entry = { ...auditRow(workspaceId), id: ahead('audit') };
    await store.write(async (tx) => {
      await insertEvent(tx, event);
      await insertEvent(tx, eventRow(workspaceId));
      await insertAudit(tx, entry);
      await insertAudit(tx, auditRow(workspaceId));
    });
    const page = { after: null, limit: 10 };
    const until = after(60_000);
    const events = await listEvents(store.read, { workspaceIds: [workspaceId], until }, page);
    expect(events.rows).toHaveLength(2);
    expect((await listAudit(store.read, { workspaceId, until }, page)).rows).toHaveLength(2);
  });

  it('of workspaces show those of the caller, by ID', async () => {
    const mine = [await newWorkspace(store), await newWorkspace(store), await newWorkspace(store)];
    await newWorkspace(store);
    const page = (from: string | null) => listWorkspaces(store.read, mine, { after: from, limit: 2 });
    expect((await page(null)).map((row) => row.id)).toEqual(mine.slice(0, 2));
    expect((await page(mine[1] ?? '')).map((row) => row.id)).toEqual(mine.slice(2));
    expect(await listWorkspaces(store.read, [], { after: null, limit: 2 })).toEqual([]);
  });

  it('of events narrow by type, source and time, all at once, bounds excluded', async () => {
    const workspaceId = await newWorkspace(store);
    const rows = ['push', 'release'].flatMap((type) =>
      ['github', 'custom'].flatMap((source) =>
        [0, 1_000, 2_000].map((ms) => eventRow(workspaceId, { type, source, created_at: after(ms) })),
      ),
    );
    for (const row of rows) await store.write((tx) => insertEvent(tx, row));
    const narrow = async (where: object) =>
      (await listEvents(store.read, { workspaceIds: [workspaceId], ...where }, { after: null, limit: 100 }))
        .rows;
    expect(await narrow({ type: 'push' })).toHaveLength(6);
    expect(await narrow({ type: 'push', source: 'custom' })).toHaveLength(3);
    const one = await narrow({ type: 'push', source: 'custom', since: after(0), until: after(2_000) });
    expect(one.map((row) => row.created_at)).toEqual([after(1_000)]);
    const streamed = await listEventsAfter(store.read, { workspaceId, seq: 0, type: 'release' }, 4);
    expect(streamed.map((row) => row.id)).toEqual(rows.slice(6, 10).map((row) => row.id));
  });

  it('of deliveries narrow by webhook, event, status, type and time', async () => {
    const workspaceId = await newWorkspace(store);
    const [webhookId, otherId, eventId] = [ids('webhook'), ids('webhook'), ids('event')];
    const wanted = deliveryRow(
      { workspaceId, webhookId },
      { event_id: eventId, status: 'failed', event_type: 'user.invited', created_at: after(1_000) },
    );
    const others = [
      deliveryRow(
        { workspaceId, webhookId: otherId },
        { ...wanted, id: ids('delivery'), webhook_id: otherId },
      ),
      deliveryRow({ workspaceId, webhookId }, { ...wanted, id: ids('delivery'), event_id: null }),
      deliveryRow({ workspaceId, webhookId }, { ...wanted, id: ids('delivery'), status: 'delivered' }),
      deliveryRow(
        { workspaceId, webhookId },
        { ...wanted, id: ids('delivery'), event_type: 'event.created' },
      ),
      deliveryRow({ workspaceId, webhookId }, { ...wanted, id: ids('delivery'), created_at: after(0) }),
      deliveryRow({ workspaceId, webhookId }, { ...wanted, id: ids('delivery'), created_at: after(2_000) }),
    ];
    await store.write((tx) => insertDeliveries(tx, [wanted, ...others]));
    const found = await listDeliveries(
      store.read,
      {
        workspaceId,
        webhookId,
        eventId,
        status: 'failed',
        eventType: 'user.invited',
        since: after(0),
        until: after(2_000),
      },
      { after: null, limit: 100 },
    );
    const { body: _body, ...head } = wanted;
    expect(found).toMatchObject({ rows: [{ ...head, seq: expect.any(Number) }], resume: null });
  });
}

async function insertOne<Row extends { id: string }>(
  store: Store,
  row: Row,
  insert: (tx: Parameters<typeof insertEvent>[0], row: Row) => unknown,
): Promise<string> {
  await store.write((tx) => insert(tx, row));
  return row.id;
}
