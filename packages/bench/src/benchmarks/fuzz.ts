import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Options } from '../options.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';

/** The report of packages/server/test/fuzz. */
interface FuzzReport {
  requests: number;
  seconds: number;
  violations: readonly { index: number; problem: string; caller: string; curl: string; log: string }[];
  violationCount: number;
  statuses: Readonly<Record<string, number>>;
  unreached: readonly string[];
  crash: string | null;
  memory: readonly { resident: number; live: number }[];
}

// A path, not a package: the fuzzer belongs to the server's tests.
const FUZZER = fileURLToPath(new URL('../../../server/test/fuzz/fuzz.process.ts', import.meta.url));
const MIB = 1024 * 1024;
// Database caches and compiled code grow in the first half; V8 keeps memory that it has needed once.
const GROWTH_MAX_MIB = { resident: 64, live: 16 };

/** Sends odd requests to the whole API, and checks every response against the OpenAPI document. */
export async function fuzz({ requests, database, seed = Date.now() % 2 ** 31 }: Options): Promise<Result> {
  progress(`--seed ${seed} repeats this run`);
  const report = await run({ requests, seed, database });
  const { statuses, memory, violations, unreached, crash } = report;
  const mebibytes = (kind: 'resident' | 'live') => memory.map((reading) => reading[kind] / MIB);
  return {
    tables: [
      {
        title: `Responses (${database}, seed ${seed})`,
        columns: ['status', 'times'],
        rows: Object.entries(statuses).map(([status, times]) => [status === '0' ? 'none' : status, times]),
      },
      {
        title: 'Memory of the server, in MiB',
        columns: ['requests', 'resident', 'live'],
        rows: memory.map(({ resident, live }, index) => [
          Math.round((report.requests * (index + 1)) / memory.length),
          Math.round(resident / MIB),
          live / MIB,
        ]),
      },
    ],
    notes: [
      `${report.requests} requests in ${Math.round(report.seconds)} s.`,
      ...(unreached.length === 0 ? [] : [`Endpoints that never succeeded: ${unreached.join(', ')}.`]),
      ...violations.map(
        ({ index, problem, caller, curl, log }) =>
          `VIOLATION at ${index}, by ${caller}: ${problem}\n  ${curl}${log === '' ? '' : `\n  ${log}`}`,
      ),
      ...(crash === null ? [] : [`CRASH: ${crash}`]),
    ],
    figures: {
      requests: report.requests,
      requests_per_second: report.requests / report.seconds,
      crashes: crash === null ? 0 : 1,
      violations: report.violationCount,
      rss_growth_mib: growth(mebibytes('resident')),
      live_growth_mib: growth(mebibytes('live')),
    },
    goals: {
      crashes: { atMost: 0 },
      violations: { atMost: 0 },
      rss_growth_mib: { atMost: GROWTH_MAX_MIB.resident },
      live_growth_mib: { atMost: GROWTH_MAX_MIB.live },
    },
  };
}

/** The largest amount by which a reading of the second half exceeds the middle one. */
export function growth(readings: readonly number[]): number {
  const [middle = Number.NaN, ...later] = readings.slice(Math.ceil(readings.length / 2) - 1);
  return Math.max(middle, ...later) - middle;
}

async function run(input: { requests: number; seed: number; database: string }): Promise<FuzzReport> {
  const child = spawn(process.execPath, ['--conditions=hubline-source', FUZZER, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`The fuzzer ended with ${String(code)}.`);
  return JSON.parse(output) as FuzzReport;
}
