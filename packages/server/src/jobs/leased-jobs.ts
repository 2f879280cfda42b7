import type { JobRow } from '../db/jobs.ts';
import { TransientMap } from '../collections/transient.ts';
import type { JobKind } from './job-kind.ts';

interface LeasedJobsOptions {
  kinds: ReadonlyMap<string, JobKind>;
  /**
   * Reports whether the runner is stopping: then every job is begun with an aborted signal, which returns it
   * to the database.
   */
  isStopped: () => boolean;
  /** Performs a job; `true` if it is over. */
  perform: (job: { kind: JobKind; row: JobRow }, signal: AbortSignal) => Promise<boolean>;
  /** Called when an attempt of a job has ended, after waiting jobs of its kind have begun. */
  ended: (kind: string, isOver: boolean) => void;
}

interface Running {
  row: JobRow;
  abort: AbortController;
  ended: Promise<void>;
}

/** The jobs that this process has leased: those that run, and those that wait until fewer of their kind run. */
export class LeasedJobs {
  readonly #options: LeasedJobsOptions;
  readonly #running = new TransientMap<number, Running>();
  readonly #waiting = new Map<string, JobRow[]>();

  constructor(options: LeasedJobsOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  waitingCount(kind: string): number {
    return this.#waiting.get(kind)?.length ?? 0;
  }

  /** The number of further jobs of a kind to lease now: those that can begin, and those that may wait here. */
  capacityFor(kind: string): number {
    const { prefetch = 0 } = this.#options.kinds.get(kind) ?? {};
    return this.#roomFor(kind) + prefetch - this.waitingCount(kind);
  }

  all(): JobRow[] {
    return [...[...this.#running.values()].map(({ row }) => row), ...[...this.#waiting.values()].flat()];
  }

  /** Adds a job, which waits for {@link begin}. */
  add(row: JobRow): void {
    const rows = this.#waiting.get(row.kind);
    if (rows) rows.push(row);
    else this.#waiting.set(row.kind, [row]);
  }

  /** Begins the waiting jobs of a kind for which there is room. */
  begin(kind: string): void {
    const rows = this.#waiting.get(kind) ?? [];
    while (this.#options.isStopped() || this.#roomFor(kind) > 0) {
      const row = rows.shift();
      if (!row) return;
      this.#run(row);
    }
  }

  /** Gives up jobs whose leases are lost. */
  drop(lost: readonly JobRow[]): void {
    for (const row of lost) {
      const running = this.#running.get(row.seq);
      if (running?.row === row) running.abort.abort();
      const rows = this.#waiting.get(row.kind);
      if (rows?.includes(row)) rows.splice(rows.indexOf(row), 1);
    }
  }

  /** Asks every job to end. */
  abort(): void {
    for (const { abort } of this.#running.values()) abort.abort();
    for (const kind of this.#waiting.keys()) this.begin(kind);
  }

  /** Waits for the jobs that run now. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #roomFor(name: string): number {
    const kind = this.#options.kinds.get(name);
    if (!kind) return 0;
    let room = kind.concurrency ?? 1;
    for (const { row } of this.#running.values()) if (row.kind === name) room -= 1;
    return room;
  }

  #run(row: JobRow): void {
    const kind = this.#options.kinds.get(row.kind);
    if (!kind) return;
    const abort = new AbortController();
    if (this.#options.isStopped()) abort.abort();
    const ended = this.#finish(kind, row, abort.signal);
    this.#running.set(row.seq, { row, abort, ended });
  }

  async #finish(kind: JobKind, row: JobRow, signal: AbortSignal): Promise<void> {
    const isOver = await this.#options.perform({ kind, row }, signal);
    // By now the job may have been claimed again, and that run still needs its lease renewed.
    if (this.#running.get(row.seq)?.row === row) this.#running.delete(row.seq);
    this.begin(row.kind);
    this.#options.ended(row.kind, isOver);
  }
}
