import { sql } from 'kysely';
import { type IdBytes, idBytesOrNull, idTextOrNull, millis } from './core/columns.ts';
import { dialectOf } from './core/dialect-of.ts';
import { preparedChange, preparedRow } from './core/prepared-query.ts';
import type { Db, Tx } from './core/schema.ts';
import { together } from './postgres/together.ts';
import { unnest } from './postgres/unnest.ts';

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

const findTogether = together<{ id: Buffer; oldest: number }, Stored | undefined>(async (db, wanted) => {
  const { columns, table } = unnest(wanted, { id: 'bytea', oldest: 'bigint' });
  const { rows } = await sql<Stored>`
    select k.* from ${table} as wanted (${columns}) cross join lateral (
      select id, fingerprint, status, event_id, body from idempotency_keys
      where id = wanted.id and created_at > wanted.oldest offset 0
    ) as k`.execute(db);
  const byKey = new Map(rows.map((row) => [row.id.toString('latin1'), row]));
  return wanted.map(({ id }) => byKey.get(id.toString('latin1')));
});

/** The stored outcome of an earlier request with this key, if it is younger than `oldest`. */
export async function findIdempotent(
  db: Db,
  id: Buffer,
  oldest: string,
): Promise<IdempotencyRow | undefined> {
  const wanted = { id, oldest: millis(oldest) };
  const row = await (dialectOf(db).isDirect ? byId(db, wanted) : findTogether(db, wanted));
  return row && { ...row, event_id: idTextOrNull('event', row.event_id) };
}

type Inserted = Stored & { created_at: number };

const insert = preparedChange<Inserted>((db, p) =>
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

const TYPES = {
  id: 'bytea',
  fingerprint: 'bytea',
  status: 'smallint',
  created_at: 'bigint',
  event_id: 'bytea',
  body: 'text',
} as const;

/** In the order of their ids, so that of two groups with the same keys one waits for the other, and not each for each. */
const insertTogether = together<Inserted, boolean>(async (tx, rows) => {
  const { columns, table } = unnest(
    rows.toSorted((a, b) => a.id.compare(b.id)),
    TYPES,
  );
  const { rows: inserted } = await sql<{ id: Buffer }>`
    insert into idempotency_keys (${columns}) select * from ${table} on conflict (id) do nothing returning id`.execute(
    tx,
  );
  const left = new Set(inserted.map(({ id }) => id.toString('latin1')));
  // Of two with the same key, one was inserted.
  return rows.map(({ id }) => left.delete(id.toString('latin1')));
});

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
  if (dialectOf(tx).isDirect ? (await insert(tx, row)).rows > 0 : await insertTogether(tx, row)) return true;
  // A new row rather than the old one changed: `seq` stays the order of age, in which rows are removed.
  await tx
    .deleteFrom('idempotency_keys')
    .where('id', '=', row.id)
    .where('created_at', '<=', millis(oldest))
    .execute();
  return (await insert(tx, row)).rows > 0;
}
