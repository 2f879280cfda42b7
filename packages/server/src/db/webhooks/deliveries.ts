import type { AttemptErrorKind, DeliveryCause, DeliveryStatus, Trigger } from '@hubline/contract';
import { sql } from 'kysely';
import { DELIVERY_CAUSE, ERROR_KIND, STATUS, TRIGGER } from '../core/columns/codes.ts';
import {
  type IdBytes,
  idBytes,
  idBytesOrNull,
  idTextOfHex,
  idTextOfHexOrNull,
  isoTimeOrNull,
  millisOrNull,
} from '../core/columns/columns.ts';
import { isoTime, millis } from '../../domain/time.ts';
import { dialectOf } from '../dialect-of.ts';
import { type Awaitable, andThen } from '../core/awaitable.ts';
import { prepared, preparedRow } from '../core/queries/prepared-query.ts';
import type { FoundRows, PageRequest } from '../core/queries/paging.ts';
import type { Db, Tx } from '../core/schema.ts';
import { LOOKED_AT_MAX, pageRange, type SeqRange, within } from '../core/queries/seq-range.ts';
import { deliveryColumns, type DeliveryInsert, type DeliveryColumns } from '../core/statements.ts';
import { findWebhooksById } from './webhooks.ts';
import { workspaceSeq } from '../workspaces/workspaces.ts';

/** A delivery as services know it. The columns are explained in `schema.ts`. */
export interface DeliveryRow {
  seq: number;
  id: string;
  workspace_id: string;
  webhook_id: string;
  event_id: string | null;
  event_type: Trigger;
  status: DeliveryStatus;
  trigger: DeliveryCause;
  attempt_count: number;
  scheduled_count: number;
  next_attempt_at: string | null;
  manual: 0 | 1 | 2;
  due_at: string | null;
  lease_owner: string | null;
  lease_token: number;
  interruptions: number;
  created_at: string;
  completed_at: string | null;
  /** The last attempt; all `null` before the first has ended. */
  last_at: string | null;
  last_status: number | null;
  last_error_kind: AttemptErrorKind | null;
  last_duration_ms: number | null;
}

/** A delivery with details from other tables; `null` for those that do not exist, or no longer do. */
export type ShownDelivery = DeliveryRow & { event_name: string | null; webhook_url: string | null };

/** The last attempt of a delivery that has had none. */
export const NOT_ATTEMPTED = {
  last_at: null,
  last_status: null,
  last_error_kind: null,
  last_duration_ms: null,
} satisfies Partial<DeliveryRow>;

export const toDeliveryRow = (row: DeliveryColumns, workspaceId: string): DeliveryRow => ({
  seq: row.seq,
  id: idTextOfHex('delivery', row.id),
  workspace_id: workspaceId,
  webhook_id: idTextOfHex('webhook', row.webhook_id),
  event_id: idTextOfHexOrNull('event', row.event_id),
  event_type: TRIGGER.name(row.event_type),
  status: STATUS.name(row.status),
  trigger: DELIVERY_CAUSE.name(row.trigger),
  attempt_count: row.attempt_count,
  scheduled_count: row.scheduled_count,
  next_attempt_at: isoTimeOrNull(row.next_attempt_at),
  manual: row.manual,
  due_at: isoTimeOrNull(row.due_at),
  lease_owner: row.lease_owner,
  lease_token: row.lease_token,
  interruptions: row.interruptions,
  created_at: isoTime(row.created_at),
  completed_at: isoTimeOrNull(row.completed_at),
  last_at: isoTimeOrNull(row.last_at),
  last_status: row.last_status,
  last_error_kind: row.last_error_kind === null ? null : ERROR_KIND.name(row.last_error_kind),
  last_duration_ms: row.last_duration_ms,
});

/** Filters of a list of deliveries. */
export interface DeliveryFilter {
  workspaceId: string;
  webhookId?: string | undefined;
  eventId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: Trigger | undefined;
  eventName?: string | undefined;
  responseStatus?: number | undefined;
  errorKind?: AttemptErrorKind | undefined;
  minDurationMs?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** A delivery to store. It has not been attempted. */
export interface NewDelivery extends Omit<DeliveryRow, 'seq' | keyof typeof NOT_ATTEMPTED> {
  /** The bytes that every attempt sends; `null` where they follow from its event. */
  body: string | null;
}

/** Stores deliveries of one workspace; returns the `seq` of each. */
export function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Awaitable<number[]> {
  const [first] = deliveries;
  if (!first) return [];
  return andThen(workspaceSeq(tx, first.workspace_id), (workspace) =>
    dialectOf(tx).insertDeliveries(
      tx,
      deliveries.map((delivery) => toInsert(delivery, workspace)),
    ),
  );
}

const toInsert = (row: NewDelivery, workspace: number): DeliveryInsert => ({
  id: idBytes(row.id),
  workspace,
  webhook_id: idBytes(row.webhook_id),
  event_id: idBytesOrNull(row.event_id),
  event_type: TRIGGER.of[row.event_type],
  status: STATUS.of[row.status],
  trigger: DELIVERY_CAUSE.of[row.trigger],
  attempt_count: row.attempt_count,
  scheduled_count: row.scheduled_count,
  next_attempt_at: millisOrNull(row.next_attempt_at),
  manual: row.manual,
  due_at: millisOrNull(row.due_at),
  lease_owner: row.lease_owner,
  lease_token: row.lease_token,
  interruptions: row.interruptions,
  created_at: millis(row.created_at),
  completed_at: millisOrNull(row.completed_at),
  body: row.body,
});

const byId = preparedRow<{ id: IdBytes; workspace: number }, DeliveryColumns & Named>((db, p) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns(dialectOf(db).hexOf))
    .select(eventName)
    .where('id', '=', p('id'))
    .where('workspace', '=', p('workspace')),
);

export async function findDelivery(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ShownDelivery | undefined> {
  const row = await byId(db, { id: idBytes(id), workspace: await workspaceSeq(db, workspaceId) });
  return row && (await toShown(db, [row], workspaceId))[0];
}

/** The type of a delivery's event. */
type Named = Pick<ShownDelivery, 'event_name'>;

/** A subquery, not a join: a page finds its rows first, and then their names. */
const eventName = () =>
  sql<string | null>`(select type from events where events.id = deliveries.event_id)`.as('event_name');

/** The condition that a delivery is of an event of this type. */
export const ofEventsOfType = (type: unknown) =>
  sql<boolean>`exists (select 1 from events where events.id = deliveries.event_id and type = ${type})`;

/** Deliveries of a workspace, with the URLs of their webhooks. */
async function toShown(
  db: Db,
  rows: readonly (DeliveryColumns & Named)[],
  workspaceId: string,
): Promise<ShownDelivery[]> {
  const deliveries = rows.map((row) => ({ ...toDeliveryRow(row, workspaceId), event_name: row.event_name }));
  const ids = new Set(deliveries.map((row) => row.webhook_id));
  const webhooks = ids.size === 0 ? [] : await findWebhooksById(db, [...ids]);
  const urls = new Map(webhooks.map(({ id, url }) => [id, url]));
  return deliveries.map((row) => ({ ...row, webhook_url: urls.get(row.webhook_id) ?? null }));
}

/** Reports whether a workspace has deliveries to a webhook, or of an event, that exists or was deleted. */
export async function hasDeliveries(
  db: Db,
  workspaceId: string,
  of: { webhookId: string } | { eventId: string },
): Promise<boolean> {
  // All of them belong to one workspace, so any of them will do; the index begins with the webhook or the event.
  const query = db.selectFrom('deliveries').select('workspace').limit(1);
  const row = await (
    'webhookId' in of
      ? query.where('webhook_id', '=', idBytes(of.webhookId))
      : query.where('event_id', '=', idBytes(of.eventId))
  ).executeTakeFirst();
  return row?.workspace === (await workspaceSeq(db, workspaceId));
}

/** `DeliveryFilter`, as its columns are stored. */
interface StoredFilter {
  workspace: number;
  webhookId: IdBytes | undefined;
  eventId: IdBytes | undefined;
  /**
   * Failed deliveries have a partial index, which is used only if the number is a literal in the statement.
   */
  failed: true | undefined;
  status: number | undefined;
  eventType: number | undefined;
  eventName: string | undefined;
  responseStatus: number | undefined;
  errorKind: number | undefined;
  minDurationMs: number | undefined;
  since: number | undefined;
  until: number | undefined;
}

const toStored = (filter: Omit<DeliveryFilter, 'workspaceId'>, workspace: number): StoredFilter => ({
  workspace,
  webhookId: map(filter.webhookId, idBytes),
  eventId: map(filter.eventId, idBytes),
  failed: filter.status === 'failed' ? true : undefined,
  status: map(filter.status, (status) => STATUS.of[status]),
  eventType: map(filter.eventType, (type) => TRIGGER.of[type]),
  eventName: filter.eventName,
  responseStatus: filter.responseStatus,
  errorKind: map(filter.errorKind, (kind) => ERROR_KIND.of[kind]),
  minDurationMs: filter.minDurationMs,
  since: map(filter.since, millis),
  until: map(filter.until, millis),
});

const map = <From, To>(value: From | undefined, to: (value: From) => To): To | undefined =>
  value === undefined ? undefined : to(value);

const newest = prepared<StoredFilter & SeqRange & { limit: number }, DeliveryColumns & Named>(
  (db, p, given) => {
    let query = within(
      db
        .selectFrom('deliveries')
        .select(deliveryColumns(dialectOf(db).hexOf))
        .select(eventName),
      p,
      given,
    ).where('workspace', '=', p('workspace'));
    if (given('webhookId')) query = query.where('webhook_id', '=', p('webhookId') as IdBytes);
    if (given('eventId')) query = query.where('event_id', '=', p('eventId') as IdBytes);
    if (given('failed')) query = query.where('status', '=', sql.lit(STATUS.of.failed));
    else if (given('status')) query = query.where('status', '=', p('status') as number);
    if (given('eventType')) query = query.where('event_type', '=', p('eventType') as number);
    if (given('eventName')) query = query.where(ofEventsOfType(p('eventName')));
    if (given('responseStatus')) query = query.where('last_status', '=', p('responseStatus') as number);
    if (given('errorKind')) query = query.where('last_error_kind', '=', p('errorKind') as number);
    if (given('minDurationMs')) query = query.where('last_duration_ms', '>=', p('minDurationMs') as number);
    if (given('since')) query = query.where('created_at', '>', p('since') as number);
    if (given('until')) query = query.where('created_at', '<', p('until') as number);
    return query.orderBy('seq', 'desc').limit(p('limit'));
  },
);

const floor = prepared<
  Pick<StoredFilter, 'workspace' | 'webhookId'> & SeqRange & { skip: number },
  { seq: number }
>((db, p, given) => {
  const query = within(db.selectFrom('deliveries').select('seq'), p, given);
  return (
    given('webhookId')
      ? query.where('webhook_id', '=', p('webhookId') as IdBytes)
      : query.where('workspace', '=', p('workspace'))
  )
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(p('skip'));
});

/** Deliveries of a workspace, newest first. */
export async function listDeliveries(
  db: Db,
  { workspaceId, ...filter }: DeliveryFilter,
  { after, limit }: PageRequest,
): Promise<FoundRows<ShownDelivery>> {
  const { webhookId: _indexed, eventId, since, until, ...unindexed } = filter;
  const range = await pageRange(db, 'deliveries', { after, since, until });
  const stored = toStored(filter, await workspaceSeq(db, workspaceId));
  const { workspace, webhookId } = stored;
  const hasIndex = eventId !== undefined || Object.values(unindexed).every((value) => value === undefined);
  const [stop] = hasIndex ? [] : await floor(db, { workspace, webhookId, skip: LOOKED_AT_MAX - 1, ...range });
  const above = stop === undefined ? range.above : stop.seq - 1;
  const rows = await newest(db, { ...stored, limit, below: range.below, above });
  return {
    rows: await toShown(db, rows, workspaceId),
    resume: stop !== undefined && rows.length < limit ? stop.seq : null,
  };
}

/**
 * Requests one extra attempt now; `null` while a process has the delivery. A failed delivery is open again until
 * that attempt ends; one that has been delivered stays so.
 */
export async function requestManualAttempt(
  tx: Tx,
  delivery: Pick<DeliveryRow, 'seq' | 'status' | 'workspace_id'>,
  now: string,
): Promise<DeliveryRow | null> {
  const reopened = delivery.status === 'delivered' ? {} : { status: STATUS.of.retrying, completed_at: null };
  const row = await tx
    .updateTable('deliveries')
    .set({ manual: 1, due_at: millis(now), ...reopened })
    .where('seq', '=', delivery.seq)
    // Otherwise an attempt has ended since it was read, and the new state would be based on an old one.
    .where('status', '=', STATUS.of[delivery.status])
    .where('lease_owner', 'is', null)
    .returning(deliveryColumns(dialectOf(tx).hexOf))
    .executeTakeFirst();
  return row ? toDeliveryRow(row, delivery.workspace_id) : null;
}
