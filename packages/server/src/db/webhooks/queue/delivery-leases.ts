import { sql } from 'kysely';
import { type QueuePart, QUEUE_PARTS } from '../../../domain/deliveries/queue-part.ts';
import type { AttemptRow } from '../attempts.ts';
import { DELIVERY_CAUSE, ERROR_KIND, STATUS } from '../../core/columns/codes.ts';
import { idBytes, millisOrNull } from '../../core/columns/columns.ts';
import { millis } from '../../../domain/time.ts';
import { type DeliveryRow, toDeliveryRow } from '../deliveries.ts';
import { dialectOf } from '../../dialect-of.ts';
import type { StoredResult, Unbegun } from '../../core/statements.ts';
import { waitsIn } from './waits-in.ts';
import type { Tx } from '../../core/schema.ts';

/** A claim of a webhook's due deliveries in one part of its queue: the process that takes them, and the end of the lease. */
export interface Claim {
  workspaceId: string;
  webhookId: string;
  part: QueuePart;
  owner: string;
  now: string;
  leaseUntil: string;
  limit: number;
}

/**
 * Leases due deliveries of one webhook, the longest due first. A unit claims once for each part of a webhook's queue. The lease moves
 * `due_at` to its own end: when its owner dies, the delivery becomes due again by itself. The token goes up, so that a late result of
 * an older lease is recognized.
 */
export async function claimDeliveries(
  tx: Tx,
  { workspaceId, webhookId, part, owner, now, leaseUntil, limit }: Claim,
): Promise<DeliveryRow[]> {
  const rows = await dialectOf(tx).claimDeliveries(tx, part, {
    webhookId: idBytes(webhookId),
    owner,
    now: millis(now),
    leaseUntil: millis(leaseUntil),
    limit,
  });
  return rows.sort((a, b) => a.seq - b.seq).map((row) => toDeliveryRow(row, workspaceId));
}

/** A delivery as its owner has leased it. */
export type Lease = Pick<DeliveryRow, 'seq' | 'lease_token'>;

/** The result of a leased delivery: an attempt, and the state that follows from it. */
export interface DeliveryResult
  extends
    Lease,
    Pick<
      DeliveryRow,
      | 'status'
      | 'attempt_count'
      | 'scheduled_count'
      | 'next_attempt_at'
      | 'manual'
      | 'due_at'
      | 'interruptions'
      | 'completed_at'
    > {
  attempt: Omit<AttemptRow, 'attempt'>;
}

const toStored = ({ attempt, seq, lease_token, ...state }: DeliveryResult): StoredResult => ({
  seq,
  lease_token,
  status: STATUS.of[state.status],
  attempt_count: state.attempt_count,
  scheduled_count: state.scheduled_count,
  next_attempt_at: millisOrNull(state.next_attempt_at),
  manual: state.manual,
  due_at: millisOrNull(state.due_at),
  interruptions: state.interruptions,
  completed_at: millisOrNull(state.completed_at),
  last_id: idBytes(attempt.id),
  last_trigger: DELIVERY_CAUSE.of[attempt.trigger],
  last_at: millis(attempt.started_at),
  last_duration_ms: attempt.duration_ms,
  last_status: attempt.response_status,
  last_error_kind: attempt.error_kind === null ? null : ERROR_KIND.of[attempt.error_kind],
  last_error_message: attempt.error_message,
  last_headers: attempt.response_headers,
  last_body: attempt.response_body,
});

/**
 * Ends leases with the results of their attempts. Returns the `seq` of those that were still held; a lost lease changes nothing. The last
 * attempt is stored in the delivery's own row: most deliveries have only one attempt, and a separate row would cost as much again.
 */
export const recordResults = (tx: Tx, results: readonly DeliveryResult[]): Promise<Set<number>> =>
  dialectOf(tx).recordResults(tx, results.map(toStored));

/** Ends a lease without a result: the delivery is due at `dueAt`. Nothing happens if the lease was lost. */
export async function releaseLease(tx: Tx, { seq, lease_token }: Lease, dueAt: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: millis(dueAt), lease_owner: null })
    .where('seq', '=', seq)
    .where('lease_token', '=', lease_token)
    .where('lease_owner', 'is not', null)
    .execute();
}

/**
 * Makes a leased delivery due now, because its attempt was cut off. The owner stays on the row, so that the next claim counts the
 * interruption; nothing happens if the lease was lost.
 */
export async function interruptLease(tx: Tx, { seq, lease_token }: Lease, now: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: millis(now) })
    .where('seq', '=', seq)
    .where('lease_token', '=', lease_token)
    .where('lease_owner', 'is not', null)
    .execute();
}

/** Gives back deliveries that this owner has leased and not begun, in the order of `seq`. */
export const releaseUnbegun = (
  tx: Tx,
  { owner, now }: { owner: string; now: string },
  leases: Unbegun['leases'],
): Promise<void> => dialectOf(tx).releaseUnbegun(tx, { owner, now: millis(now), leases });

/**
 * Makes due now the deliveries that these owners have leased, except `but`: the owners are gone. The owner stays on the row, so that
 * the next claim counts the interruption. The token stays too, so that a result that comes before the claim still counts.
 */
export async function endLeases(
  tx: Tx,
  { owners, but, now }: { owners: readonly string[]; but: readonly number[]; now: string },
): Promise<void> {
  for (const part of QUEUE_PARTS) {
    const ended = sql<boolean>`${waitsIn[part]} and due_at > ${millis(now)} and lease_owner in (${sql.join(owners)})
      ${but.length === 0 ? sql`` : sql`and seq not in (${sql.join(but)})`}`;
    await dialectOf(tx).lockDeliveries(tx, ended);
    await tx
      .updateTable('deliveries')
      .set({ due_at: millis(now) })
      .where(ended)
      .execute();
  }
}

/**
 * Makes every leased delivery due now, for a process that knows it is alone: the owners are dead. The owner stays on
 * the row, so that the next claim counts the interruption.
 */
export async function expireLeases(tx: Tx, now: string): Promise<number> {
  let expired = 0;
  for (const part of QUEUE_PARTS) {
    const result = await tx
      .updateTable('deliveries')
      .set({ due_at: millis(now) })
      .where(waitsIn[part])
      .where('lease_owner', 'is not', null)
      .executeTakeFirst();
    expired += Number(result.numUpdatedRows);
  }
  return expired;
}
