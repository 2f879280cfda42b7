import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { openAttemptCounter } from './attempt-counter.ts';
import type { Contender } from './contender.ts';
import {
  createHublineData,
  type HublineOptions,
  type HublineServer,
  startHubline,
} from './hubline-server.ts';
import { startPostgres } from './postgres.ts';

/** The real server as users run it, with its default settings; only the rate limit is raised. */
export const hubline = (options: HublineOptions): Contender => ({
  name: 'hubline',
  missing: () => null,
  share: 1,
  async start({ folder, receiverUrl }) {
    const server = await startHubline(await createHublineData(folder, options), options);
    await server.webhook(receiverUrl);
    const counter = openAttemptCounter(server.database);
    const empty = sizeOf(server.database);
    return {
      target: server.events(),
      pids: [server.pid],
      recorded: counter.recorded,
      stored: () => sizeOf(server.database) - empty,
      async [Symbol.asyncDispose]() {
        counter[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
});

/** The same server, with `batch` events in each request. */
export const hublineBatch = (options: HublineOptions, batch: number): Contender => {
  const single = hubline(options);
  return {
    ...single,
    name: 'hubline_batch',
    async start(place) {
      const running = await single.start(place);
      const { target } = running;
      return { ...running, target: { ...target, path: `${target.path}/batch`, batch } };
    },
  };
};

/** The same server on PostgreSQL, in one or more processes. */
export const hublinePostgres = (options: HublineOptions, processes = 1): Contender => ({
  name: processes === 1 ? 'hubline_postgres' : `hubline_postgres_${processes}`,
  missing: () => null,
  share: 0.25,
  async start({ folder, receiverUrl }) {
    const postgres = await startPostgres(folder);
    const data = await createHublineData(join(folder, 'data'), options, postgres.url);
    const servers: HublineServer[] = [];
    for (let index = 0; index < processes; index += 1) servers.push(await startHubline(data, options));
    const [first] = servers as [HublineServer];
    await first.webhook(receiverUrl);
    return {
      target: first.events(),
      targets: servers.map((server) => server.events()),
      pids: [...servers.map(({ pid }) => pid), ...postgres.pids],
      recorded: () => postgres.count('select count(*) from deliveries where last_status = 200'),
      async [Symbol.asyncDispose]() {
        for (const server of servers) await server[Symbol.asyncDispose]();
        await postgres[Symbol.asyncDispose]();
      },
    };
  },
});

/** The size of a SQLite database in bytes, with the pages in its write-ahead log. */
function sizeOf(file: string): number {
  const db = new SQLite(file, { readonly: true });
  try {
    return (
      Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))
    );
  } finally {
    db.close();
  }
}
