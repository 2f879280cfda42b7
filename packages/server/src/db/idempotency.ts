import { type IdBytes, idBytesOrNull, idTextOrNull, millis } from './core/columns.ts';
import { preparedChange, preparedRow } from './core/prepared-query.ts';
import type { Db, Tx } from './core/schema.ts';

/** The stored outcome of a request. */
export interface IdempotencyRow {
  /** 128 bits of the hash of who used which key. */
  id: Buffer;
  /** 128 bits of the hash of the request. */
  fingerprint: Buffer;
  status: number;
  /** The event that it published, which gives the response again; `body` is `null` then. */
  event_id: string | null;
  /** The response body; sealed when it shows a secret. */
  body: string | null;
}

type Stored = Omit<IdempotencyRow, 'event_id'> & { event_id: IdBytes | null };

const byId = preparedRow<{ id: Buffer; oldest: number }, Stored>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .select(['id', 'fingerprint', 'status', 'event_id', 'body'])
    .where('id', '=', p('id'))
    .where('created_at', '>', p('oldest')),
);

/** The stored outcome of an earlier request with this key, if it is younger than `oldest`. */
export async function findIdempotent(
  db: Db,
  id: Buffer,
  oldest: string,
): Promise<IdempotencyRow | undefined> {
  const row = await byId(db, { id, oldest: millis(oldest) });
  return row && { ...row, event_id: idTextOrNull('event', row.event_id) };
}

const insert = preparedChange<Stored & { created_at: number }>((db, p) =>
  db
    .insertInto('idempotency_keys')
    .values({
      id: p('id'),
      fingerprint: p('fingerprint'),
      status: p('status'),
      created_at: p('created_at'),
      event_id: p('event_id'),
      body: p('body'),
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/**
 * Stores an outcome; `false` if the key has one already that is not older than `oldest`. On PostgreSQL this waits for a
 * concurrent transaction with the same key to end.
 */
export async function insertIdempotent(
  tx: Tx,
  outcome: IdempotencyRow,
  { now, oldest }: { now: string; oldest: string },
): Promise<boolean> {
  const row = { ...outcome, event_id: idBytesOrNull(outcome.event_id), created_at: millis(now) };
  if ((await insert(tx, row)).rows > 0) return true;
  // A new row rather than the old one changed: `seq` stays the order of age, in which rows are removed.
  await tx
    .deleteFrom('idempotency_keys')
    .where('id', '=', row.id)
    .where('created_at', '<=', millis(oldest))
    .execute();
  return (await insert(tx, row)).rows > 0;
}
