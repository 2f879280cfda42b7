/**
 * Stores what this process has counted in memory, at intervals. It is no job, because no other process could do it. A crash loses what
 * was counted since the last time.
 */
export class Flush {
  readonly #run: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #last: Promise<void> = Promise.resolve();

  /** `run` never rejects: what it cannot store it keeps for the next time. */
  constructor(run: () => Promise<void>, everyMs: number) {
    this.#run = run;
    this.#timer = setInterval(() => void this.now(), everyMs);
    this.#timer.unref();
  }

  /** One run after another: once it has settled, everything that was counted before the call is stored. */
  now(): Promise<void> {
    return (this.#last = this.#last.then(this.#run));
  }

  /** Flushes a last time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.now();
  }
}
