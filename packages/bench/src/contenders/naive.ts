import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Worker } from '../process/worker.ts';
import type { Contender } from './contender.ts';
import type { NaiveMethods } from './workers/naive.worker.ts';
import { peerTarget } from './peer-target.ts';

/** Hono and better-sqlite3 with a transaction per write and the global `fetch`. */
export const naive: Contender = {
  name: 'naive_full',
  missing: () => null,
  share: 0.25,
  async start(place) {
    const worker = new Worker<NaiveMethods>(new URL('workers/naive.worker.ts', import.meta.url));
    const target = peerTarget(await worker.call('start', place));
    const db = new SQLite(join(place.folder, 'naive.db'), { readonly: true });
    const count = db.prepare("select count(*) from deliveries where status = 'delivered'").pluck();
    return {
      target,
      pids: [worker.pid],
      recorded: async () => Number(count.get()),
      async [Symbol.asyncDispose]() {
        db.close();
        await worker[Symbol.asyncDispose]();
      },
    };
  },
};
