import { LIMITS } from '@hubline/contract';
import { type Selectable, sql } from 'kysely';
import { type StoredBody, wholeBody } from '../domain/envelope.ts';
import { LINES } from '../domain/line.ts';
import { hot, hotChange, hotRow, type Place, runsDirectly } from './hot.ts';
import { bytesIn, ifShort, lengthOf, toBytes } from './large-text.ts';
import type { Found, PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';
import { LOOKED_AT_MAX, pageRange, type SeqRange, within } from './seq-range.ts';
import { waitsIn } from './waits-in.ts';
import type { WebhookRow } from './webhooks.ts';

export type DeliveryRow = Selectable<Database['deliveries']>;
/** A delivery with what other tables say about it; `null` for what is not there, or not any more. */
export type ShownDelivery = DeliveryRow & { event_name: string | null; webhook_url: string | null };
export type AttemptRow = Selectable<Database['attempts']>;

/** The last attempt of a delivery that has had none. */
export const NOT_ATTEMPTED = {
  last_at: null,
  last_status: null,
  last_error_kind: null,
  last_duration_ms: null,
} satisfies Partial<DeliveryRow>;

/** What narrows a list of deliveries. */
export interface DeliveryFilter {
  workspaceId: string;
  webhookId?: string | undefined;
  eventId?: string | undefined;
  status?: DeliveryRow['status'] | undefined;
  eventType?: string | undefined;
  eventName?: string | undefined;
  responseStatus?: number | undefined;
  errorKind?: AttemptRow['error_kind'] | undefined;
  minDurationMs?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** A delivery to store, with the bytes that every attempt will send. */
export interface NewDelivery extends Omit<DeliveryRow, 'seq'>, StoredBody {}

const insert = hotChange<Omit<DeliveryRow, 'seq'>>((db, p) =>
  db.insertInto('deliveries').values({
    id: p('id'),
    workspace_id: p('workspace_id'),
    webhook_id: p('webhook_id'),
    event_id: p('event_id'),
    event_type: p('event_type'),
    status: p('status'),
    trigger: p('trigger'),
    attempt_count: p('attempt_count'),
    scheduled_count: p('scheduled_count'),
    next_attempt_at: p('next_attempt_at'),
    manual: p('manual'),
    due_at: p('due_at'),
    lease_owner: p('lease_owner'),
    lease_token: p('lease_token'),
    interruptions: p('interruptions'),
    created_at: p('created_at'),
    completed_at: p('completed_at'),
    last_at: p('last_at'),
    last_status: p('last_status'),
    last_error_kind: p('last_error_kind'),
    last_duration_ms: p('last_duration_ms'),
  }),
);

const insertBody = hotChange<StoredBody & { seq: number }>((db, p) =>
  db
    .insertInto('delivery_bodies')
    .values({ seq: p('seq'), body: p('body'), after_payload: p('after_payload') }),
);

// PostgreSQL takes 65,535 bound values in a statement; a row has 21.
const ROWS_MAX = 1_000;

/** Stores deliveries; answers the `seq` of each. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<number[]> {
  const seqs: number[] = [];
  if (runsDirectly(tx)) {
    for (const delivery of deliveries) {
      const { seq } = await insert(tx, delivery);
      await insertBody(tx, { seq, body: delivery.body, after_payload: delivery.after_payload });
      seqs.push(seq);
    }
    return seqs;
  }
  for (let start = 0; start < deliveries.length; start += ROWS_MAX) {
    const part = deliveries.slice(start, start + ROWS_MAX);
    const rows = await tx
      .insertInto('deliveries')
      .values(part.map(({ body: _body, after_payload: _rest, ...row }) => row))
      .returning(['seq', 'id'])
      .execute();
    const seqOf = new Map(rows.map(({ id, seq }) => [id, seq]));
    const bodies = part.map(({ id, body, after_payload }) => ({
      seq: seqOf.get(id) ?? 0,
      body,
      after_payload,
    }));
    await tx.insertInto('delivery_bodies').values(bodies).execute();
    seqs.push(...bodies.map(({ seq }) => seq));
  }
  return seqs;
}

type Bodied = Pick<DeliveryRow, 'seq' | 'event_id'>;

const selectBody = (db: Db, p: Place<Bodied>) =>
  db
    .selectFrom('delivery_bodies')
    .leftJoin('events', (join) => join.on('events.id', '=', p('event_id')))
    .where('delivery_bodies.seq', '=', p('seq'));

const shortBodyOf = hotRow<
  Bodied,
  { [Part in keyof StoredBody | 'payload']: string | null } & { bytes: number; payload_bytes: number | null }
>((db, p) =>
  selectBody(db, p).select([
    ifShort('body').as('body'),
    'after_payload',
    ifShort('payload').as('payload'),
    lengthOf('body').as('bytes'),
    lengthOf('payload').as('payload_bytes'),
  ]),
);

/** The frozen bytes of a delivery. */
export interface FrozenBody {
  /** `null` where they are too many to be read in passing: `readDeliveryBody`. */
  text: string | null;
  /** How many they are, but for the few that follow a payload. */
  bytes: number;
}

/** The frozen bytes of a delivery, unless they are many. */
export async function findDeliveryBody(db: Db, { seq, event_id }: Bodied): Promise<FrozenBody> {
  const row = await shortBodyOf(db, { seq, event_id });
  if (!row) throw new Error('A delivery has no body.');
  const { body, after_payload, payload, bytes } = row;
  const payloadBytes = after_payload === null ? 0 : (row.payload_bytes ?? 0);
  const isShort = body !== null && (payloadBytes === 0 || payload !== null);
  return {
    text: isShort ? wholeBody({ body, after_payload }, payload) : null,
    bytes: bytes + payloadBytes,
  };
}

const bytesOfBody = hotRow<Bodied, { [Part in keyof StoredBody | 'payload']: Buffer | string | null }>(
  (db, p) =>
    selectBody(db, p).select([
      bytesIn(db, 'body').as('body'),
      bytesIn(db, 'after_payload').as('after_payload'),
      bytesIn(db, 'payload').as('payload'),
    ]),
);

/** The frozen bytes of a delivery, however many they are. */
export async function readDeliveryBody(db: Db, { seq, event_id }: Bodied): Promise<Buffer> {
  const {
    body = null,
    after_payload = null,
    payload = null,
  } = (await bytesOfBody(db, { seq, event_id })) ?? {};
  if (body === null) throw new Error('A delivery has no body.');
  if (after_payload === null) return toBytes(body);
  if (payload === null) throw new Error('The payload of a delivery is missing.');
  return Buffer.concat([body, payload, after_payload].map(toBytes));
}

export async function findDelivery(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ShownDelivery | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .select(shownColumns)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** Subqueries, not joins: a page has its rows first, and their names then. */
const shownColumns = () => [
  sql<string | null>`(select type from events where events.id = deliveries.event_id)`.as('event_name'),
  sql<string | null>`(select url from webhooks where webhooks.id = deliveries.webhook_id)`.as('webhook_url'),
];

/** Whether a workspace has deliveries to a webhook, or of an event, that exists or was deleted. */
export async function hasDeliveries(
  db: Db,
  workspaceId: string,
  of: { webhookId: string } | { eventId: string },
): Promise<boolean> {
  // All of them are of one workspace: any will do, by the index that begins with the webhook or the event.
  const query = db.selectFrom('deliveries').select('workspace_id').limit(1);
  const row = await (
    'webhookId' in of
      ? query.where('webhook_id', '=', of.webhookId)
      : query.where('event_id', '=', of.eventId)
  ).executeTakeFirst();
  return row?.workspace_id === workspaceId;
}

const newest = hot<DeliveryFilter & SeqRange & { limit: number }, ShownDelivery>((db, p, given) => {
  let query = within(db.selectFrom('deliveries').selectAll().select(shownColumns), p, given).where(
    'workspace_id',
    '=',
    p('workspaceId'),
  );
  if (given('webhookId')) query = query.where('webhook_id', '=', p('webhookId') as string);
  if (given('eventId')) query = query.where('event_id', '=', p('eventId') as string);
  if (given('status')) query = query.where('status', '=', p('status') as DeliveryRow['status']);
  if (given('eventType')) query = query.where('event_type', '=', p('eventType') as string);
  if (given('eventName')) {
    query = query.where(
      sql<boolean>`exists (select 1 from events where events.id = deliveries.event_id and type = ${p('eventName')})`,
    );
  }
  if (given('responseStatus')) query = query.where('last_status', '=', p('responseStatus') as number);
  if (given('errorKind'))
    query = query.where('last_error_kind', '=', p('errorKind') as NonNullable<AttemptRow['error_kind']>);
  if (given('minDurationMs')) query = query.where('last_duration_ms', '>=', p('minDurationMs') as number);
  if (given('since')) query = query.where('created_at', '>', p('since') as string);
  if (given('until')) query = query.where('created_at', '<', p('until') as string);
  return query.orderBy('seq', 'desc').limit(p('limit'));
});

const floor = hot<
  Pick<DeliveryFilter, 'workspaceId' | 'webhookId'> & SeqRange & { skip: number },
  { seq: number }
>((db, p, given) => {
  const query = within(db.selectFrom('deliveries').select('seq'), p, given);
  return (
    given('webhookId')
      ? query.where('webhook_id', '=', p('webhookId') as string)
      : query.where('workspace_id', '=', p('workspaceId'))
  )
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(p('skip'));
});

/** Deliveries of a workspace, newest first. */
export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { after, limit }: PageRequest,
): Promise<Found<ShownDelivery>> {
  const { workspaceId, webhookId, eventId, since, until, ...unindexed } = filter;
  const range = await pageRange(db, 'deliveries', { after, since, until });
  const hasIndex = eventId !== undefined || Object.values(unindexed).every((value) => value === undefined);
  const [stop] = hasIndex
    ? []
    : await floor(db, { workspaceId, webhookId, skip: LOOKED_AT_MAX - 1, ...range });
  const rows = await newest(db, {
    ...filter,
    limit,
    below: range.below,
    above: stop === undefined ? range.above : stop.seq - 1,
  });
  return { rows, resume: stop !== undefined && rows.length < limit ? stop.seq : null };
}

/** The last attempts of a delivery, oldest first. */
export async function listAttempts(db: Db, delivery: Pick<DeliveryRow, 'id'>): Promise<AttemptRow[]> {
  const rows = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', delivery.id)
    .orderBy('attempt', 'desc')
    .orderBy('id', 'desc')
    .limit(LIMITS.attemptsShown)
    .execute();
  return rows.reverse();
}

/**
 * Wants one extra attempt now, unless a worker has the delivery: then `null`. A failed delivery is open again until
 * that attempt ends; one that has been delivered stays so.
 */
export async function requestManualAttempt(
  tx: Tx,
  delivery: Pick<DeliveryRow, 'id' | 'status'>,
  now: string,
): Promise<DeliveryRow | null> {
  const reopened = delivery.status === 'delivered' ? {} : { status: 'retrying' as const, completed_at: null };
  const row = await tx
    .updateTable('deliveries')
    .set({ manual: 1, due_at: now, ...reopened })
    .where('id', '=', delivery.id)
    .where('lease_owner', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Ends the open deliveries of a deleted webhook, and forgets what is still wanted by hand. What is under way loses its
 * lease, and with it its result.
 */
export async function cancelDeliveries(tx: Tx, webhook: Pick<WebhookRow, 'id'>, now: string): Promise<void> {
  await lockOpen(tx, webhook.id);
  await endResends(tx, webhook.id);
  for (const part of [waitsIn.first, waitsIn.again, isHeld]) {
    await tx
      .updateTable('deliveries')
      .set({
        status: 'cancelled',
        completed_at: now,
        next_attempt_at: null,
        due_at: null,
        lease_owner: null,
        manual: 0,
      })
      .where('webhook_id', '=', webhook.id)
      .where(part)
      .execute();
  }
}

/**
 * Keeps the open deliveries of a disabled webhook until it is enabled. One under way ends by its own result; a lease that
 * has run out belongs to nobody.
 */
export async function holdDeliveries(tx: Tx, webhook: Pick<WebhookRow, 'id'>, now: string): Promise<void> {
  await lockOpen(tx, webhook.id);
  await endResends(tx, webhook.id, now);
  for (const line of LINES) {
    await tx
      .updateTable('deliveries')
      .set({ status: 'held', due_at: null, lease_owner: null })
      .where('webhook_id', '=', webhook.id)
      .where(waitsIn[line])
      .where(isIdle(now))
      .execute();
  }
}

/** Makes what was held due now. One whose schedule has ended, and that was wanted by hand, keeps no next attempt. */
export async function releaseHeldDeliveries(
  tx: Tx,
  webhook: Pick<WebhookRow, 'id'>,
  now: string,
): Promise<void> {
  await lockOpen(tx, webhook.id);
  await tx
    .updateTable('deliveries')
    .set({
      status: sql<DeliveryRow['status']>`case when scheduled_count = 0 then 'pending' else 'retrying' end`,
      due_at: now,
      next_attempt_at: sql<string | null>`case when next_attempt_at is null then null else ${now} end`,
    })
    .where('webhook_id', '=', webhook.id)
    .where(isHeld)
    .execute();
}

/**
 * Locks what is open for a webhook in the order of `seq`, as everybody does who changes several deliveries: on PostgreSQL,
 * two who took the same rows in different orders would wait for each other. SQLite runs one unit after another.
 */
async function lockOpen(tx: Tx, webhookId: string): Promise<void> {
  if (runsDirectly(tx)) return;
  await sql`
    select count(*) from (
      select seq from deliveries
      where webhook_id = ${webhookId} and (${waitsIn.first} or ${waitsIn.again} or ${isHeld})
      order by seq for update
    ) as open`.execute(tx);
}

/** A delivery that has been delivered stays so: a further sending that has not begun is dropped. */
async function endResends(tx: Tx, webhookId: string, now?: string): Promise<void> {
  let query = tx
    .updateTable('deliveries')
    .set({ due_at: null, lease_owner: null, manual: 0 })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'delivered')
    .where(waitsIn.again);
  if (now !== undefined) query = query.where(isIdle(now));
  await query.execute();
}

const isHeld = sql<boolean>`status = 'held'`;
const isIdle = (now: string) => sql<boolean>`(lease_owner is null or due_at <= ${now})`;
