import type { Database } from '../../core/schema.ts';
import { openFile } from './open-file.ts';

/** A table with its rows, to be stored elsewhere. */
export interface StoredTable {
  name: keyof Database;
  columns: readonly string[];
  /** The rows in the order in which they were stored, each with its values in the order of `columns`. Read while they are iterated. */
  rows: Iterable<readonly unknown[]>;
  /** The last number that the database has given to a row, which may be gone; `null` if it gives no numbers. */
  lastSeq: number | null;
}

/**
 * Reads the tables of a database that nobody writes to, each after those that it refers to, without the list of migrations. The rows of
 * a table must be read before the next table is.
 */
export function* readTables(file: string): Generator<StoredTable> {
  const database = openFile(file, { readonly: true });
  try {
    const names = database
      .prepare<[], keyof Database>(
        `select name from sqlite_schema where type = 'table' and name <> 'migrations' and name not like 'sqlite%' order by rowid`,
      )
      .pluck()
      .all();
    const lastSeqOf = database
      .prepare<[string], number>('select seq from sqlite_sequence where name = ?')
      .pluck();
    for (const name of names) {
      const table = database.prepare<[], unknown[]>(`select * from "${name}"`).raw();
      const columns = table.columns().map((column) => column.name);
      yield { name, columns, rows: table.iterate(), lastSeq: lastSeqOf.get(name) ?? null };
    }
  } finally {
    database.close();
  }
}
