import type { BareReaderMethods } from '../contenders/workers/bare-reader.worker.ts';
import { createHublineData, type HublineServer, startHubline } from '../contenders/hubline-server.ts';
import { speedRatio, type Throughput, throughputColumns, throughputOf } from '../throughput.ts';
import { EVENT_BODY } from '../load/event-body.ts';
import type { Target } from '../load/generator.worker.ts';
import { Load } from '../load/load.ts';
import { type Options, wantedOf } from '../options.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { cpuMs } from '../process/usage.ts';
import { Worker } from '../process/worker.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { profileRequests } from './profile.ts';

const BATCHES = 10;
const BATCH = 1_000;
const READ_IDS = 500;

/** A kind of request, and its share of the requests of a round: a page of 100 costs as much as ten events. */
interface Part {
  name: (typeof PARTS)[number];
  share: number;
  paths: readonly string[];
}

/** Reads one event, a page of 20 and one of 100, compared with a bare handler that runs the same SQL on the same file. */
export async function read(options: Options): Promise<Result> {
  const isWanted = wantedOf(options, PARTS);
  using folder = temporaryFolder();
  const data = await createHublineData(folder.path, options);
  await using load = new Load();
  const samples = new Map<string, { own: Throughput[]; bare: Throughput[] }>();
  let parts: Part[];
  {
    await using server = await startHubline(data, options);
    parts = partsOf(data.workspaceId, await fill(server)).filter(({ name }) => isWanted(name));
    await using bare = new Worker<BareReaderMethods>(
      new URL('../contenders/workers/bare-reader.worker.ts', import.meta.url),
    );
    const barePort = await bare.call('listen', data);
    for (let round = 0; round <= options.rounds; round += 1) {
      for (const part of parts) {
        progress(`round ${round} of ${options.rounds}: ${part.name}`);
        const targets = part.paths.map((path) => server.target(path, 'GET'));
        const bareTargets = targets.map((target) => ({ ...target, port: barePort }));
        const plan = { ...options, share: part.share };
        const own = await measure(load, { targets, pid: server.pid }, plan);
        const other = await measure(load, { targets: bareTargets, pid: bare.pid }, plan);
        // Round 0 compiles the code and fills the caches.
        if (round === 0) continue;
        const of = samples.get(part.name) ?? { own: [], bare: [] };
        samples.set(part.name, of);
        of.own.push(own);
        of.bare.push(other);
      }
    }
  }
  progress(`profile of ${parts[0]?.name ?? 'nothing'}`);
  const steps = await profileRequests(load, options, {
    data,
    prepare: async (server) => (parts[0]?.paths ?? []).map((path) => server.target(path, 'GET')),
  });
  return {
    tables: [
      {
        title: 'Reads',
        columns: ['', 'hubline/s', 'bare/s', 'hubline CPU µs', 'bare CPU µs'],
        rows: [...samples].map(([name, rounds]) => [name, ...throughputColumns(rounds)]),
      },
      ...steps,
    ],
    notes: [
      'The bare handler checks one fixed key in memory. Hubline looks up the key and its membership, counts the request ' +
        'against the rate limit, validates path and query, signs the cursor and sets the headers.',
    ],
    figures: Object.fromEntries([...samples].map(([name, rounds]) => [`ratio_${name}`, speedRatio(rounds)])),
    goals: {
      ratio_get: { atLeast: 0.8 },
      ratio_page_20: { atLeast: 0.8 },
      ratio_page_100: { atLeast: 0.88 },
    },
  };
}

const PARTS = ['get', 'page_20', 'page_100'] as const;

function partsOf(workspaceId: string, ids: readonly string[]): Part[] {
  const list = `/workspaces/${workspaceId}/events`;
  return [
    { name: 'get', share: 1, paths: ids.map((id) => `${list}/${id}`) },
    { name: 'page_20', share: 0.5, paths: [`${list}?limit=20`] },
    { name: 'page_100', share: 0.1, paths: [`${list}?limit=100`] },
  ];
}

/** Stores events, and returns the IDs of an even sample of them. */
async function fill(server: HublineServer): Promise<string[]> {
  const event = JSON.parse(EVENT_BODY.before + EVENT_BODY.after) as object;
  const path = `/workspaces/${server.workspaceId}/events/batch`;
  const ids: string[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const events = Array.from({ length: BATCH }, () => event);
    const { data } = await server.post<{ data: { event_id: string }[] }>(path, { events });
    ids.push(...data.map(({ event_id: id }) => id));
  }
  return ids.filter((_, index) => index % ((BATCHES * BATCH) / READ_IDS) === 0);
}

async function measure(
  load: Load,
  { targets, pid }: { targets: readonly Target[]; pid: number },
  { events, share, connections }: Pick<Options, 'events' | 'connections'> & { share: number },
): Promise<Throughput> {
  const requests = Math.ceil(events * share);
  const before = cpuMs([pid]);
  const { startedAtUs, endedAtUs } = await load.generator.call('run', {
    targets,
    events: requests,
    connections,
    rate: null,
    run: 'read',
  });
  return throughputOf(requests, { tookUs: endedAtUs - startedAtUs, cpuMs: cpuMs([pid]) - before });
}
