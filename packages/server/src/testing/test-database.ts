import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A PostgreSQL database for one test. */
export interface TestDatabase {
  name: string;
  url: string;
  /** Drops the database, and ends the connections to it. */
  drop(): Promise<void>;
}

/**
 * Creates a database on the PostgreSQL server behind `serverUrl`: empty, or a copy of `template`, which must have no
 * connections.
 */
export async function createTestDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `hubline_test_${randomBytes(8).toString('hex')}`;
  await execute(serverUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

// A connection is a process of PostgreSQL, which takes longer to start than to create a database.
const pools = new Map<string, pg.Pool>();

function poolOf(serverUrl: string): pg.Pool {
  let pool = pools.get(serverUrl);
  if (!pool) {
    pool = new pg.Pool({ connectionString: serverUrl, allowExitOnIdle: true });
    // A server that stops closes idle connections; the next statement opens another.
    pool.on('error', () => {});
    pools.set(serverUrl, pool);
  }
  return pool;
}

async function execute(serverUrl: string, statement: string): Promise<void> {
  await poolOf(serverUrl).query(statement);
}
