import { LIMITS } from '@hubline/contract';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { insertApiKey } from '../../src/db/api-keys.ts';
import { insertAudit } from '../../src/db/audit-log.ts';
import {
  findDelivery,
  findDeliveryBody,
  insertDeliveries,
  listAttempts,
  readDeliveryBody,
} from '../../src/db/deliveries.ts';
import { insertAttempt } from '../../src/db/delivery-queue.ts';
import { findEvent, insertEvent } from '../../src/db/events.ts';
import { insertIntegration } from '../../src/db/integrations.ts';
import { replaceInvitation } from '../../src/db/invitations.ts';
import { insertMember } from '../../src/db/members.ts';
import { removeAged } from '../../src/db/retention.ts';
import { isUniqueViolation } from '../../src/db/storage-errors.ts';
import type { Store } from '../../src/db/store.ts';
import { insertWebhook } from '../../src/db/webhooks.ts';
import {
  deleteWorkspace,
  insertWorkspace,
  listWorkspaces,
  type WorkspaceRow,
} from '../../src/db/workspaces.ts';
import {
  apiKeyRow,
  attemptRow,
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
} from './storage.ts';

// Everything that belongs to a workspace; attempts belong to it through their delivery.
const TABLES = [
  'members',
  'invitations',
  'api_keys',
  'integrations',
  'events',
  'webhooks',
  'deliveries',
  'audit_log',
] as const;

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
    const found = await findEvent(store.read, workspaceId, row.id);
    expect(found).toEqual({ ...row, seq: expect.any(Number), payload_bytes: Buffer.byteLength(text) });

    const delivery = deliveryRow(
      { workspaceId, webhookId: ids('webhook') },
      { body: `${text}${'x'.repeat(2_000_000)}` },
    );
    const attempt = attemptRow(delivery.id);
    await store.write(async (tx) => {
      await insertDeliveries(tx, [delivery]);
      await insertAttempt(tx, attempt);
    });
    const { body, after_payload: _none, ...head } = delivery;
    const stored = await findDelivery(store.read, workspaceId, delivery.id);
    expect(stored).toEqual({
      ...head,
      seq: expect.any(Number),
      event_name: null,
      webhook_url: null,
    });
    const at = { seq: stored?.seq ?? 0, event_id: null };
    expect(await findDeliveryBody(store.read, at)).toEqual({ text: null, bytes: Buffer.byteLength(body) });
    expect((await readDeliveryBody(store.read, at)).toString() === body).toBe(true);
    expect(await listAttempts(store.read, delivery)).toEqual([attempt]);
  });

  it('of the attempts of a delivery are the last ones, oldest first', async () => {
    const workspaceId = await newWorkspace(store);
    const delivery = deliveryRow({ workspaceId, webhookId: ids('webhook') });
    const attempts = Array.from({ length: LIMITS.attemptsShown + 2 }, (_, index) => ({
      ...attemptRow(delivery.id),
      attempt: index + 1,
    }));
    await store.write(async (tx) => {
      await insertDeliveries(tx, [delivery]);
      for (const attempt of attempts) await insertAttempt(tx, attempt);
    });
    expect(await listAttempts(store.read, delivery)).toEqual(attempts.slice(2));
  });

  it('hold the payload of an event once; a body has it in its place, also when the event is removed', async () => {
    const workspaceId = await newWorkspace(store);
    const payload = '{ "😀" :1.0, "a": [1e3, -0, "\\u0041é"], "b": 2 }';
    const event = eventRow(workspaceId, { payload, created_at: '2020-01-01T00:00:00.000Z' });
    const parts = { body: '{"id":"😀","payload":', after_payload: '}\n' };
    const at = { workspaceId, webhookId: ids('webhook') };
    const rows = [parts, parts, { body: '{}' }].map((body) =>
      deliveryRow(at, { event_id: event.id, ...body }),
    );
    const seqs = await store.write(async (tx) => {
      await insertEvent(tx, event);
      return insertDeliveries(tx, rows);
    });
    const bodies = () =>
      Promise.all(
        seqs.map(async (seq) => {
          const { text } = await findDeliveryBody(store.read, { seq, event_id: event.id });
          expect((await readDeliveryBody(store.read, { seq, event_id: event.id })).toString()).toBe(text);
          return text;
        }),
      );
    const whole = `${parts.body}${payload}${parts.after_payload}`;
    expect(await bodies()).toEqual([whole, whole, '{}']);

    const { seq = 0 } = (await findEvent(store.read, workspaceId, event.id)) ?? {};
    await store.write((tx) => removeAged(tx, 'events', { seqs: [seq], oldest: NOW }));
    expect(await findEvent(store.read, workspaceId, event.id)).toBeUndefined();
    expect(await bodies()).toEqual([whole, whole, '{}']);
  });

  it('of one statement may be thousands', async () => {
    const workspaceId = await newWorkspace(store);
    const webhookId = ids('webhook');
    const rows = Array.from({ length: 4_000 }, () => deliveryRow({ workspaceId, webhookId }));
    await store.write((tx) => insertDeliveries(tx, rows));
    const { count } = await store.read
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('webhook_id', '=', webhookId)
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
      .write((tx) => insertEvent(tx, eventRow('ws_nowhere')))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(isUniqueViolation(error)).toBe(false);
  });

  it('of a workspace go with it, and those of others stay', async () => {
    const gone = await fill(store);
    const kept = await fill(store);
    await store.write((tx) => deleteWorkspace(tx, gone.workspaceId));
    for (const table of TABLES) {
      const { rows } = await sql<{ workspace_id: string }>`
        select workspace_id from ${sql.table(table)}
        where workspace_id in (${gone.workspaceId}, ${kept.workspaceId})`.execute(store.read);
      expect([table, ...rows.map((row) => row.workspace_id)]).toEqual([table, kept.workspaceId]);
    }
    expect(await listAttempts(store.read, { id: gone.deliveryId })).toEqual([]);
    expect(await listAttempts(store.read, { id: kept.deliveryId })).toHaveLength(1);
  });
}

/** A workspace with a row in every table. */
async function fill(store: Store): Promise<{ workspaceId: string; deliveryId: string }> {
  const workspaceId = await newWorkspace(store);
  const userId = await newUser(store);
  const webhook = webhookRow(workspaceId);
  const delivery = deliveryRow({ workspaceId, webhookId: webhook.id });
  await store.write(async (tx) => {
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
    await insertDeliveries(tx, [delivery]);
    await insertAttempt(tx, attemptRow(delivery.id));
    await insertAudit(tx, auditRow(workspaceId));
  });
  return { workspaceId, deliveryId: delivery.id };
}
