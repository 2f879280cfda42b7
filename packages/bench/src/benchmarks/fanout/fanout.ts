import { openAttemptCounter } from '../../contenders/attempt-counter.ts';
import type { FloorMethods } from '../../contenders/workers/floor.worker.ts';
import { createHublineData, startHubline } from '../../contenders/hubline-server.ts';
import { untilRecorded } from '../../contenders/until-recorded.ts';
import { nowUs } from '../../clock.ts';
import { medianOf, type Rounds, speedRatio, type Throughput, throughputColumns } from '../../throughput.ts';
import { Load } from '../../load/load.ts';
import { type Options, wantedOf } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { Worker } from '../../process/worker.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import { deliver, measure, type Part, postAll, prepare } from './fanout-part.ts';
import { fanoutTls } from './fanout-tls.ts';

const PARTS: readonly Part[] = [
  { name: 'one_to_1000', workspaces: 1, webhooks: 1_000, events: 10 },
  { name: '10000_webhooks', workspaces: 100, webhooks: 100, events: 1 },
];

/** Measures one event to 1,000 webhooks, and 10,000 webhooks with one event each, compared with undici alone and the same receivers. */
export async function fanout(options: Options): Promise<Result> {
  if (options.tls) return fanoutTls(options);
  const isWanted = wantedOf(
    options,
    PARTS.map(({ name }) => name),
  );
  using folder = temporaryFolder();
  await using load = new Load();
  await using bare = new Worker<FloorMethods>(
    new URL('../../contenders/workers/floor.worker.ts', import.meta.url),
  );
  await using server = await startHubline(await createHublineData(folder.path, options), options);
  using counter = openAttemptCounter(server.database);
  const samples = new Map<string, Rounds>();
  let recorded = 0;
  for (const part of PARTS.filter(({ name }) => isWanted(name))) {
    progress(`${part.name}: registering ${part.workspaces * part.webhooks} webhooks`);
    const prepared = await prepare({ load, server }, part);
    const own: Throughput[] = [];
    const other: Throughput[] = [];
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
      if (round === 0) continue;
      own.push(ownSample);
      other.push(bareSample);
    }
    samples.set(part.name, { own, bare: other });
  }
  const all = [...samples];
  return {
    tables: [
      {
        title: 'Fan-out, deliveries/s (from publishing to recorded; undici alone: to the response)',
        columns: ['', 'hubline', 'undici alone', 'hubline CPU µs', 'undici CPU µs'],
        rows: all.map(([name, rounds]) => [name, ...throughputColumns(rounds)]),
      },
    ],
    notes: [],
    figures: Object.fromEntries(
      all.flatMap(([name, rounds]) => [
        [`ratio_${name}`, speedRatio(rounds)],
        [`deliveries_per_s_${name}`, medianOf(rounds.own, 'perS')],
        [`cpu_us_${name}`, medianOf(rounds.own, 'cpuUs')],
      ]),
    ),
    goals: { ratio_one_to_1000: { atLeast: 0.6 }, ratio_10000_webhooks: { atLeast: 0.5 } },
  };
}
