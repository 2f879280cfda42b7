import {
  createHublineData,
  type HublineData,
  type HublineServer,
  startHubline,
} from '../contenders/hubline-server.ts';
import type { Target } from '../load/generator.worker.ts';
import { Load } from '../load/load.ts';
import type { Options } from '../options.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { attribute, type Times } from '../report/cpu-profile.ts';
import type { Result, Table } from '../report/result.ts';

const ROWS_SHOWN = 16;
const DEADLINE_MS = 120_000;

/** Profiles the server's CPU time per event, to find the next thing to make faster. */
export async function profile(options: Options): Promise<Result> {
  await using load = new Load();
  using folder = temporaryFolder();
  const data = await createHublineData(folder.path, options);
  const [url = ''] = await load.receiver.call('listen', { hooks: 1, ports: 1 });
  const tables = await profileRequests(load, options, {
    data,
    async prepare(server) {
      await server.webhook(url);
      return [server.events()];
    },
  });
  return { tables, notes: ['A profiled server is slower: the shares count.'], figures: {}, goals: {} };
}

interface Subject {
  data: HublineData;
  /** Returns the requests to send. */
  prepare(server: HublineServer): Promise<readonly Target[]>;
}

/** Profiles the server, from its sources, while it serves requests and makes the deliveries that follow. */
export async function profileRequests(
  load: Load,
  { events, connections, profile: kept }: Options,
  { data, prepare }: Subject,
): Promise<Table[]> {
  using temporary = temporaryFolder();
  const folder = kept ?? temporary.path;
  const span = await (async () => {
    await using server = await startHubline(data, { source: true, profile: folder });
    const targets = await prepare(server);
    const run = async (requests: number) => {
      const reads = targets.every(({ method }) => method === 'GET');
      await load.receiver.call('expect', { events: reads ? 0 : requests });
      const plan = { targets, events: requests, connections, rate: null, run: `profile-${requests}` };
      const { startedAtUs, endedAtUs } = await load.generator.call('run', plan);
      const { lastAtUs } = await load.receiver.call('whenAll', { withinMs: DEADLINE_MS });
      return { startedAtUs, endedAtUs: reads ? endedAtUs : lastAtUs };
    };
    // A warm-up with half as many requests compiles the code.
    await run(Math.ceil(events / 2));
    return await run(events);
  })();
  const { byFile, byPackage } = attribute(folder, span);
  const rows = (times: Times) => times.slice(0, ROWS_SHOWN).map(([name, us]) => [name, us / events]);
  return [
    { title: 'Profile: µs per request by file responsible', columns: ['file', 'µs'], rows: rows(byFile) },
    { title: 'Profile: µs per request by whose code ran', columns: ['package', 'µs'], rows: rows(byPackage) },
  ];
}
