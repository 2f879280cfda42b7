import { PostgresAdapter } from 'kysely';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import type { Dialect } from './core/dialect.ts';
import type { Db } from './core/schema.ts';

/** The dialect of the database behind a handle. */
export const dialectOf = (db: Db): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? postgresDialect : sqliteDialect;
