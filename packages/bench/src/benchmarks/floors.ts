import type { FloorMethods } from '../contenders/workers/floor.worker.ts';
import { peerTarget } from '../contenders/peer-target.ts';
import { cpuUsEach } from '../throughput.ts';
import type { Load } from '../load/load.ts';
import { untilCalm } from '../process/machine.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { cpuMs } from '../process/usage.ts';
import { Worker } from '../process/worker.ts';

/** CPU time per event, in microseconds, of the steps that no pipeline can do without, each alone in a process. */
export interface Floors {
  http: number;
  insert: number;
  post: number;
}

export const sumOfFloors = ({ http, insert, post }: Floors): number => http + insert + post;

interface Plan {
  events: number;
  connections: number;
  receiverUrl: string;
  calm: number;
}

export async function measureFloors(
  load: Load,
  { events, connections, receiverUrl, calm }: Plan,
): Promise<Floors> {
  using folder = temporaryFolder();
  const measure = async (
    run: (worker: Worker<FloorMethods>) => Promise<(count: number) => Promise<unknown>>,
  ): Promise<number> => {
    await using worker = new Worker<FloorMethods>(
      new URL('../contenders/workers/floor.worker.ts', import.meta.url),
    );
    const work = await run(worker);
    // A warm-up: it compiles the code, fills the caches and opens the connections.
    await work(Math.ceil(events / 4));
    await untilCalm(calm);
    const before = cpuMs([worker.pid]);
    await work(events);
    return cpuUsEach(cpuMs([worker.pid]) - before, events);
  };
  return {
    http: await measure(async (worker) => {
      const targets = [peerTarget(await worker.call('listen', {}))];
      return (count) =>
        load.generator.call('run', { targets, events: count, connections, rate: null, run: 'floor' });
    }),
    insert: await measure(
      async (worker) => (count) =>
        worker.call('insert', { events: count, group: connections, folder: folder.path }),
    ),
    post: await measure(
      async (worker) => (count) =>
        worker.call('post', { events: count, group: connections, urls: [receiverUrl] }),
    ),
  };
}
