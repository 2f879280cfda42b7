import { availableParallelism } from 'node:os';
import { bullmq } from '../../contenders/bullmq.ts';
import type { Contender } from '../../contenders/contender.ts';
import { hubline, hublineBatch } from '../../contenders/hubline.ts';
import { hublineProgram } from '../../contenders/hubline-server.ts';
import { naive } from '../../contenders/naive.ts';
import { pgboss } from '../../contenders/pgboss.ts';
import { Load } from '../../load/load.ts';
import { type Options, wantedOf } from '../../options.ts';
import { progress } from '../../report/progress.ts';
import type { Goal, Result } from '../../report/result.ts';
import { median, spread } from '../../statistics.ts';
import { type Floors, measureFloors, sumOfFloors } from '../floors.ts';
import { ceilingOf, pipelineFigures } from './pipeline-figures.ts';
import { pipelineRound } from './pipeline-round.ts';
import type { PipelineSample } from './pipeline-sample.ts';

const GOALS: Record<string, Goal> = {
  ratio_bullmq_undici: { atLeast: 1.25 },
  ratio_bullmq_undici_always: { atLeast: 1.5 },
  ratio_bullmq_fetch: { atLeast: 2 },
  ratio_pgboss: { atLeast: 4.5 },
  ratio_naive_full: { atLeast: 6.5 },
  cpu_vs_bullmq_undici: { atMost: 0.75 },
  cpu_vs_floor: { atMost: 1.65 },
  bytes_per_event: { atMost: 1_900 },
  ratio_batch: { atLeast: 1.6 },
  p50_ms_half: { atMost: 5 },
  p99_ms_half: { atMost: 30 },
};

const BUSY_PERCENT = 10;

/** Accepts events over HTTP, stores them, calls a webhook for each and records the response; compared with the alternatives. */
export async function pipeline(options: Options): Promise<Result> {
  const all: Contender[] = [
    hubline(options),
    ...(options.batch > 1 ? [hublineBatch(options, options.batch)] : []),
    bullmq('undici'),
    bullmq('undici', 'always'),
    bullmq('fetch'),
    pgboss,
    naive,
  ];
  const isWanted = wantedOf(
    options,
    all.map(({ name }) => name),
  );
  const wanted = all.filter(({ name }) => isWanted(name));
  const skipped = wanted.flatMap(({ name, missing }) => {
    const reason = missing();
    return reason === null ? [] : [{ name, reason }];
  });
  const contenders = wanted.filter(({ name }) => skipped.every((skip) => skip.name !== name));

  await using load = new Load();
  const [receiverUrl = ''] = await load.receiver.call('listen', { hooks: 1, ports: 1 });
  const plan = { events: options.events, connections: options.connections, calm: options.calm, receiverUrl };
  const samples = new Map<string, PipelineSample[]>(contenders.map(({ name }) => [name, []]));
  const floors: Floors[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`round ${round + 1} of ${options.rounds}: floors`);
    floors.push(await measureFloors(load, plan));
    // Contenders take turns in beginning a round, so that other load on the machine does not always hit the same one.
    const shift = round % contenders.length;
    for (const contender of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
      progress(`round ${round + 1} of ${options.rounds}: ${contender.name}`);
      samples.get(contender.name)?.push(await pipelineRound(load, contender, plan));
    }
  }
  return {
    tables: [
      contenderTable(samples, 'Event over HTTP → stored → signed POST → recorded'),
      floorTable(floors),
    ],
    notes: [
      `hubline ran as: ${hublineProgram(options).join(' ')} server start`,
      ...ceilingNote(samples, floors),
      ...busyNote(samples),
      ...skipped.map(({ name, reason }) => `${name} is skipped: ${reason}.`),
    ],
    figures: pipelineFigures(samples, floors, availableParallelism()),
    goals: GOALS,
  };
}

/** The medians of the rounds of each contender. */
export function contenderTable(samples: ReadonlyMap<string, readonly PipelineSample[]>, title: string) {
  const rows = [...samples].map(([name, of]) => {
    const middle = (key: keyof PipelineSample) => median(of.map((sample) => sample[key]));
    return [
      name,
      middle('eventsPerS'),
      `± ${Math.round(spread(of.map(({ eventsPerS }) => eventsPerS)) * 50)}%`,
      middle('acceptedPerS'),
      middle('cpuUsPerEvent'),
      middle('memoryMb'),
      middle('p50MsHalf'),
      middle('p99MsHalf'),
      middle('othersPercent'),
    ];
  });
  const columns = [
    '',
    'events/s',
    '',
    'accepted/s',
    'CPU µs/event',
    'MB',
    'p50 ms half',
    'p99 ms half',
    'others %',
  ];
  return { title, columns, rows };
}

/** Warns of a busy machine: a contender with several processes gets a larger share of it than one with a single process. */
export function busyNote(samples: ReadonlyMap<string, readonly PipelineSample[]>): string[] {
  const others = median([...samples.values()].flat().map(({ othersPercent }) => othersPercent));
  if (others < BUSY_PERCENT) return [];
  return [
    `other programs used ${Math.round(others)}% of the machine's CPU. Rates and their ratios favor contenders with more ` +
      'processes then; CPU per event is what to compare.',
  ];
}

/** Names the goals that this machine could not reach even if its cores worked on nothing but the floors and the load. */
function ceilingNote(
  samples: ReadonlyMap<string, readonly PipelineSample[]>,
  floors: readonly Floors[],
): string[] {
  const own = samples.get('hubline');
  if (!own) return [];
  const cores = availableParallelism();
  const ceiling = ceilingOf(own, floors, cores);
  const beyond = [...samples].flatMap(([name, of]) => {
    const goal = GOALS[`ratio_${name}`];
    const wanted =
      median(of.map(({ eventsPerS }) => eventsPerS)) * (goal && 'atLeast' in goal ? goal.atLeast : 0);
    return wanted > ceiling ? [`ratio_${name} (${Math.round(wanted)}/s)`] : [];
  });
  const load = Math.round(median(own.map(({ loadCpuUsPerEvent }) => loadCpuUsPerEvent)));
  return [
    `the floors, ${Math.round(median(floors.map(sumOfFloors)))} µs, and the load, ${load} µs of CPU for an event, allow ` +
      `${Math.round(ceiling)} events/s when all ${cores} cores do nothing else` +
      (beyond.length > 0 ? `: the goals of ${beyond.join(', ')} are beyond this machine.` : '.'),
  ];
}

function floorTable(floors: readonly Floors[]) {
  const middle = (key: keyof Floors) => median(floors.map((floor) => floor[key]));
  return {
    title: 'Floors, CPU µs/event',
    columns: ['Hono POST', 'grouped insert', 'signed undici POST', 'sum'],
    rows: [[middle('http'), middle('insert'), middle('post'), median(floors.map(sumOfFloors))]],
  };
}
