import { sql } from 'kysely';
import { ANY_ROWS, changing } from '../../core/cache/changing.ts';
import { isoTimeOrNull } from '../../core/columns/columns.ts';
import { millis } from '../../../domain/time.ts';
import type { Tx } from '../../core/schema.ts';
import { dialectOf } from '../../dialect-of.ts';
import { waitsIn } from './waits-in.ts';

// Open deliveries, in the two parts that have an index.
const OPEN = Object.values(waitsIn);

/** Moves the end of all leases of one owner. */
export async function renewLeases(tx: Tx, owner: string, until: string): Promise<void> {
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({ due_at: millis(until) })
      .where(open)
      .where('lease_owner', '=', owner)
      .execute();
  }
}

/**
 * Moves everything that is scheduled after a moment by `ms` milliseconds, for an owner that knows it is alone: all other leases belong to
 * dead processes. Its own leases stay, but the time at which the schedule continues after them moves.
 */
export async function moveSchedule(
  tx: Tx,
  { owner, after, ms }: { owner: string; after: string; ms: number },
): Promise<void> {
  const moved = (column: 'due_at' | 'next_attempt_at') =>
    sql<number>`case when ${sql.ref(column)} > ${millis(after)} then ${sql.ref(column)} + ${Math.round(ms)} else ${sql.ref(column)} end`;
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({
        due_at: sql<number>`case when lease_owner = ${owner} then due_at else ${moved('due_at')} end`,
        next_attempt_at: moved('next_attempt_at'),
      })
      .where(open)
      .execute();
  }
}

/** The time at which the schedule of each of these deliveries continues, by `seq`. */
export async function findNextAttempts(tx: Tx, seqs: readonly number[]): Promise<Map<number, string | null>> {
  const rows = await tx
    .selectFrom('deliveries')
    .select(['seq', 'next_attempt_at'])
    .where('seq', 'in', seqs)
    .execute();
  return new Map(rows.map((row) => [row.seq, isoTimeOrNull(row.next_attempt_at)]));
}

/** Moves the times at which webhooks began to fail by `ms` milliseconds, at most to `latest`: a later time would hide a success. */
export async function moveFailures(tx: Tx, { ms, latest }: { ms: number; latest: string }): Promise<void> {
  const moved = dialectOf(tx).moved('failing_since', ms);
  await changing(tx, 'webhooks', ANY_ROWS)
    .update()
    .set({ failing_since: sql<string>`case when ${moved} < ${latest} then ${moved} else ${latest} end` })
    .where('failing_since', 'is not', null)
    .execute();
}

/** Brings deliveries that are due later than `farthest` forward to `instead`. */
export async function limitSchedule(
  tx: Tx,
  { farthest, instead }: { farthest: string; instead: string },
): Promise<void> {
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({ due_at: millis(instead), next_attempt_at: millis(instead) })
      .where(open)
      .where('due_at', '>', millis(farthest))
      .execute();
  }
}
