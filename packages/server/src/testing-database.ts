import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A PostgreSQL database for one test. */
export interface TestDatabase {
  url: string;
  /** Removes it, with whatever is still connected to it. */
  drop(): Promise<void>;
}

/** Creates an empty database on the PostgreSQL server behind `serverUrl`. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `hubline_test_${randomBytes(8).toString('hex')}`;
  await execute(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`) };
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
