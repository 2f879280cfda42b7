import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './schema.ts';
import { waitsIn } from './waits-in.ts';

// What is open, in the two parts that have an index.
const OPEN = Object.values(waitsIn);

/** Makes all leases of one owner end at another moment. */
export async function renewLeases(tx: Tx, owner: string, until: string): Promise<void> {
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({ due_at: until })
      .where(open)
      .where('lease_owner', '=', owner)
      .execute();
  }
}

/** Moves what is scheduled after a moment by so many milliseconds. SQLite only. */
export async function moveSchedule(tx: Tx, { after, ms }: { after: string; ms: number }): Promise<void> {
  const moved = (column: 'due_at' | 'next_attempt_at') =>
    sql<string>`case when ${sql.ref(column)} > ${after} then ${later(column, ms)} else ${sql.ref(column)} end`;
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({ due_at: moved('due_at'), next_attempt_at: moved('next_attempt_at') })
      .where(open)
      .where('lease_owner', 'is', null)
      .execute();
  }
}

/** Moves the moments since when webhooks fail. SQLite only. */
export async function moveFailures(tx: Tx, ms: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ failing_since: later('failing_since', ms) })
    .where('failing_since', 'is not', null)
    .execute();
}

/** Brings what is scheduled for later than `farthest` forward to `instead`. */
export async function limitSchedule(
  tx: Tx,
  { farthest, instead }: { farthest: string; instead: string },
): Promise<void> {
  for (const open of OPEN) {
    await tx
      .updateTable('deliveries')
      .set({ due_at: instead, next_attempt_at: instead })
      .where(open)
      .where('due_at', '>', farthest)
      .execute();
  }
}

/** A stored moment, so many milliseconds later, in the form in which moments are stored. */
function later(column: string, ms: number): RawBuilder<string> {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)}, ${`${(ms / 1_000).toFixed(3)} seconds`})`;
}
