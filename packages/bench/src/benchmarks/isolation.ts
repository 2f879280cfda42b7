import { createHublineData, startHubline } from '../contenders/hubline-server.ts';
import { Load } from '../load/load.ts';
import type { Received } from '../load/receiver.worker.ts';
import type { Options } from '../options.ts';
import { inGroups } from '../process/in-groups.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { median, medianRatio } from '../statistics.ts';

const WEBHOOKS = 50;
// 500 deliveries per second, well below the server's capacity, so that the hanging webhooks are the only difference.
const EVENTS_PER_S = 10;
const WARM_UP_EVENTS = 20;
const DEADLINE_MS = 60_000;

/** Every webhook gets every event; only the times of the healthy ones count. */
interface Scenario {
  name: string;
  hanging: number;
  /** The first webhook that counts. It is set without hanging neighbors too, so that the same webhooks are compared. */
  from: number;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'none hang', hanging: 0, from: 10 },
  { name: '10 of 50 hang', hanging: 10, from: 10 },
  { name: '49 of 50 hang', hanging: 49, from: 49 },
];

/** Measures how webhooks that hang delay the others. */
export async function isolation(options: Options): Promise<Result> {
  await using load = new Load();
  const samples = new Map<string, Received[]>(SCENARIOS.map(({ name }) => [name, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    const shift = round % SCENARIOS.length;
    for (const scenario of [...SCENARIOS.slice(shift), ...SCENARIOS.slice(0, shift)]) {
      progress(`round ${round + 1} of ${options.rounds}: ${scenario.name}`);
      samples.get(scenario.name)?.push(await play(load, scenario, options));
    }
  }
  const p99 = (name: string) => (samples.get(name) ?? []).map(({ p99Ms }) => p99Ms);
  const without = p99('none hang');
  return {
    tables: [
      {
        title: `Ingest to delivered at the healthy webhooks, ${options.seconds} s of ${EVENTS_PER_S} events/s to each of ${WEBHOOKS}`,
        columns: ['', 'p50 ms', 'p99 ms', 'max ms', 'missing'],
        rows: [...samples].map(([name, of]) => [
          name,
          ...(['p50Ms', 'p99Ms', 'maxMs', 'missing'] as const).map((key) =>
            median(of.map((received) => received[key])),
          ),
        ]),
      },
    ],
    notes: [
      `A hanging webhook responds after ${options.hang} s. A delivery that did not arrive counts with the whole wait for it, more than ${DEADLINE_MS} ms.`,
    ],
    figures: {
      ratio_healthy_p99: medianRatio(p99('10 of 50 hang'), without),
      healthy_p99_ms: median(p99('10 of 50 hang')),
      baseline_p99_ms: median(without),
      one_healthy_p99_ms: median(p99('49 of 50 hang')),
    },
    goals: { ratio_healthy_p99: { atMost: 1.2 }, one_healthy_p99_ms: { atMost: 1_000 } },
  };
}

async function play(load: Load, { hanging, from }: Scenario, options: Options): Promise<Received> {
  using folder = temporaryFolder();
  const server = await startHubline(await createHublineData(folder.path, options), options);
  try {
    const urls = await load.receiver.call('listen', { hooks: WEBHOOKS, ports: WEBHOOKS });
    await inGroups(urls, (url) => server.webhook(url));
    const send = async (events: number, plan: { from: number; hangMs: number }): Promise<Received> => {
      await load.receiver.call('expect', { events, hooks: WEBHOOKS, ...plan });
      const [, received] = await Promise.all([
        load.generator.call('run', {
          targets: [server.events()],
          events,
          connections: options.connections,
          rate: EVENTS_PER_S,
          run: `isolation-${plan.from}-${events}`,
        }),
        load.receiver.call('whenAll', { withinMs: DEADLINE_MS + (events / EVENTS_PER_S) * 1_000 }),
      ]);
      return received;
    };
    await send(WARM_UP_EVENTS, { from: 0, hangMs: 0 });
    return await send(options.seconds * EVENTS_PER_S, {
      from,
      hangMs: hanging > 0 ? options.hang * 1_000 : 0,
    });
  } finally {
    // A graceful stop would wait for the hanging webhooks.
    await server.kill();
  }
}
