import { openAttemptCounter } from '../contenders/attempt-counter.ts';
import type { FloorMethods } from '../contenders/floor.worker.ts';
import { createHublineData, type HublineServer, startHubline } from '../contenders/hubline-server.ts';
import { untilRecorded } from '../contenders/until-recorded.ts';
import { nowUs } from '../clock.ts';
import type { Target } from '../load/generator.worker.ts';
import { Load } from '../load/load.ts';
import type { Options } from '../options.ts';
import { inGroups } from '../process/in-groups.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { cpuMs } from '../process/usage.ts';
import { Worker } from '../process/worker.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { median, medianRatio } from '../statistics.ts';

const PORTS = 50;
const DEADLINE_MS = 120_000;
// As many calls under way as the engine allows itself: more only make both slower on two cores.
const BARE_CONCURRENCY = 256;

/** One way to have many deliveries at once. */
interface Part {
  name: string;
  /** How many events go to each workspace, and how many webhooks it has. */
  workspaces: number;
  webhooks: number;
  events: number;
}

const PARTS: readonly Part[] = [
  { name: 'one_to_1000', workspaces: 1, webhooks: 1_000, events: 10 },
  { name: '10000_webhooks', workspaces: 100, webhooks: 100, events: 1 },
];

/** A part with its webhooks registered. */
interface Prepared extends Part {
  targets: readonly Target[];
  urls: readonly string[];
  calls: number;
}

/** One round. */
interface Sample {
  /** Deliveries per second. */
  perS: number;
  /** CPU time of a delivery. */
  cpuUs: number;
}

/** One event to 1,000 webhooks, and 10,000 webhooks with one event each: beside undici alone to the same receivers. */
export async function fanout(options: Options): Promise<Result> {
  using folder = temporaryFolder();
  await using load = new Load();
  await using bare = new Worker<FloorMethods>(new URL('../contenders/floor.worker.ts', import.meta.url));
  await using server = await startHubline(await createHublineData(folder.path, options), options);
  using counter = openAttemptCounter(server.database);
  const samples = new Map<string, { own: Sample[]; bare: Sample[] }>();
  let recorded = 0;
  for (const part of PARTS.filter(({ name }) => options.only?.includes(name) ?? true)) {
    progress(`${part.name}: registering ${part.workspaces * part.webhooks} webhooks`);
    const prepared = await prepare(load, server, part);
    const own: Sample[] = [];
    const other: Sample[] = [];
    for (let round = 0; round <= options.rounds; round += 1) {
      progress(`${part.name}: round ${round} of ${options.rounds}`);
      recorded += prepared.calls;
      const ownSample = await measure(server.pid, prepared, async () => {
        const startedAtUs = await deliver(load, prepared);
        await untilRecorded(counter, recorded);
        return nowUs() - startedAtUs;
      });
      const bareSample = await measure(bare.pid, prepared, () => postAll(bare, prepared));
      // Round 0 compiles the code and opens the connections.
      if (round > 0) own.push(ownSample);
      if (round > 0) other.push(bareSample);
    }
    samples.set(part.name, { own, bare: other });
  }
  const all = [...samples];
  return {
    tables: [
      {
        title: 'Fan-out, deliveries/s (from publishing to recorded; undici alone: to answered)',
        columns: ['', 'hubline', 'undici alone', 'hubline CPU µs', 'undici CPU µs'],
        rows: all.map(([name, of]) => [
          name,
          median(of.own.map(({ perS }) => perS)),
          median(of.bare.map(({ perS }) => perS)),
          median(of.own.map(({ cpuUs }) => cpuUs)),
          median(of.bare.map(({ cpuUs }) => cpuUs)),
        ]),
      },
    ],
    notes: [],
    figures: Object.fromEntries(
      all.flatMap(([name, of]) => [
        [
          `ratio_${name}`,
          medianRatio(
            of.own.map(({ perS }) => perS),
            of.bare.map(({ perS }) => perS),
          ),
        ],
        [`deliveries_per_s_${name}`, median(of.own.map(({ perS }) => perS))],
        [`cpu_us_${name}`, median(of.own.map(({ cpuUs }) => cpuUs))],
      ]),
    ),
    goals: { ratio_one_to_1000: { atLeast: 0.6 }, ratio_10000_webhooks: { atLeast: 0.5 } },
  };
}

/** Registers the webhooks of a part: `hook` numbers run on from workspace to workspace. */
async function prepare(load: Load, server: HublineServer, part: Part): Promise<Prepared> {
  const hooks = part.workspaces * part.webhooks;
  const urls = await load.receiver.call('listen', { hooks, ports: PORTS });
  const targets: Target[] = [];
  for (let index = 0; index < part.workspaces; index += 1) {
    const slug = `${part.name.replaceAll('_', '-')}-${index}`;
    const { id } = await server.post<{ id: string }>('/workspaces', { name: slug, slug });
    const own = urls.slice(index * part.webhooks, (index + 1) * part.webhooks);
    await inGroups(own, (url) => server.webhook(url, id));
    targets.push(server.events(id));
  }
  return { ...part, targets, urls, calls: hooks * part.events };
}

/** Publishes and waits until every webhook has been called. Answers when it began. */
async function deliver(load: Load, { targets, urls, events, calls }: Prepared): Promise<number> {
  const published = events * targets.length;
  await load.receiver.call('expect', { events: published, hooks: urls.length, calls });
  const [sent, received] = await Promise.all([
    load.generator.call('run', {
      targets,
      events: published,
      connections: Math.min(targets.length, 16),
      rate: null,
      run: `fanout-${nowUs()}`,
    }),
    load.receiver.call('whenAll', { withinMs: DEADLINE_MS }),
  ]);
  if (received.missing > 0) throw new Error(`${received.missing} of ${calls} deliveries did not arrive.`);
  return sent.startedAtUs;
}

async function postAll(bare: Worker<FloorMethods>, { urls, calls }: Prepared): Promise<number> {
  const startedAtUs = nowUs();
  await bare.call('post', { events: calls, group: BARE_CONCURRENCY, urls });
  return nowUs() - startedAtUs;
}

/** The cost of the calls of a part to a process; `run` returns how long they took, in microseconds. */
async function measure(pid: number, { calls }: Prepared, run: () => Promise<number>): Promise<Sample> {
  const before = cpuMs([pid]);
  const tookUs = await run();
  return { perS: calls / (tookUs / 1_000_000), cpuUs: ((cpuMs([pid]) - before) * 1_000) / calls };
}
