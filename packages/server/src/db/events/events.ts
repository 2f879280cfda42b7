import type { DeliveryStatus } from '@hubline/contract';
import { STATUS } from '../core/columns/codes.ts';
import { type IdBytes, idBytes, idBytesOrNull, idText } from '../core/columns/columns.ts';
import { millis } from '../../domain/time.ts';
import { toBytes } from '../core/columns/large-text.ts';
import { dialectOf } from '../dialect-of.ts';
import { type Awaitable, andThen } from '../core/awaitable.ts';
import { prepared, preparedRow } from '../core/queries/prepared-query.ts';
import type { EventInsert } from '../core/statements.ts';
import { seqRange } from '../core/queries/seq-range.ts';
import type { Db, Tx } from '../core/schema.ts';
import { workspaceSeq } from '../workspaces/workspaces.ts';
import type { IntegrationRow } from '../integrations/integrations.ts';
import { storedSummary, summaryOf } from './summary-column.ts';
import { type EventColumns, type EventRow, type NewEventRow, selectEvents, toEventRow } from './event-row.ts';

/**
 * Inserts an event unless its integration already has one with the same dedupe key. Returns whether it was
 * inserted.
 */
export function insertEvent(tx: Tx, row: NewEventRow): Awaitable<boolean> {
  return andThen(workspaceSeq(tx, row.workspace_id), (workspace) =>
    dialectOf(tx).insertEvent(tx, toInsert(row, workspace)),
  );
}

const toInsert = (row: NewEventRow, workspace: number): EventInsert => ({
  id: idBytes(row.id),
  workspace,
  integration_id: idBytesOrNull(row.integration_id),
  occurred_at: row.occurred_at === row.created_at ? null : millis(row.occurred_at),
  created_at: millis(row.created_at),
  type: row.type,
  source: row.source,
  provider: row.provider,
  dedupe_key: row.dedupe_key,
  summary: storedSummary(row.summary),
  payload: row.payload,
});

const byId = preparedRow<{ workspace: number; id: IdBytes }, EventColumns>((db, p) =>
  selectEvents(db).where('id', '=', p('id')).where('workspace', '=', p('workspace')),
);

export async function findEvent(db: Db, workspaceId: string, id: string): Promise<EventRow | undefined> {
  const row = await byId(db, { workspace: await workspaceSeq(db, workspaceId), id: idBytes(id) });
  return row && toEventRow(row, workspaceId);
}

const payloadOf = preparedRow<{ id: IdBytes }, { payload: Buffer | string | null }>((db, p) =>
  db.selectFrom('events').select(dialectOf(db).bytesIn('payload').as('payload')).where('id', '=', p('id')),
);

/** The payload of an event, however large it is; `null` if the event is gone by now. */
export async function readPayload(db: Db, event: Pick<EventRow, 'id'>): Promise<Buffer | null> {
  const { payload = null } = (await payloadOf(db, { id: idBytes(event.id) })) ?? {};
  return payload === null ? null : toBytes(payload);
}

export async function findEventByDedupeKey(
  db: Db,
  integration: Pick<IntegrationRow, 'id'>,
  dedupeKey: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('integration_id', '=', idBytes(integration.id))
    .where('dedupe_key', '=', dedupeKey)
    .executeTakeFirst();
  return row && idText('event', row.id);
}

/** The subset of these dedupe keys that events of an integration already have. */
export async function listKnownKeys(
  db: Db,
  integration: Pick<IntegrationRow, 'id'>,
  dedupeKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (dedupeKeys.length === 0) return new Set();
  const rows = await db
    .selectFrom('events')
    .select('dedupe_key')
    .where('integration_id', '=', idBytes(integration.id))
    .where('dedupe_key', 'in', dedupeKeys)
    .execute();
  return new Set(rows.flatMap(({ dedupe_key: key }) => key ?? []));
}

/** The summaries of the newest events that came through an integration since a time. */
export async function listSummaries(
  db: Db,
  integration: Pick<IntegrationRow, 'id' | 'workspace_id'>,
  { since, limit }: { since: string; limit: number },
): Promise<string[]> {
  const { above } = await seqRange(db, 'events', { since });
  let query = db
    .selectFrom('events')
    .select('summary')
    .where('workspace', '=', await workspaceSeq(db, integration.workspace_id))
    .where('integration_id', '=', idBytes(integration.id));
  if (above !== undefined) query = query.where('seq', '>', above);
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
  return rows.map(({ summary }) => summaryOf(summary));
}

/** Reports whether a workspace has events that came through an integration, connected or not. */
export async function hasEventsOf(db: Db, workspaceId: string, integrationId: string): Promise<boolean> {
  // All events of an integration belong to one workspace, so any of them will do.
  const row = await db
    .selectFrom('events')
    .select('workspace')
    .where('integration_id', '=', idBytes(integrationId))
    // Every event of an integration has one, and only the index of dedupe keys begins with the integration.
    .where('dedupe_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.workspace === (await workspaceSeq(db, workspaceId));
}

const counted = prepared<{ eventId: IdBytes }, { status: number; count: number }>((db, p) =>
  db
    .selectFrom('deliveries')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('event_id', '=', p('eventId'))
    .groupBy('status'),
);

/** Counts the deliveries of an event by state. */
export async function countDeliveries(
  db: Db,
  event: Pick<EventRow, 'id'>,
): Promise<Partial<Record<DeliveryStatus, number>>> {
  const rows = await counted(db, { eventId: idBytes(event.id) });
  return Object.fromEntries(rows.map(({ status, count }) => [STATUS.name(status), count]));
}

/** The position of the newest event of a workspace; 0 without one. */
export async function lastEventSeq(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('seq')
    .where('workspace', '=', await workspaceSeq(db, workspaceId))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** The position of the last event that is not newer than an ID: IDs begin with their time, and rows may be gone. */
export async function seqOfEvent(db: Db, workspaceId: string, id: string): Promise<number> {
  const ofWorkspace = db
    .selectFrom('events')
    .select('seq')
    .where('workspace', '=', await workspaceSeq(db, workspaceId));
  const bytes = idBytes(id);
  const exact = await ofWorkspace.where('id', '=', bytes).executeTakeFirst();
  if (exact) return exact.seq;
  const row = await ofWorkspace.where('id', '<', bytes).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}
