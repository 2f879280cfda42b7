import type { Selectable } from 'kysely';
import { hotChange, hotRow } from './hot.ts';
import type { Database, Db, Tx } from './schema.ts';

export type IdempotencyRow = Omit<Selectable<Database['idempotency_keys']>, 'seq'>;

const byId = hotRow<{ id: string; oldest: string }, IdempotencyRow>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .select(['id', 'fingerprint', 'status', 'body', 'result_id', 'created_at'])
    .where('id', '=', p('id'))
    .where('created_at', '>', p('oldest')),
);

/** The stored outcome of an earlier request with this key, if it is younger than `oldest`. */
export function findIdempotent(db: Db, id: string, oldest: string): Promise<IdempotencyRow | undefined> {
  return byId(db, { id, oldest });
}

const insert = hotChange<IdempotencyRow>((db, p) =>
  db
    .insertInto('idempotency_keys')
    .values({
      id: p('id'),
      fingerprint: p('fingerprint'),
      status: p('status'),
      body: p('body'),
      result_id: p('result_id'),
      created_at: p('created_at'),
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/**
 * Stores an outcome; `false` if the key has one already that is not older than `oldest`. On PostgreSQL this waits for a
 * concurrent transaction with the same key to end.
 */
export async function insertIdempotent(tx: Tx, row: IdempotencyRow, oldest: string): Promise<boolean> {
  if ((await insert(tx, row)).rows > 0) return true;
  // A new row rather than the old one changed: `seq` stays the order of age, in which rows are removed.
  await tx
    .deleteFrom('idempotency_keys')
    .where('id', '=', row.id)
    .where('created_at', '<=', oldest)
    .execute();
  return (await insert(tx, row)).rows > 0;
}
