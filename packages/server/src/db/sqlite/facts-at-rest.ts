import { existsSync } from 'node:fs';
import { openFile } from './open-file.ts';
import type { DatabaseFacts } from './sqlite-copy.ts';

/**
 * Reads what a database that no server uses says about itself; of one before its first start, nothing. Changes nothing, and leaves the files
 * beside it as they were. Throws the errors of SQLite.
 */
export function factsAtRest(file: string): DatabaseFacts {
  // SQLite needs a log to read. Who may write removes one that was made for that; who may not keeps that of a server that crashed.
  const database = openFile(file, { readonly: existsSync(`${file}-wal`) });
  const column = (table: string, query: string): string[] =>
    database.prepare('select 1 from sqlite_schema where name = ?').get(table) === undefined
      ? []
      : database.prepare<[], string>(query).pluck().all();
  try {
    database.pragma('query_only = on');
    const [fingerprint = null] = column(
      'meta',
      `select value from meta where key = 'master_key_fingerprint'`,
    );
    return { migrations: column('migrations', 'select name from migrations order by name'), fingerprint };
  } finally {
    database.close();
  }
}
