import { sql } from 'kysely';
import type { IdBytes } from '../../core/columns/columns.ts';
import { READ_WITH_ROW_BYTES } from '../../core/columns/large-text.ts';
import type { Tx } from '../../core/schema.ts';
import type { EventInsert } from '../../core/statements.ts';
import { insertAlone } from '../../events/insert-alone.ts';
import { batched } from '../transactions/batched.ts';
import { unnest } from '../unnest.ts';

const TYPES = {
  id: 'bytea',
  workspace: 'bigint',
  integration_id: 'bytea',
  occurred_at: 'bigint',
  created_at: 'bigint',
  type: 'text',
  source: 'text',
  provider: 'text',
  dedupe_key: 'text',
  summary: 'text',
  payload: 'text',
} as const;

/** `seq` follows the order of the rows. */
const insertBatched = batched<EventInsert, boolean>(async (tx, rows) => {
  const { columns, table } = unnest(rows, TYPES);
  const { rows: inserted } = await sql<{ id: IdBytes }>`
    insert into events (${columns}) select * from ${table} on conflict do nothing returning id`.execute(tx);
  const ids = new Set(inserted.map(({ id }) => id.toString('latin1')));
  return rows.map(({ id }) => ids.has(id.toString('latin1')));
});

// A large payload would make the others wait, and arrays store it with every quote escaped.
export const insertEvent = async (tx: Tx, row: EventInsert): Promise<boolean> =>
  row.payload.length > READ_WITH_ROW_BYTES ? (await insertAlone(tx, row)).rows > 0 : insertBatched(tx, row);
