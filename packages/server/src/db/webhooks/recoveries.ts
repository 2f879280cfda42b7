import { type Selectable, sql, type Updateable } from 'kysely';
import type { RecoveryFilters, Trigger } from '@hubline/contract';
import type { z } from 'zod';
import { DELIVERY_CAUSE, ERROR_KIND, STATUS, TRIGGER } from '../core/columns/codes.ts';
import { idBytes, idText } from '../core/columns/columns.ts';
import { millis } from '../../domain/time.ts';
import { dialectOf } from '../dialect-of.ts';
import { LOOKED_AT_MAX, seqRange } from '../core/queries/seq-range.ts';
import { ofEventsOfType } from './deliveries.ts';
import { waitsIn } from './queue/waits-in.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import type { WebhookRow } from './webhooks.ts';
import { workspaceSeq } from '../workspaces/workspaces.ts';

export type RecoveryRow = Selectable<Database['recoveries']>;

/** The filters as they are stored. Without `until`, `last_seq` alone ends the range. */
export type StoredFilters = Omit<z.output<typeof RecoveryFilters>, 'until'> & { until: string | null };

/** The filters of a recovery. A recovery from before a filter existed does not have it. */
export const filtersOf = (row: Pick<RecoveryRow, 'filters'>): StoredFilters => ({
  event_name: null,
  ...(JSON.parse(row.filters) as Omit<StoredFilters, 'event_name'>),
});

/** The deliveries that a recovery is about. */
export interface RecoveryMatch {
  workspaceId: string;
  webhookId: string | null;
  filters: StoredFilters;
}

/** A delivery that matches. */
export interface Match {
  seq: number;
  webhook_id: string;
}

export async function insertRecovery(tx: Tx, row: RecoveryRow): Promise<void> {
  await tx.insertInto('recoveries').values(row).execute();
}

export async function findRecovery(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<RecoveryRow | undefined> {
  return db
    .selectFrom('recoveries')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/**
 * The number of the newest delivery; 0 if there is none. A recovery ends there, whatever the clock says: a clock may be set back, and the
 * clocks of two processes differ by some milliseconds.
 */
export async function newestDelivery(db: Db): Promise<number> {
  const newest = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max<number | null>('seq').as('seq'))
    .executeTakeFirst();
  return newest?.seq ?? 0;
}

/** Locks a recovery for one of its steps; `undefined` while another process runs one, or when it is over. */
export async function lockRecovery(tx: Tx, id: string): Promise<RecoveryRow | undefined> {
  const query = tx
    .selectFrom('recoveries')
    .selectAll()
    .where('id', '=', id)
    .where('completed_at', 'is', null);
  return dialectOf(tx).lockFreeRows(query).executeTakeFirst();
}

export async function updateRecovery(
  tx: Tx,
  id: string,
  changes: Updateable<Database['recoveries']>,
): Promise<void> {
  await tx.updateTable('recoveries').set(changes).where('id', '=', id).execute();
}

/** Ends the recoveries of a deleted webhook. */
export async function cancelRecoveries(tx: Tx, webhook: Pick<WebhookRow, 'id'>, now: string): Promise<void> {
  await tx
    .updateTable('recoveries')
    .set({ status: 'cancelled', completed_at: now })
    .where('webhook_id', '=', webhook.id)
    .where('completed_at', 'is', null)
    .execute();
}

/** The next deliveries that match, oldest first, and the position to continue from; `null` at the end. */
interface Matches {
  rows: Match[];
  next: number | null;
}

/**
 * The next deliveries that match, up to the last one. Test calls are never sent again. Only failed deliveries have an index: with other
 * statuses, or filters on the last attempt, the next match may be a million rows away, so this looks at a few thousand at a time.
 */
export async function listMatches(
  db: Db,
  { workspaceId, webhookId, filters }: RecoveryMatch,
  { after, last, limit }: { after: number; last: number | null; limit: number },
): Promise<Matches> {
  // Without `until`: if a clock has ever been ahead, one early row would end the range.
  const { above = 0 } = await seqRange(db, 'deliveries', { since: filters.since ?? undefined });
  const from = Math.max(after, above);
  let some = db.selectFrom('deliveries').where('seq', '>', from);
  if (last !== null) some = some.where('seq', '<=', last);
  if (isFailedOnly(filters.statuses)) some = some.where(hasStatus(filters.statuses));
  // Not both: SQLite would use the index of the workspace, and read the deliveries of all its webhooks.
  if (webhookId !== null) some = some.where('webhook_id', '=', idBytes(webhookId));
  else some = some.where('workspace', '=', await workspaceSeq(db, workspaceId));
  if (filters.event_id !== null) some = some.where('event_id', '=', idBytes(filters.event_id));
  const { event_type, event_name, response_status, error_kind } = filters;
  const hasIndex =
    isFailedOnly(filters.statuses) &&
    [event_type, event_name, response_status, error_kind].every((one) => one === null);
  const stop = hasIndex
    ? undefined
    : await some
        .select('seq')
        .orderBy('seq')
        .limit(1)
        .offset(LOOKED_AT_MAX - 1)
        .executeTakeFirst();
  let query = some
    .select(['seq', 'webhook_id'])
    .where(hasStatus(filters.statuses))
    .where('trigger', '!=', DELIVERY_CAUSE.of.test);
  if (stop) query = query.where('seq', '<=', stop.seq);
  if (filters.event_type !== null)
    query = query.where('event_type', '=', TRIGGER.of[filters.event_type as Trigger]);
  if (event_name !== null) query = query.where(ofEventsOfType(event_name));
  if (filters.response_status !== null) query = query.where('last_status', '=', filters.response_status);
  if (filters.error_kind !== null)
    query = query.where('last_error_kind', '=', ERROR_KIND.of[filters.error_kind]);
  if (filters.since !== null) query = query.where('created_at', '>', millis(filters.since));
  if (filters.until !== null) query = query.where('created_at', '<', millis(filters.until));
  const rows = await query.orderBy('seq').limit(limit).execute();
  const end = rows.length < limit ? stop : rows.at(-1);
  return {
    rows: rows.map(({ seq, webhook_id }) => ({ seq, webhook_id: idText('webhook', webhook_id) })),
    next: end?.seq ?? null,
  };
}

/** Locks the deliveries of a step. */
export const lockMatches = (tx: Tx, seqs: readonly number[]): Promise<void> =>
  dialectOf(tx).lockDeliveries(tx, dialectOf(tx).isOneOf('seq', seqs));

/**
 * Requests an extra attempt of deliveries: now, or, if the webhook is disabled, once it is enabled. Deliveries that were claimed in the
 * meantime are under way, and left alone.
 */
export async function requestRecoveryAttempts(
  tx: Tx,
  seqs: readonly number[],
  { now, statuses, held }: { now: string; statuses: Statuses; held: boolean },
): Promise<void> {
  let query = tx
    .updateTable('deliveries')
    .set({
      manual: 2,
      due_at: held ? null : millis(now),
      status: held
        ? STATUS.of.held
        : sql<number>`case when status = ${delivered} then ${delivered} else ${sql.lit(STATUS.of.retrying)} end`,
      completed_at: sql<number | null>`case when status = ${delivered} then completed_at end`,
    })
    .where(dialectOf(tx).isOneOf('seq', seqs))
    .where(hasStatus(statuses))
    .where('lease_owner', 'is', null);
  // A delivered one stays so, rather than wait for a webhook that is disabled.
  if (held) query = query.where('status', '!=', STATUS.of.delivered);
  await query.execute();
}

/** Counts the deliveries of a webhook that are due to be sent again and not claimed, up to `limit`. */
export async function countBacklog(
  db: Db,
  webhookId: string,
  { now, limit }: { now: string; limit: number },
): Promise<number> {
  const due = db
    .selectFrom('deliveries')
    .select('seq')
    .where('webhook_id', '=', idBytes(webhookId))
    .where(waitsIn.retry)
    .where('due_at', '<=', millis(now))
    .limit(limit);
  const { count } = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const delivered = sql.lit(STATUS.of.delivered);

type Statuses = RecoveryMatch['filters']['statuses'];

const isFailedOnly = (statuses: Statuses) => statuses.length === 1 && statuses[0] === 'failed';

// A literal for the usual case: SQLite uses a partial index only for a condition that it knows when it prepares the statement.
const hasStatus = (statuses: Statuses) =>
  isFailedOnly(statuses)
    ? sql<boolean>`status = ${sql.lit(STATUS.of.failed)}`
    : sql<boolean>`status in (${sql.join(statuses.map((status) => STATUS.of[status]))})`;
