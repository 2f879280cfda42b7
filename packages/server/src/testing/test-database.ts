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

async function execute(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
