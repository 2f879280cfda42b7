import { existsSync } from 'node:fs';
import { openFile } from './file/open-file.ts';
import type { DatabaseInfo } from './file/sqlite-copy.ts';

/**
 * Reads what a database holds about itself while no server uses it: none before the first start. Changes
 * neither the database nor the files beside it. Throws SQLite's errors.
 */
export function infoAtRest(file: string): DatabaseInfo {
  // SQLite needs a log to read. A connection that can write removes the one it has made; a read-only one
  // keeps the log of a crashed server.
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
