import type { TestProject } from 'vitest/node';
import { startPostgres } from './start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for tests, with the right to create databases. */
    postgresUrl: string;
  }
}

/** Starts one PostgreSQL server for the run; every test server and every suite takes a database of its own on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres();
  project.provide('postgresUrl', url);
  return stop;
}
