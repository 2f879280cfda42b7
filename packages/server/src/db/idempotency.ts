import { idBytesOrNull, idTextOrNull } from './core/columns/columns.ts';
import { millis } from '../domain/time.ts';
import { dialectOf } from './dialect-of.ts';
import { andThen, type Awaitable } from './core/awaitable.ts';
import type { Db, Tx } from './core/schema.ts';
import type { OutcomeInsert, StoredOutcome } from './core/statements.ts';

/** The stored outcome of a request. */
export interface IdempotencyRow {
  /** 128 bits of the hash of the user, the workspace and the key. */
  id: Buffer;
  /** 128 bits of the hash of the request. */
  fingerprint: Buffer;
  status: number;
  /** The event that it published, from which the response is made again; `body` is `null` then. */
  event_id: string | null;
  /** The response body; sealed when it shows a secret. */
  body: string | null;
}

/** The stored outcome of an earlier request with this key, if it is younger than `oldest`. */
export function findIdempotent(db: Db, id: Buffer, oldest: string): Awaitable<IdempotencyRow | undefined> {
  return andThen(dialectOf(db).findOutcome(db, { id, oldest: millis(oldest) }), toRow);
}

const toRow = (row: StoredOutcome | undefined): IdempotencyRow | undefined =>
  row && { ...row, event_id: idTextOrNull('event', row.event_id) };

/**
 * Stores an outcome; `false` if the key has one already that is not older than `oldest`. On PostgreSQL this waits for a
 * concurrent transaction with the same key to end.
 */
export function insertIdempotent(
  tx: Tx,
  outcome: IdempotencyRow,
  { now, oldest }: { now: string; oldest: string },
): Awaitable<boolean> {
  const { id, fingerprint, status, body } = outcome;
  const event = idBytesOrNull(outcome.event_id);
  const row: OutcomeInsert = { id, fingerprint, status, body, event_id: event, created_at: millis(now) };
  return andThen(
    dialectOf(tx).insertOutcome(tx, row),
    (isStored) => isStored || replaceOutcome(tx, row, millis(oldest)),
  );
}

/** Replaces an outcome that is too old. */
async function replaceOutcome(tx: Tx, row: OutcomeInsert, oldest: number): Promise<boolean> {
  // A new row, not an update: rows are removed by age, and `seq` must stay in that order.
  await tx
    .deleteFrom('idempotency_keys')
    .where('id', '=', row.id)
    .where('created_at', '<=', oldest)
    .execute();
  return dialectOf(tx).insertOutcome(tx, row);
}
