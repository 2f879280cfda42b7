import { type RawBuilder, sql } from 'kysely';
import type { IdBytes } from '../../core/columns/columns.ts';
import type { Tx } from '../../core/schema.ts';
import type { DeliveryInsert, StoredBody } from '../../core/statements.ts';
import { selectBody } from '../../webhooks/stored-body.ts';
import { batched } from '../transactions/batched.ts';
import { unnest } from '../unnest.ts';

const TYPES = {
  id: 'bytea',
  workspace: 'bigint',
  webhook_id: 'bytea',
  event_id: 'bytea',
  event_type: 'smallint',
  status: 'smallint',
  trigger: 'smallint',
  attempt_count: 'integer',
  scheduled_count: 'integer',
  next_attempt_at: 'bigint',
  manual: 'smallint',
  due_at: 'bigint',
  lease_owner: 'text',
  lease_token: 'integer',
  interruptions: 'integer',
  created_at: 'bigint',
  completed_at: 'bigint',
  body: 'text',
} as const;

// The parameters of one statement take about a megabyte.
const ROWS_MAX = 2_000;

export const insertDeliveries = batched<readonly DeliveryInsert[], number[]>(async (tx, groups) => {
  const all = groups.flat();
  const seqOf = new Map<string, number>();
  for (let start = 0; start < all.length; start += ROWS_MAX) {
    const { columns, table } = unnest(all.slice(start, start + ROWS_MAX), TYPES);
    const { rows: inserted } = await sql<{ seq: number; id: IdBytes }>`
      insert into deliveries (${columns}) select * from ${table} returning seq, id`.execute(tx);
    for (const { id, seq } of inserted) seqOf.set(id.toString('latin1'), seq);
  }
  return groups.map((rows) => rows.map(({ id }) => seqOf.get(id.toString('latin1')) ?? 0));
});

export const findBody = batched<number, StoredBody | undefined>(async (db, seqs) => {
  const rows = await selectBody(db)
    .select('deliveries.seq')
    .where(sql<boolean>`deliveries.seq = any(${seqs}::bigint[])`)
    .execute();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.map((seq) => bySeq.get(seq));
});

export async function lockDeliveries(tx: Tx, which: RawBuilder<boolean>): Promise<void> {
  await sql`
    select count(*) from (select seq from deliveries where ${which} order by seq for update) as locked`.execute(
    tx,
  );
}
