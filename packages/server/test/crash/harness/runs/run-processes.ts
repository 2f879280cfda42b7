import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../database.ts';
import { Fleet } from './fleet.ts';
import type { Verdict } from '../judge/judge.ts';
import { type InjectedFault, type Hit, type Lateness, latenessOf } from '../judge/lateness.ts';

/** Restarts PostgreSQL, and fills the disk that it is on. */
export interface DatabaseServer {
  restart: () => Promise<void>;
  /** Leaves no room on the disk, or makes room again. `undefined`: PostgreSQL has no disk of its own. */
  fill?: (() => Promise<void>) | undefined;
  free?: (() => Promise<void>) | undefined;
}

/** The options of a run. */
export interface ProcessesOptions {
  seed: number;
  databaseUrl: string;
  /** The number of processes that share the database. */
  processes: number;
  faults: readonly InjectedFault[];
  /** For `restart` and `full`. */
  postgres?: DatabaseServer;
  /** Seconds of the servers' clock per real second. Default 10: a lease of a minute ends after six seconds. */
  speed?: number;
  /** The most events to publish. Default: as many as the run allows. */
  events?: number;
  onFault?: (line: string) => void;
}

/** The result of a run. */
export interface ProcessesReport extends Verdict {
  seed: number;
  faults: Record<string, number>;
  lateMs: Lateness;
  seconds: number;
}

const FAILURES = 2;
const [BEFORE_MIN_MS, BEFORE_MAX_MS] = [500, 1_500];
// Longer than the lease of a minute.
const FROZEN_S = 70;
const SEVERED_MS = 3_000;
// Longer than the ten seconds after which a process gives up silent connections.
const SILENT_MS = 15_000;
const FULL_MS = 3_000;
// A lease, and a sweep: nothing that a dead process has left waits for longer.
const LEFT_BEHIND_S = 90;
// The database ends the transaction of a process that it hears nothing from, by its own clock.
const SESSION_TIMEOUT_S = 10;

/** Runs several processes under load, and injects one fault after another. */
export async function runProcesses(options: ProcessesOptions): Promise<ProcessesReport> {
  const { seed, databaseUrl, processes, speed = 10, events, postgres } = options;
  const started = performance.now();
  const faults: Record<string, number> = {};
  const hits: Hit[] = [];
  await using fleet = await Fleet.start(processes, { seed, databaseUrl, speed, events, failures: FAILURES });

  /** Disturbs a process for a while. Then it continues with what it had begun. */
  async function disturb(ms: number, [begin, end]: readonly [() => void, () => void]): Promise<void> {
    begin();
    fleet.hit();
    await sleep(ms);
    end();
    fleet.hit();
  }

  const inject: Record<InjectedFault, () => Promise<void>> = {
    async kill() {
      await fleet.kill(fleet.pick());
      await fleet.serve();
    },
    async freeze() {
      const one = fleet.pick();
      fleet.withdraw(one);
      await disturb((FROZEN_S * 1_000) / speed, [
        () => one.child.kill('SIGSTOP'),
        () => one.child.kill('SIGCONT'),
      ]);
      fleet.admit(one);
    },
    async sever() {
      const one = fleet.pick();
      fleet.withdraw(one);
      await disturb(SEVERED_MS, [one.link.sever, one.link.mend]);
      fleet.admit(one);
    },
    async silence() {
      const one = fleet.pick();
      fleet.withdraw(one);
      await disturb(SILENT_MS, [one.link.silence, one.link.mend]);
      fleet.admit(one);
    },
    async cut() {
      const database = await openDatabase({ data: '', databaseUrl });
      fleet.hit(processes);
      await database.run(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await database.close();
    },
    async restart() {
      fleet.hit(processes);
      await postgres?.restart();
    },
    async full() {
      fleet.hit(processes);
      await postgres?.fill?.();
      await sleep(FULL_MS);
      await postgres?.free?.();
      fleet.hit(processes);
    },
  };

  for (const fault of options.faults) {
    await sleep(fleet.random.between(BEFORE_MIN_MS, BEFORE_MAX_MS));
    const begun = Date.now();
    await inject[fault]();
    hits.push({ fault, begun, ended: Date.now() });
    faults[fault] = (faults[fault] ?? 0) + 1;
    options.onFault?.(`${fault}; ${fleet.publishers.acknowledged.size} acknowledged`);
  }
  const { seen, ...verdict } = await fleet.finish();
  const lateMs = latenessOf(seen, { speed, hits });
  const violations = [...verdict.violations];
  if (lateMs.max > (LEFT_BEHIND_S + SESSION_TIMEOUT_S * (speed - 1)) * 1_000)
    violations.push(`a retry came ${Math.round(lateMs.max / 1_000)} s after its time`);
  // A faster clock turns milliseconds of the machine into seconds.
  if (speed === 1 && lateMs.beyond > 0)
    violations.push(
      `a retry came ${Math.round(lateMs.beyond)} ms after the time that is promised for it: ${lateMs.worst}`,
    );
  return { ...verdict, violations, seed, faults, lateMs, seconds: (performance.now() - started) / 1_000 };
}
