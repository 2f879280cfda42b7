import { type RawBuilder, sql } from 'kysely';

/** The PostgreSQL type of each column. */
type Types<Row> = Readonly<Record<keyof Row & string, 'bigint' | 'integer' | 'smallint' | 'text' | 'bytea'>>;

/**
 * Rows as a table of PostgreSQL, to select from: a parameter for each column, so that the statement is the same for any number of
 * rows, and is prepared once.
 */
export function unnest<Row extends object>(
  rows: readonly Row[],
  types: Types<Row>,
): { columns: RawBuilder<unknown>; table: RawBuilder<unknown> } {
  const names = Object.keys(types) as (keyof Row & string)[];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const arrays = names.map((name) => sql`${rows.map((row) => row[name] ?? null)}::${sql.raw(types[name])}[]`);
  return { columns, table: sql`unnest(${sql.join(arrays)})` };
}
