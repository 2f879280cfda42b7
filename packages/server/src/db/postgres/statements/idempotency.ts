import { sql } from 'kysely';
import type { OutcomeInsert, StoredOutcome } from '../../core/statements.ts';
import { batched } from '../transactions/batched.ts';
import { unnest } from '../unnest.ts';

export const findOutcome = batched<{ id: Buffer; oldest: number }, StoredOutcome | undefined>(
  async (db, wanted) => {
    const { columns, table } = unnest(wanted, { id: 'bytea', oldest: 'bigint' });
    const { rows } = await sql<StoredOutcome>`
    select k.* from ${table} as wanted (${columns}) cross join lateral (
      select id, fingerprint, status, event_id, body from idempotency_keys
      where id = wanted.id and created_at > wanted.oldest offset 0
    ) as k`.execute(db);
    const byKey = new Map(rows.map((row) => [row.id.toString('latin1'), row]));
    return wanted.map(({ id }) => byKey.get(id.toString('latin1')));
  },
);

const TYPES = {
  id: 'bytea',
  fingerprint: 'bytea',
  status: 'smallint',
  created_at: 'bigint',
  event_id: 'bytea',
  body: 'text',
} as const;

/** Inserts in the order of IDs, so that two groups with the same keys do not deadlock. */
export const insertOutcome = batched<OutcomeInsert, boolean>(async (tx, rows) => {
  const { columns, table } = unnest(
    rows.toSorted((a, b) => a.id.compare(b.id)),
    TYPES,
  );
  const { rows: inserted } = await sql<{ id: Buffer }>`
    insert into idempotency_keys (${columns}) select * from ${table} on conflict (id) do nothing returning id`.execute(
    tx,
  );
  const left = new Set(inserted.map(({ id }) => id.toString('latin1')));
  // If two have the same key, only one was inserted.
  return rows.map(({ id }) => left.delete(id.toString('latin1')));
});
