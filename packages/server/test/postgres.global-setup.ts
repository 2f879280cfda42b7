import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../src/db/postgres/postgres-store.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { createTestDatabase } from '../src/testing/test-database.ts';
import { startPostgres } from './start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for tests, with the right to create databases. */
    postgresUrl: string;
    /**
     * A database there that holds the schema and nothing else: copying it takes a fraction of the time of a migration.
     */
    postgresTemplate: string;
  }
}

/** Starts one PostgreSQL server for the run; every test server and every suite takes its own database on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres();
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', await migratedDatabase(url));
  return stop;
}

async function migratedDatabase(serverUrl: string): Promise<string> {
  const { name, url } = await createTestDatabase(serverUrl);
  const store = openPostgres(url);
  await migrate(store, new Date());
  await store.close();
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  // A database cannot be copied while anybody is connected to it, PostgreSQL's own processes included.
  await client.query(`alter database ${name} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
    name,
  ]);
  await client.end();
  return name;
}
