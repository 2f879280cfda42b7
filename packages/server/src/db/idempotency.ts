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
 * Stores an outcome; `false` if the key has one already that is not older than `oldest`. On PostgreSQL this waits for a
 * concurrent transaction with the same key to end.
 */
export async function insertIdempotent(tx: Tx, row: IdempotencyRow, oldest: string): Promise<boolean> {
  const { scope: _scope, key: _key, ...outcome } = row;
  const stored = await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet(outcome)
        .where('idempotency_keys.created_at', '<=', oldest),
    )
    .returning('key')
    .executeTakeFirst();
  return stored !== undefined;
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
