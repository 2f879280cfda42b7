import type { Deps } from '../context.ts';
import { listOpenRecoveries } from '../db/recoveries.ts';
import { beginRecovery, stepRecovery } from './recovery-work.ts';

// Jobs that take turns; the others wait, so that a turn stays short.
const JOBS_MAX = 20;
// How long the lanes get to work off what is due before a job looks again.
const PAUSE_MS = 200;
const STORAGE_RETRY_MS = 1_000;
// For the jobs of a process that died beside this one, on the same PostgreSQL.
const LOOK_MS = 30_000;

/** Runs recoveries, a step of each in turn. They live in the database: what was begun before a restart goes on after it. */
export class RecoveryRunner {
  readonly #deps: Pick<Deps, 'store' | 'clock' | 'wake' | 'log'>;
  readonly #stopping = new AbortController();
  #looker: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #again = false;

  constructor(deps: Pick<Deps, 'store' | 'clock' | 'wake' | 'log'>) {
    this.#deps = deps;
  }

  start(): void {
    this.#looker = setInterval(() => this.resume(), LOOK_MS);
    this.#looker.unref();
    this.resume();
  }

  /** Says that there may be something to do. */
  resume(): void {
    this.#again = true;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run();
  }

  /** Ends after the step under way. */
  async stop(): Promise<void> {
    clearInterval(this.#looker);
    this.#stopping.abort();
    await this.#running;
  }

  /** Ends in the same turn as its last look at `#again`: a recovery that is begun between the two would wait for the next look. */
  async #run(): Promise<void> {
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false;
      try {
        if (await this.#turn()) this.#again = true;
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'a recovery could not go on; it is tried again');
        this.#again = true;
        await this.#pause(STORAGE_RETRY_MS);
      }
    }
    this.#running = null;
  }

  /** One step of every job; whether there is more to do. */
  async #turn(): Promise<boolean> {
    const jobs = await listOpenRecoveries(this.#deps.store.read, JOBS_MAX);
    let further = false;
    for (const job of jobs) {
      if (this.#stopping.signal.aborted) return false;
      if (job.status === 'queued') {
        await beginRecovery(this.#deps, job);
        further = true;
      } else if (await stepRecovery(this.#deps, job)) further = true;
    }
    if (jobs.length > 0 && !further) await this.#pause(PAUSE_MS);
    return jobs.length > 0;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#stopping;
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}
