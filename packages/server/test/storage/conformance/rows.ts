import { LIMITS } from '@hubline/contract';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createVault } from '../../../src/secrets/vault.ts';
import { noteStart } from '../../../src/services/operations/note-start.ts';
import { insertApiKey } from '../../../src/db/identity/api-keys.ts';
import { insertAudit } from '../../../src/db/audit-log.ts';
import { listAttempts } from '../../../src/db/webhooks/attempts.ts';
import { idBytes } from '../../../src/db/core/columns/columns.ts';
import { insertDeliveries } from '../../../src/db/webhooks/deliveries.ts';
import { findDeliveryBody, readDeliveryBody } from '../../../src/db/webhooks/delivery-bodies.ts';
import { claimDeliveries, recordResults } from '../../../src/db/webhooks/queue/delivery-leases.ts';
import { findEvent, insertEvent } from '../../../src/db/events/events.ts';
import { findIntegrationById, insertIntegration } from '../../../src/db/integrations/integrations.ts';
import { replaceInvitation } from '../../../src/db/identity/invitations.ts';
import { findRole, insertMember, listMemberships } from '../../../src/db/identity/members.ts';
import {
  countUnread,
  lastNotificationSeq,
  listNotifications,
  markSomeRead,
} from '../../../src/db/notifications/inbox.ts';
import { listPrunable, prune } from '../../../src/db/prune.ts';
import { removeAged } from '../../../src/db/retention.ts';
import { dialectOf } from '../../../src/db/dialect-of.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { moveFailures } from '../../../src/db/webhooks/queue/schedule.ts';
import { findWebhookById, insertWebhook } from '../../../src/db/webhooks/webhooks.ts';
import { isLive } from '../../../src/db/workspaces/live-workspace.ts';
import { closeWorkspace, removeSome, removeWorkspace } from '../../../src/db/workspaces/remove-workspace.ts';
import {
  findWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type WorkspaceRow,
  workspaceSeq,
} from '../../../src/db/workspaces/workspaces.ts';
import {
  after,
  apiKeyRow,
  attemptRow,
  auditRow,
  deliveryOf,
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

// Everything that belongs to a workspace; attempts belong to it through their delivery.
const TABLES = ['members', 'invitations', 'api_keys', 'integrations', 'webhooks', 'audit_log'] as const;
const DENSE_TABLES = ['events', 'deliveries'] as const;

const LEASED = { lease_owner: 'me', lease_token: 1 } as const;

/** The state after this many attempts, the last of which succeeded. */
const attempted = (count: number) =>
  ({
    status: 'delivered',
    attempt_count: count,
    scheduled_count: count,
    next_attempt_at: null,
    manual: 0,
    due_at: null,
    interruptions: 0,
    completed_at: NOW,
  }) as const;

export function testRows(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });

  it('come back exactly as they went in: JSON and times are text, counts are numbers', async () => {
    const workspaceId = await newWorkspace(store);
    const text = '{ "b" :1.0, "a": [1e3, -0, "\\u0041\\ud83d\\ude00 é 😀"], "b": 2 }\n';
    const row = eventRow(workspaceId, { payload: text, summary: text, integration_id: ids('integration') });
    await store.write((tx) => insertEvent(tx, row));
    const { dedupe_key: _unread, ...shown } = row;
    const found = await findEvent(store.read, workspaceId, row.id);
    expect(found).toEqual({ ...shown, seq: expect.any(Number), payload_bytes: Buffer.byteLength(text) });

    const delivery = deliveryRow(
      { workspaceId, webhookId: ids('webhook') },
      { body: `${text}${'x'.repeat(2_000_000)}`, ...LEASED },
    );
    const attempt = attemptRow();
    await store.write(async (tx) => {
      const [seq = 0] = await insertDeliveries(tx, [delivery]);
      await recordResults(tx, [{ seq, lease_token: 1, ...attempted(1), attempt }]);
    });
    const { body, ...head } = delivery;
    const stored = await deliveryOf(store.read, delivery.id);
    expect(stored).toEqual({
      ...head,
      ...attempted(1),
      lease_owner: null,
      last_at: attempt.started_at,
      last_status: attempt.response_status,
      last_error_kind: null,
      last_duration_ms: attempt.duration_ms,
      seq: expect.any(Number),
      event_name: null,
      webhook_url: null,
    });
    expect(await findDeliveryBody(store.read, stored)).toEqual({
      text: null,
      bytes: Buffer.byteLength(body ?? ''),
    });
    expect((await readDeliveryBody(store.read, stored)).toString() === body).toBe(true);
    expect(await listAttempts(store.read, stored)).toEqual([{ ...attempt, attempt: 1 }]);
  });

  it('of the attempts of a delivery are the last ones, oldest first', async () => {
    const workspaceId = await newWorkspace(store);
    const at = { workspaceId, webhookId: ids('webhook') };
    const attempts = Array.from({ length: LIMITS.attemptsShown + 2 }, attemptRow);
    const seq = await store.write(async (tx) => {
      const [inserted = 0] = await insertDeliveries(tx, [deliveryRow(at)]);
      return inserted;
    });
    for (const [index, attempt] of attempts.entries()) {
      await store.write(async (tx) => {
        const [lease] = await claimDeliveries(tx, {
          ...at,
          part: index === 0 ? 'initial' : 'retry',
          owner: 'me',
          now: NOW,
          leaseUntil: after(60_000),
          limit: 1,
        });
        if (!lease) throw new Error('The delivery is not due.');
        const state = { ...attempted(index + 1), status: 'retrying', due_at: NOW, attempt } as const;
        const { seq: leased, lease_token } = lease;
        expect(await recordResults(tx, [{ seq: leased, lease_token, ...state }])).toEqual(new Set([leased]));
      });
    }
    const numbered = attempts.map((attempt, index) => ({ ...attempt, attempt: index + 1 }));
    expect(await listAttempts(store.read, { seq })).toEqual(numbered.slice(2));
  });

  it('hold the payload of an event once; a body is made with it, and stays when the event is removed', async () => {
    const workspaceId = await newWorkspace(store);
    const integration = { id: ids('integration') };
    const payload = '{ "😀" :1.0, "a": [1e3, -0, "\\u0041é"], "b": 2 }';
    const event = eventRow(workspaceId, {
      payload,
      summary: '{"text":"é"}',
      integration_id: integration.id,
      provider: 'custom',
      occurred_at: '2019-05-06T07:08:09.010Z',
      created_at: '2020-01-01T00:00:00.000Z',
    });
    const at = { workspaceId, webhookId: ids('webhook') };
    const rows = [null, null, '{}'].map((body) => deliveryRow(at, { event_id: event.id, body }));
    await store.write(async (tx) => {
      await insertEvent(tx, event);
      await insertDeliveries(tx, rows);
    });
    const bodies = () =>
      Promise.all(
        rows.map(async ({ id }) => {
          const delivery = await deliveryOf(store.read, id);
          const { text } = await findDeliveryBody(store.read, delivery);
          expect((await readDeliveryBody(store.read, delivery)).toString()).toBe(text);
          return text;
        }),
      );
    // The exact bytes: receivers have signatures of them, and people who debug have them in logs.
    const whole = (id: string) =>
      `{"id":"${id}","type":"event.created","created_at":"2019-05-06T07:08:09.010Z","workspace_id":"${workspaceId}",` +
      `"data":{"integration_id":"${integration.id}","integration_type":"custom","event_source":"github",` +
      `"event_id":"${event.id}","event_type":"push","summary":{"text":"é"},"payload":${payload}},` +
      `"event":{"id":"${event.id}","timestamp":"2019-05-06T07:08:09.010Z"}}`;
    const wanted = [whole(rows[0]?.id ?? ''), whole(rows[1]?.id ?? ''), '{}'];
    expect(await bodies()).toEqual(wanted);

    const { seq = 0 } = (await findEvent(store.read, workspaceId, event.id)) ?? {};
    await store.write((tx) => removeAged(tx, 'events', { seqs: [seq], oldest: NOW, limit: 100 }));
    expect(await findEvent(store.read, workspaceId, event.id)).toBeUndefined();
    expect(await bodies()).toEqual(wanted);
  });

  it('of events stay until the bodies of their deliveries are stored, a few in each step', async () => {
    const workspaceId = await newWorkspace(store);
    const event = eventRow(workspaceId, { created_at: '2020-01-01T00:00:00.000Z' });
    const at = { workspaceId, webhookId: ids('webhook') };
    const rows = Array.from({ length: 5 }, () => deliveryRow(at, { event_id: event.id, body: null }));
    await store.write(async (tx) => {
      await insertEvent(tx, event);
      await insertDeliveries(tx, rows);
    });
    const { seq = 0 } = (await findEvent(store.read, workspaceId, event.id)) ?? {};
    const steps: unknown[] = [];
    for (let isDone = false; !isDone;) {
      const aged = { seqs: [seq], oldest: NOW, limit: 2 };
      isDone = await store.write((tx) => removeAged(tx, 'events', aged));
      const stored = store.read.selectFrom('deliveries').select('seq').where('body', 'is not', null);
      const kept = await stored.where('event_id', '=', idBytes(event.id)).execute();
      steps.push([isDone, kept.length, (await findEvent(store.read, workspaceId, event.id)) !== undefined]);
    }
    expect(steps).toEqual([
      [false, 2, true],
      [false, 4, true],
      [true, 5, false],
    ]);
  });

  it('with a large body get their bodies stored one in each step', async () => {
    const workspaceId = await newWorkspace(store);
    const payload = JSON.stringify('x'.repeat(5 * 1024 * 1024));
    const event = eventRow(workspaceId, { created_at: '2020-01-01T00:00:00.000Z', payload });
    const at = { workspaceId, webhookId: ids('webhook') };
    const rows = Array.from({ length: 2 }, () => deliveryRow(at, { event_id: event.id, body: null }));
    await store.write(async (tx) => {
      await insertEvent(tx, event);
      await insertDeliveries(tx, rows);
    });
    const { seq = 0 } = (await findEvent(store.read, workspaceId, event.id)) ?? {};
    const step = () =>
      store.write((tx) => removeAged(tx, 'events', { seqs: [seq], oldest: NOW, limit: 100 }));
    expect([await step(), await step()]).toEqual([false, true]);
  });

  it('that have expired are looked at and removed a few in each step, in any order of their times', async () => {
    const userId = await newUser(store);
    const [old, young] = ['2020-01-01T00:00:00.000Z', '2090-01-01T00:00:00.000Z'];
    const sessions = [old, young, old, young, old].map((expires_at) => ({
      token_hash: ids('request'),
      user_id: userId,
      created_at: old,
      expires_at,
    }));
    await store.write((tx) => tx.insertInto('sessions').values(sessions).execute());
    const steps: number[] = [];
    let after: string | number | null = null;
    do {
      const { keys, next } = await listPrunable(store.read, 'sessions', { after, before: NOW, limit: 2 });
      if (keys.length > 0) await store.write((tx) => prune(tx, 'sessions', { keys, before: NOW }));
      steps.push(keys.length);
      after = next;
    } while (after !== null);
    expect(steps).toEqual([1, 1, 1]);
    const left = await store.read.selectFrom('sessions').select('expires_at').execute();
    expect(left.map((row) => row.expires_at)).toEqual([young, young]);
  });

  it.each(['jobs', 'recoveries', 'oauth_flows'] as const)(
    'of %s can be listed and removed in the same way',
    async (table) => {
      const page = { after: null, before: table === 'jobs' ? 0 : '2000', limit: 1 };
      expect(await listPrunable(store.read, table, page)).toEqual({ keys: [], next: null });
      await store.write((tx) =>
        prune(tx, table, { keys: table === 'jobs' ? [1] : ['x'], before: page.before }),
      );
    },
  );

  it('of notifications are marked as read in bounded steps, newest first, up to a position', async () => {
    const userId = await newUser(store);
    const workspaceId = await newWorkspace(store);
    const notification = () => ({
      id: ids('notification'),
      user_id: userId,
      workspace_id: workspaceId,
      rule_id: null,
      trigger: 'event.created' as const,
      event_id: null,
      resource_id: null,
      severity: 'none' as const,
      title: 'x',
      text: 'x',
      read_at: null,
      created_at: 1,
    });
    const insert = (count: number) =>
      store.write((tx) =>
        tx
          .insertInto('notifications')
          .values(Array.from({ length: count }, notification))
          .execute(),
      );
    await insert(700);
    const last = await lastNotificationSeq(store.read, userId, null);
    await insert(1);
    const reader = { userId, workspaceIds: [workspaceId] };
    const step = () => store.write((tx) => markSomeRead(tx, reader, { readAt: 5, last }));
    expect(await step()).toBe(false);
    expect(await countUnread(store.read, reader)).toBe(201);
    const page = { after: String(last + 1), limit: 1 };
    expect(await listNotifications(store.read, { reader, unread: false, page })).toMatchObject([
      { read_at: 5 },
    ]);
    expect(await step()).toBe(true);
    expect(await countUnread(store.read, reader)).toBe(1);
  });

  it('of one statement may be thousands', async () => {
    const workspaceId = await newWorkspace(store);
    const webhookId = ids('webhook');
    const rows = Array.from({ length: 4_000 }, () => deliveryRow({ workspaceId, webhookId }));
    await store.write((tx) => insertDeliveries(tx, rows));
    const { count } = await store.read
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('webhook_id', '=', idBytes(webhookId))
      .executeTakeFirstOrThrow();
    expect(count).toBe(4_000);
  });

  it('are ordered by their bytes, whatever the language of the database', async () => {
    const names = ['Z', 'a', '_', '~', 'B', 'é', 'z', '1', '-', 'ab', 'aB'];
    const found = names.map((name) => `order ${name}`);
    for (const id of found) await newWorkspace(store, { id });
    const listed = await listWorkspaces(store.read, found, { after: null, limit: 100 });
    const bytewise = found.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(listed.map((row) => row.id)).toEqual(bytewise);
    const second = await listWorkspaces(store.read, found, { after: bytewise[3] ?? '', limit: 2 });
    expect(second.map((row) => row.id)).toEqual(bytewise.slice(4, 6));
  });

  it('that exist already are refused with an error that says which column', async () => {
    const id = await newWorkspace(store);
    const row: WorkspaceRow = { id, name: 'x', slug: 'new', plan: 'free', created_at: NOW, updated_at: NOW };
    const insert = (values: Partial<WorkspaceRow>) =>
      store.write((tx) => insertWorkspace(tx, { ...row, ...values })).catch((error: unknown) => error);

    const { isUniqueViolation } = dialectOf(store.read);
    const sameSlug = await insert({ id: ids('workspace'), slug: id });
    expect(isUniqueViolation(sameSlug)).toBe(true);
    expect(isUniqueViolation(sameSlug, 'workspaces.slug')).toBe(true);
    expect(isUniqueViolation(sameSlug, 'users.email')).toBe(false);

    const sameId = await insert({ slug: 'newer' });
    expect(isUniqueViolation(sameId)).toBe(true);
    expect(isUniqueViolation(sameId, 'workspaces.slug')).toBe(false);
  });

  it('that point at nothing are refused', async () => {
    const error = await store
      .write((tx) => insertEvent(tx, eventRow(ids('workspace'))))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(dialectOf(store.read).isUniqueViolation(error)).toBe(false);
  });

  it('of failing webhooks move their time when the clock is set', async () => {
    const workspaceId = await newWorkspace(store);
    const [failing, working] = [{ ...webhookRow(workspaceId), failing_since: NOW }, webhookRow(workspaceId)];
    for (const row of [failing, working]) await store.write((tx) => insertWebhook(tx, row));
    const since = () =>
      Promise.all(
        [failing, working].map(async ({ id }) => (await findWebhookById(store.read, id))?.failing_since),
      );
    expect(await since()).toEqual([NOW, null]);
    const latest = '2026-01-03T04:00:00.000Z';
    await store.write((tx) => moveFailures(tx, { ms: -90_000.5, latest }));
    expect(await since()).toEqual(['2026-01-02T03:02:34.999Z', null]);
    await store.write((tx) => moveFailures(tx, { ms: 86_400_001, latest }));
    expect(await since()).toEqual(['2026-01-03T03:02:35.000Z', null]);
    await store.write((tx) => moveFailures(tx, { ms: 86_400_000, latest }));
    expect(await since()).toEqual([latest, null]);
  });

  it('of failing webhooks move their time once by the time in which no server ran', async () => {
    const webhook = { ...webhookRow(await newWorkspace(store)), failing_since: NOW };
    await store.write((tx) => insertWebhook(tx, webhook));
    const vault = createVault(Buffer.alloc(32, 7));
    const start = (seconds: number) =>
      noteStart({ store, vault, clock: () => new Date(Date.parse(NOW) + seconds * 1_000) }, []);
    const since = async () => (await findWebhookById(store.read, webhook.id))?.failing_since;
    for (const seconds of [10, 100]) await start(seconds);
    expect(await since()).toBe(NOW);
    await Promise.all([start(86_500), start(86_500)]);
    expect(await since()).toBe(new Date(Date.parse(NOW) + 86_400_000).toISOString());
  });

  it('of a deleted workspace go in bounded steps, each of which takes no more than it may', async () => {
    const id = await newWorkspace(store);
    const other = await newWorkspace(store);
    const webhookId = ids('webhook');
    for (const workspaceId of [id, other])
      await store.write(async (tx) => {
        for (let n = 0; n < 7; n += 1) await insertEvent(tx, eventRow(workspaceId));
        const deliveries = Array.from({ length: 7 }, () => deliveryRow({ workspaceId, webhookId }));
        await insertDeliveries(tx, deliveries);
      });
    const left = async (workspaceId: string) => {
      const workspace = await workspaceSeq(store.read, workspaceId);
      const counts = DENSE_TABLES.map((table) =>
        store.read.selectFrom(table).select('seq').where('workspace', '=', workspace).execute(),
      );
      return (await Promise.all(counts)).map(({ length }) => length);
    };
    await store.write((tx) => closeWorkspace(tx, { workspaceId: id, now: NOW }));
    const steps: number[][] = [];
    do steps.push(await left(id));
    while (await store.write((tx) => removeSome(tx, id, 5)));
    // Events and deliveries, five rows at a time.
    expect(steps).toEqual([
      [7, 7],
      [7, 2],
      [4, 0],
    ]);
    expect(await left(id)).toEqual([0, 0]);
    expect(await left(other)).toEqual([7, 7]);
  });

  it('that come late into a deleted workspace let nobody in, and go with it', async () => {
    const { userId, workspaceId: id } = await fill(store);
    const name = { name: 'Acme', plan: 'free', created_at: NOW, updated_at: NOW } as const;
    const slug = 'soon-free-again';
    await store.write((tx) => updateWorkspace(tx, id, { slug }));
    await store.write((tx) => closeWorkspace(tx, { workspaceId: id, now: NOW }));
    const integration = integrationRow(id);
    await store.write(async (tx) => {
      await insertIntegration(tx, integration);
      await insertMember(tx, {
        workspace_id: id,
        user_id: userId,
        role: 'owner',
        status: 'active',
        invited_at: null,
        joined_at: NOW,
        updated_at: NOW,
      });
    });
    expect(await findRole(store.read, id, userId)).toBeUndefined();
    expect(await findWorkspace(store.read, id)).toBeUndefined();
    expect(await isLive(store.read, id)).toBe(false);
    expect(await listMemberships(store.read, userId)).toEqual([]);
    expect(await findIntegrationById(store.read, integration.id)).toBeUndefined();
    // Its slug is free.
    await store.write((tx) => insertWorkspace(tx, { id: ids('workspace'), slug, ...name }));
    while (await store.write((tx) => removeSome(tx, id, 100)));
    await store.write((tx) => removeWorkspace(tx, id));
    expect(
      await store.read.selectFrom('members').select('role').where('workspace_id', '=', id).execute(),
    ).toEqual([]);
  });

  it('of a workspace go with it, and those of others stay', async () => {
    const gone = await fill(store);
    const kept = await fill(store);
    const id = gone.workspaceId;
    await store.write((tx) => closeWorkspace(tx, { workspaceId: id, now: NOW }));
    while (await store.write((tx) => removeSome(tx, id, 1)));
    await store.write((tx) => removeWorkspace(tx, id));
    for (const table of TABLES) {
      const { rows } = await sql<{ workspace_id: string }>`
        select workspace_id from ${sql.table(table)}
        where workspace_id in (${gone.workspaceId}, ${kept.workspaceId})`.execute(store.read);
      expect([table, ...rows.map((row) => row.workspace_id)]).toEqual([table, kept.workspaceId]);
    }
    for (const table of DENSE_TABLES) {
      const { rows } = await sql<{ workspace: number }>`
        select workspace from ${sql.table(table)} where workspace in (${gone.workspace}, ${kept.workspace})`.execute(
        store.read,
      );
      expect([table, ...rows.map((row) => row.workspace)]).toEqual([table, kept.workspace]);
    }
    expect(await listAttempts(store.read, { seq: gone.delivery })).toEqual([]);
    expect(await listAttempts(store.read, { seq: kept.delivery })).toHaveLength(2);
  });
}

/** A workspace with a row in every table. */
interface Filled {
  workspaceId: string;
  workspace: number;
  userId: string;
  delivery: number;
}

async function fill(store: Store): Promise<Filled> {
  const workspaceId = await newWorkspace(store);
  const userId = await newUser(store);
  const webhook = webhookRow(workspaceId);
  const at = { workspaceId, webhookId: webhook.id };
  const delivery = await store.write(async (tx) => {
    await insertMember(tx, {
      workspace_id: workspaceId,
      user_id: userId,
      role: 'owner',
      status: 'active',
      invited_at: null,
      joined_at: NOW,
      updated_at: NOW,
    });
    await replaceInvitation(tx, {
      id: ids('invitation'),
      workspace_id: workspaceId,
      user_id: userId,
      token_hash: ids('request'),
      mailed_token_hash: null,
      created_by: userId,
      created_at: NOW,
      expires_at: NOW,
    });
    await insertApiKey(tx, apiKeyRow(userId, workspaceId));
    await insertIntegration(tx, integrationRow(workspaceId));
    await insertEvent(tx, eventRow(workspaceId));
    await insertWebhook(tx, webhook);
    const [seq = 0] = await insertDeliveries(tx, [deliveryRow(at, LEASED)]);
    await recordResults(tx, [{ seq, lease_token: 1, ...attempted(1), attempt: attemptRow() }]);
    await tx.updateTable('deliveries').set({ lease_owner: 'me' }).where('seq', '=', seq).execute();
    await recordResults(tx, [{ seq, lease_token: 1, ...attempted(2), attempt: attemptRow() }]);
    await insertAudit(tx, auditRow(workspaceId));
    return seq;
  });
  return { workspaceId, workspace: await workspaceSeq(store.read, workspaceId), userId, delivery };
}
