import { ConfigError, type ServerConfig } from '../../config/config.ts';
import { databaseFileOf, lockDataDirectory } from '../../data-directory/data-directory.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import type { Tx } from '../../db/core/schema.ts';
import { expireJobLeases } from '../../db/jobs.ts';
import { migrate, OlderDatabase } from '../../db/migrations/migrate.ts';
import { readTables } from '../../db/sqlite/file/read-tables.ts';
import { expireLeases } from '../../db/webhooks/queue/delivery-leases.ts';
import { shellWord } from '../../system/shell-word.ts';
import { explainDatabaseError } from './explain-database-error.ts';
import { openStorage } from './open-storage.ts';

/** The copied rows. */
export interface CopiedDatabase {
  workspaces: number;
  events: number;
  deliveries: number;
  /** The rows of all tables. */
  rows: number;
}

/**
 * Copies the SQLite database of a data directory into an empty PostgreSQL database, while no server runs on either: everything in one
 * transaction, or nothing. The master key stays where it is, and a server on the copy needs it. SQLite's database is unchanged. Throws
 * `ConfigError`.
 */
export async function copyToPostgres(
  config: ServerConfig & { databaseUrl: string },
  now: Date,
): Promise<CopiedDatabase> {
  const { databaseUrl, ...source } = config;
  const lock = lockDataDirectory(config.data, '');
  try {
    // Refuses an older schema and another master key, and copies the log of the last server into the database.
    const { store } = await openStorage(source, now).catch((error: unknown) => {
      throw error instanceof OlderDatabase ? olderSource(config.data) : error;
    });
    await store.close();
    return await fill(config, databaseUrl, now);
  } finally {
    lock.release();
  }
}

/** Names the database that is to be migrated: with the URL of the copy, the command would migrate that. */
function olderSource(data: string): OlderDatabase {
  return new OlderDatabase(
    `The SQLite database was made by an older version of Hubline. Nothing was copied. Migrate it first, ` +
      `without --database-url and HUBLINE_DATABASE_URL: hubline server migrate --data ${shellWord(data)}`,
  );
}

async function fill(
  { data, databaseConnections: connections }: ServerConfig,
  databaseUrl: string,
  now: Date,
): Promise<CopiedDatabase> {
  const { openPostgres } = await import('../../db/postgres/postgres-store.ts');
  try {
    const store = openPostgres(databaseUrl, { connections });
    try {
      // Before its tables are made: they must not come to those of another program.
      await store.write(requireEmpty);
      await migrate(store, now, { upgrade: false });
      return await store.write((tx) => copyTables(tx, databaseFileOf(data), now));
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explainDatabaseError(error, databaseUrl);
  }
}

async function requireEmpty(tx: Tx): Promise<void> {
  const { filledTable } = await import('../../db/postgres/store-tables.ts');
  const table = await filledTable(tx);
  if (table === null) return;
  throw new ConfigError(
    `The PostgreSQL database is not empty: its table ${table} has rows. Nothing was copied. Name an empty database, or empty this one first.`,
  );
}

async function copyTables(tx: Tx, file: string, now: Date): Promise<CopiedDatabase> {
  const { storeTable } = await import('../../db/postgres/store-tables.ts');
  // A server that starts on the database meanwhile waits.
  await dialectOf(tx).lockForMigration(tx);
  await requireEmpty(tx);
  const counts = new Map<string, number>();
  for (const table of readTables(file)) counts.set(table.name, await storeTable(tx, table));
  // The process that had leased them is gone, and the servers on PostgreSQL do not know it.
  await expireLeases(tx, now.toISOString());
  await expireJobLeases(tx, now.getTime());
  const of = (table: string) => counts.get(table) ?? 0;
  return {
    workspaces: of('workspaces'),
    events: of('events'),
    deliveries: of('deliveries'),
    rows: [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}
