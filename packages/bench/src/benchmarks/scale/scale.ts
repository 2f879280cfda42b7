import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { progress } from '../../report/progress.ts';
import type { Result, Table } from '../../report/result.ts';
import { median } from '../../statistics.ts';
import { type Cost, measureCost, PENDING, type Start, startWithPending } from './scale-round.ts';
import { storeDelivered, type Stored } from '../stored-deliveries.ts';

interface Size {
  rows: number;
  stored: Stored;
  costs: Cost[];
}

/** The name of the figure for each cost. */
const FIGURES = {
  deliverCpuUs: 'flat_claim',
  listCpuUs: 'flat_list',
  restartMs: 'flat_restart',
} as const satisfies Partial<Record<keyof Cost, string>>;

/** Measures operations in databases of several sizes, and the start of a server that has a million to deliver. */
export async function scale(options: Options): Promise<Result> {
  await using load = new Load();
  using folder = temporaryFolder();
  const sizes: Size[] = [];
  for (const rows of options.rows) {
    progress(`storing ${rows} deliveries`);
    const path = join(folder.path, String(rows));
    mkdirSync(path);
    sizes.push({ rows, stored: await storeDelivered(load, options, { folder: path, rows }), costs: [] });
  }
  const starts: Start[] = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    const shift = round % sizes.length;
    for (const { rows, stored, costs } of [...sizes.slice(shift), ...sizes.slice(0, shift)]) {
      progress(`round ${round} of ${options.rounds}: ${rows} stored`);
      const cost = await measureCost(load, options, stored);
      // Round 0 brings the files into the system's cache.
      if (round > 0) costs.push(cost);
    }
    const [smallest] = sizes;
    if (round === 0 || !smallest) continue;
    progress(`round ${round} of ${options.rounds}: ${PENDING} pending`);
    starts.push(await startWithPending(options, smallest.stored));
  }
  return {
    tables: [costTable(sizes), startTable(starts)],
    notes: [
      'deliver is the whole way of an event: accepted, claimed, sent and recorded. restart is the time from serving until all ' +
        'deliveries that a dead process had begun are made.',
    ],
    figures: {
      ...Object.fromEntries(
        Object.entries(FIGURES).map(([key, figure]) => [figure, flatness(sizes, key as keyof Cost)]),
      ),
      start_ms_1m_pending: median(starts.map(({ servingMs }) => servingMs)),
      rss_mb_1m_pending: median(starts.map(({ peakMb }) => peakMb)),
    },
    goals: {
      flat_claim: { atMost: 1.5 },
      flat_list: { atMost: 1.5 },
      flat_restart: { atMost: 1.5 },
      start_ms_1m_pending: { atMost: 2_000 },
      rss_mb_1m_pending: { atMost: 400 },
    },
  };
}

const middle = ({ costs }: Size, key: keyof Cost) => median(costs.map((cost) => cost[key]));

/** The cost at the most expensive size, as a multiple of that at the cheapest. */
function flatness(sizes: readonly Size[], key: keyof Cost): number {
  const costs = sizes.map((size) => middle(size, key));
  return Math.max(...costs) / Math.min(...costs);
}

function costTable(sizes: readonly Size[]): Table {
  return {
    title: 'Cost by stored deliveries',
    columns: ['stored', 'deliver CPU µs', 'list of 20 CPU µs', 'start ms', 'restart 1,000 ms'],
    rows: sizes.map((size) => [
      size.rows,
      middle(size, 'deliverCpuUs'),
      middle(size, 'listCpuUs'),
      middle(size, 'servingMs'),
      middle(size, 'restartMs'),
    ]),
  };
}

function startTable(starts: readonly Start[]): Table {
  return {
    title: `Start with ${PENDING} pending`,
    columns: ['serving after ms', 'peak RSS MB', 'delivered/s meanwhile'],
    rows: [
      (['servingMs', 'peakMb', 'deliveredPerS'] as const).map((key) =>
        median(starts.map((start) => start[key])),
      ),
    ],
  };
}
