import type { Options } from '../options.ts';
import { runHarness } from '../process/harness.ts';
import { onSmallDisk } from '../process/small-disk.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';

// A path, not a package: the crash tests belong to the server and run its sources, because builds have no crash points.
const HARNESS = new URL('../../../server/test/crash/harness/crash.process.ts', import.meta.url);

/** The report of packages/server/test/crash. */
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

const SHOWN_MAX = 20;

/** The report for several processes. */
interface ProcessesReport {
  faults: Readonly<Record<string, number>>;
  lateMs: { p99: number; max: number; beyond: number };
  events: number;
  deliveries: number;
  calls: number;
  repeated: number;
  seconds: number;
  violations: readonly string[];
}

/** Kills the server under load, and compares the records of clients, receivers and the database. */
export async function crash(options: Options): Promise<Result> {
  const { cycles, processes, speed, seed = Date.now() % 2 ** 31 } = options;
  progress(`--seed ${seed} repeats this run`);
  if (processes > 1) return harmProcesses({ cycles, seed, processes, speed });
  const { load, migrations, noticed } = await runHarness<CrashReport>(HARNESS, { cycles, seed });
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

interface Several {
  cycles: number;
  seed: number;
  processes: number;
  speed: number;
}

async function harmProcesses(input: Several): Promise<Result> {
  using disk = temporaryFolder();
  const inNamespace = onSmallDisk(disk.path);
  const isSmall = inNamespace.length > 0;
  if (!isSmall)
    progress('no small disk can be mounted here: the disk of PostgreSQL is never full in this run');
  const { faults, lateMs, violations, ...ran } = await runHarness<ProcessesReport>(
    HARNESS,
    { ...input, ...(isSmall && { disk: disk.path }) },
    inNamespace,
  );
  return {
    tables: [{ title: 'Several processes', columns: ['fault', 'times'], rows: Object.entries(faults) }],
    notes: [
      `${ran.events} events, ${ran.deliveries} deliveries and ${ran.calls} calls in ${Math.round(ran.seconds)} s.`,
      ...violations.slice(0, SHOWN_MAX).map((violation) => `VIOLATION: ${violation}`),
    ],
    figures: {
      violations: violations.length,
      repeated: ran.repeated,
      retry_late_p99_ms: lateMs.p99,
      retry_late_max_ms: lateMs.max,
      retry_beyond_promise_ms: lateMs.beyond,
    },
    goals: {
      violations: { atMost: 0 },
      // A faster clock turns milliseconds of the machine into seconds, so the goal holds only at normal speed.
      ...(input.speed === 1 && { retry_beyond_promise_ms: { atMost: 0 } }),
    },
  };
}
