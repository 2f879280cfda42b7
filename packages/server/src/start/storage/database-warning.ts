import type { ServerConfig } from '../../config/config.ts';
import { connectError } from '../../db/postgres/postgres-error.ts';

const CONNECT_MS = 5_000;

/**
 * Warns of a PostgreSQL that would refuse the server now; `null` if it accepts it, and for SQLite. Throws `ConfigError`
 * for a URL that the driver cannot use, such as one that names a missing file.
 */
export async function databaseWarning({
  databaseUrl,
}: Pick<ServerConfig, 'databaseUrl'>): Promise<string | null> {
  if (databaseUrl === undefined) return null;
  // Loaded only now: a server on SQLite saves the memory of the driver.
  const { explainDatabaseError, requireUsableUrl, takesOnlyReads } =
    await import('./explain-database-error.ts');
  requireUsableUrl(databaseUrl);
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS });
  // A connection that is lost later also emits this event, besides the rejection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // As a start does: some poolers refuse this, and a replica writes nothing.
    await client.query('begin');
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    return rows[0]?.transaction_read_only === 'on' ? refused(takesOnlyReads(databaseUrl)) : null;
  } catch (error) {
    return refused(explainDatabaseError(connectError(error), databaseUrl));
  } finally {
    await client.end().catch(() => undefined);
  }
}

const refused = (why: unknown): string =>
  `A start would be refused now: ${why instanceof Error ? why.message : String(why)}`;
