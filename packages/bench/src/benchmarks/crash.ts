import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Options } from '../options.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';

/** The answer of packages/server/test/crash. */
interface CrashReport {
  load: {
    deaths: Readonly<Record<string, number>>;
    missed: readonly string[];
    events: number;
    deliveries: number;
    calls: number;
    repeated: number;
    replayed: number;
    seconds: number;
    violations: readonly string[];
  };
  migrations: { kills: number; violations: readonly string[] };
  noticed: Readonly<Record<string, boolean>>;
}

// By path: the crash tests belong to the server and run its sources, whose crash points no build has.
const CRASHES = fileURLToPath(
  new URL('../../../server/test/crash/harness/crash.process.ts', import.meta.url),
);
const SHOWN_MAX = 20;

/** The answer for several processes. */
interface ProcessesReport {
  blows: Readonly<Record<string, number>>;
  lateMs: { p99: number; max: number };
  events: number;
  deliveries: number;
  calls: number;
  repeated: number;
  seconds: number;
  violations: readonly string[];
}

/** Kills the server under load, and compares what clients, receivers and the database know. */
export async function crash(options: Options): Promise<Result> {
  const { cycles, processes, seed = Date.now() % 2 ** 31 } = options;
  progress(`--seed ${seed} repeats this run`);
  if (processes > 1) return describeProcesses(await run<ProcessesReport>({ cycles, seed, processes }));
  const { load, migrations, noticed } = await run<CrashReport>({ cycles, seed });
  const violations = [...load.violations, ...migrations.violations];
  const bugs = Object.entries(noticed);
  return {
    tables: [
      {
        title: `Deaths (seed ${seed})`,
        columns: ['at', 'times'],
        rows: [
          ...Object.entries(load.deaths),
          ['a statement of a migration, or beside one', migrations.kills],
        ],
      },
      {
        title: 'Planted bugs',
        columns: ['bug', 'noticed'],
        rows: bugs.map(([bug, yes]) => [bug, yes ? 'yes' : 'NO']),
      },
    ],
    notes: [
      `${load.events} events, ${load.deliveries} deliveries and ${load.calls} calls in ${Math.round(load.seconds)} s; ` +
        `${load.replayed} repeated requests found their event stored.`,
      ...(load.missed.length === 0 ? [] : [`Killed elsewhere than planned: ${load.missed.join(', ')}.`]),
      ...violations.slice(0, SHOWN_MAX).map((violation) => `VIOLATION: ${violation}`),
    ],
    figures: {
      kills: Object.values(load.deaths).reduce((sum, times) => sum + times, migrations.kills),
      violations: violations.length,
      repeated_per_kill: load.repeated / cycles,
      planted_bugs_missed: bugs.filter(([, yes]) => !yes).length,
    },
    goals: { violations: { atMost: 0 }, planted_bugs_missed: { atMost: 0 } },
  };
}

function describeProcesses({ blows, lateMs, violations, ...run }: ProcessesReport): Result {
  return {
    tables: [{ title: 'Several processes', columns: ['blow', 'times'], rows: Object.entries(blows) }],
    notes: [
      `${run.events} events, ${run.deliveries} deliveries and ${run.calls} calls in ${Math.round(run.seconds)} s.`,
      ...violations.slice(0, SHOWN_MAX).map((violation) => `VIOLATION: ${violation}`),
    ],
    figures: {
      violations: violations.length,
      repeated: run.repeated,
      retry_late_p99_ms: lateMs.p99,
      retry_late_max_ms: lateMs.max,
    },
    goals: { violations: { atMost: 0 }, retry_late_max_ms: { atMost: 90_000 } },
  };
}

async function run<Report>(input: { cycles: number; seed: number; processes?: number }): Promise<Report> {
  const child = spawn(process.execPath, ['--conditions=hubline-source', CRASHES, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`The crash tests ended with ${String(code)}.`);
  return JSON.parse(output) as Report;
}
