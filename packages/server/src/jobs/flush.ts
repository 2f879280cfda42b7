/**
 * Stores what this process has counted in memory, again and again. No row stands for that, because no other process could do it. A
 * crash loses what was counted since the last time.
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

  /** One after another: who waits for it finds everything stored that was counted before. */
  now(): Promise<void> {
    return (this.#last = this.#last.then(this.#run));
  }

  /** Flushes a last time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.now();
  }
}
