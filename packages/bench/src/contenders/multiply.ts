import type SQLite from 'better-sqlite3';

/** Column → SQL expression for its value; `n` counts the new rows from 1, `t` is the row that is copied. */
type Overrides = Readonly<Record<string, string>>;

/** Rows per transaction: few enough that the write-ahead log stays small. */
const SLICE = 100_000;

/**
 * Copies the first row of a table many times, with new values for some columns. The server has written that row, so this
 * code does not depend on columns that come and go.
 */
export function multiply(
  db: SQLite.Database,
  { table, rows, overrides }: { table: string; rows: number; overrides: Overrides },
): void {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'seq');
  const values = columns.map((name) => overrides[name] ?? `t.${name}`);
  const insert = db.prepare(
    `with recursive counted(n) as (select @first union all select n + 1 from counted where n < @last),
       pattern as materialized (select * from ${table} order by rowid limit 1)
     insert into ${table} (${columns.join(', ')})
     select ${values.join(', ')} from counted, pattern t`,
  );
  for (let first = 1; first <= rows; first += SLICE) {
    insert.run({ first, last: Math.min(first + SLICE - 1, rows) });
  }
}

/** SQL for the ID of a copied row, 16 bytes: ordered by its number, and unlike any ID that the server makes. */
export const copiedId = (first: number): string => `unhex(printf('%032x', n + ${first}))`;
