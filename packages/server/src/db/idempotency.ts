import type { Selectable } from 'kysely';
import type { Database, Db, Tx } from './schema.ts';

export type IdempotencyRow = Selectable<Database['idempotency_keys']>;

/** The stored outcome of an earlier request with this key, if it is younger than `oldest`. */
export async function findIdempotent(
  db: Db,
  id: { scope: string; key: string },
  oldest: string,
): Promise<IdempotencyRow | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('scope', '=', id.scope)
    .where('key', '=', id.key)
    .where('created_at', '>', oldest)
    .executeTakeFirst();
}

/**
 * Stores an outcome; `false` if the key has a younger one already. An expired row gives way. On PostgreSQL this waits
 * for a concurrent transaction with the same key to end.
 */
export async function insertIdempotent(tx: Tx, row: IdempotencyRow, oldest: string): Promise<boolean> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('scope', '=', row.scope)
    .where('key', '=', row.key)
    .where('created_at', '<=', oldest)
    .execute();
  const inserted = await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Replaces the outcome that this transaction itself has inserted. */
export async function setIdempotentOutcome(
  tx: Tx,
  id: { scope: string; key: string },
  outcome: { status: number; body: string },
): Promise<void> {
  await tx.updateTable('idempotency_keys').set(outcome).where('scope', '=', id.scope).where('key', '=', id.key).execute();
}

/** Removes expired outcomes, a bounded number at a time; how many. */
export async function pruneIdempotent(tx: Tx, oldest: string, limit: number): Promise<number> {
  const result = await tx
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('scope', 'key'),
        'in',
        selectFrom('idempotency_keys')
          .select(['scope', 'key'])
          .where('created_at', '<=', oldest)
          .limit(limit)
          .$asTuple('scope', 'key'),
      ),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
