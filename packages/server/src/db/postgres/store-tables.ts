import { sql } from 'kysely';
import { ANY_ROWS, changing } from '../core/cache/changing.ts';
import { isCached } from '../core/cache/sources.ts';
import type { Tx } from '../core/schema.ts';
import type { StoredTable } from '../sqlite/file/read-tables.ts';

const BATCH_ROWS = 1_000;
// A row may hold a payload of a megabyte, and travels as text.
const BATCH_CHARACTERS = 4_000_000;

/** A table with rows, other than the list of migrations; `null` in an empty database. */
export async function filledTable(tx: Tx): Promise<string | null> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'migrations'`.execute(
    tx,
  );
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(tx);
    if (rows.length > 0) return name;
  }
  return null;
}

/** Stores a table from another database with the same schema; it must have no rows here. Returns the number of rows. */
export async function storeTable(tx: Tx, { name, columns, rows, lastSeq }: StoredTable): Promise<number> {
  const types = await columnTypes(tx, name);
  if (isCached(name)) changing(tx, name, ANY_ROWS);
  const insert = async (batch: readonly (readonly unknown[])[]) => {
    const arrays = columns.map((column, index) => {
      const type = types.get(column);
      if (type === undefined) throw new Error(`PostgreSQL has no column ${name}.${column}.`);
      return sql`${batch.map((row) => row[index])}::${sql.raw(type)}[]`;
    });
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      overriding system value select * from unnest(${sql.join(arrays)})`.execute(tx);
  };
  let stored = 0;
  for (const batch of inBatches(rows)) {
    await insert(batch);
    stored += batch.length;
  }
  await continueNumbers(tx, name, lastSeq);
  return stored;
}

function* inBatches(rows: Iterable<readonly unknown[]>): Generator<(readonly unknown[])[]> {
  let batch: (readonly unknown[])[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of row) if (typeof value === 'string') characters += value.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

async function columnTypes(tx: Tx, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(tx);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** The next row gets a number that no row has had: cursors and the order of lists depend on it. */
async function continueNumbers(tx: Tx, table: string, lastSeq: number | null): Promise<void> {
  const { rows } = await sql<{ sequence: string | null }>`
    select case when exists (
      select from pg_attribute where attrelid = ${table}::regclass and attname = 'seq' and attidentity <> ''
    ) then pg_get_serial_sequence(${table}, 'seq') end as sequence`.execute(tx);
  const sequence = rows[0]?.sequence ?? null;
  if (sequence === null) return;
  await sql`select setval(${sequence}, last) from (
    select greatest(${lastSeq}::bigint, (select max(seq) from ${sql.table(table)})) as last
  ) as numbers where last > 0`.execute(tx);
}
