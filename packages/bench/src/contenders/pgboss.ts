import { Worker } from '../process/worker.ts';
import type { Contender } from './contender.ts';
import { peerTarget } from './peer-target.ts';
import type { PgbossMethods } from './workers/pgboss.worker.ts';
import { startPostgres } from './postgres.ts';

/** pg-boss on PostgreSQL. */
export const pgboss: Contender = {
  name: 'pgboss',
  missing: () => null,
  share: 0.25,
  async start({ folder, receiverUrl }) {
    const postgres = await startPostgres(folder);
    const worker = new Worker<PgbossMethods>(new URL('workers/pgboss.worker.ts', import.meta.url));
    const target = peerTarget(await worker.call('start', { databaseUrl: postgres.url, receiverUrl }));
    return {
      target,
      pids: [worker.pid, ...postgres.pids],
      recorded: () => postgres.count("select count(*) from pgboss.job where state = 'completed'"),
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        await postgres[Symbol.asyncDispose]();
      },
    };
  },
};
