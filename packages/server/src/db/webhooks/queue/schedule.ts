import { sql } from 'kysely';
import { ANY_ROWS, changing } from '../../core/cache/changing.ts';
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

/** Moves deliveries that are scheduled after a moment by `ms` milliseconds. */
export async function moveSchedule(tx: Tx, { after, ms }: { after: string; ms: number }): Promise<void> {
  const moved = (column: 'due_at' | 'next_attempt_at') =>
    sql<number>`case when ${sql.ref(column)} > ${millis(after)} then ${sql.ref(column)} + ${Math.round(ms)} else ${sql.ref(column)} end`;
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({ due_at: moved('due_at'), next_attempt_at: moved('next_attempt_at') })
      .where(open)
      .where('lease_owner', 'is', null)
      .execute();
  }
}

/** Moves the times since which webhooks are failing. */
export async function moveFailures(tx: Tx, ms: number): Promise<void> {
  await changing(tx, 'webhooks', ANY_ROWS)
    .update()
    .set({ failing_since: dialectOf(tx).moved('failing_since', ms) })
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
