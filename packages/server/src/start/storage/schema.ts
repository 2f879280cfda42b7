import SQLite from 'better-sqlite3';
import type { ServerConfig } from '../../config/config.ts';
import { MIGRATIONS } from '../../db/migrations/migrate.ts';
import { readDatabaseInfo } from '../../db/sqlite/file/sqlite-copy.ts';
import { databaseFileOf, hasDatabase } from '../../data-directory/data-directory.ts';

/** The newest migration of this version, such as `0005-statistics-by-name`. */
export const SCHEMA = MIGRATIONS.at(-1)?.name ?? '';

/** The newest migration of the database in a data directory; `null` if there is no database. Throws for a damaged one. */
export function schemaOf({ data }: Pick<ServerConfig, 'data'>): string | null {
  return hasDatabase(data) ? (readDatabaseInfo(databaseFileOf(data)).migrations.at(-1) ?? null) : null;
}

/** The version of SQLite, by a query; `null` if its native module cannot be loaded. */
export function sqliteVersion(): string | null {
  try {
    const database = new SQLite(':memory:');
    const version = database.prepare('select sqlite_version()').pluck().get();
    database.close();
    return String(version);
  } catch {
    return null;
  }
}
