import type { Selectable } from 'kysely';
import { hot } from './hot.ts';
import type { Database, Db, Tx } from './schema.ts';

export type IdempotencyRow = Selectable<Database['idempotency_keys']>;

interface Key {
  scope: string;
  key: string;
}

const byKey = hot<Key & { oldest: string }, IdempotencyRow>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('scope', '=', p('scope'))
    .where('key', '=', p('key'))
    .where('created_at', '>', p('oldest')),
);

/** The stored outcome of an earlier request with this key, if it is younger than `oldest`. */
export async function findIdempotent(db: Db, id: Key, oldest: string): Promise<IdempotencyRow | undefined> {
  const [row] = await byKey(db, { scope: id.scope, key: id.key, oldest });
  return row;
}

const insert = hot<IdempotencyRow & { oldest: string }, { key: string }>((db, p) => {
  const outcome = {
    fingerprint: p('fingerprint'),
    status: p('status'),
    body: p('body'),
    created_at: p('created_at'),
  };
  return db
    .insertInto('idempotency_keys')
    .values({ scope: p('scope'), key: p('key'), ...outcome })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet(outcome)
        .where('idempotency_keys.created_at', '<=', p('oldest')),
    )
    .returning('key');
});

/**
 * Stores an outcome; `false` if the key has one already that is not older than `oldest`. On PostgreSQL this waits for a
 * concurrent transaction with the same key to end.
 */
export async function insertIdempotent(tx: Tx, row: IdempotencyRow, oldest: string): Promise<boolean> {
  const stored = await insert(tx, { ...row, oldest });
  return stored.length > 0;
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
