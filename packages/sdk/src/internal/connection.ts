import type { Clock } from './clock.ts';

/** The life of one attempt: ends with the caller's signal, or when its time is up. */
export class Connection {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  #stopTimer: (() => void) | undefined;
  /** Whether it ended because its time was up. */
  timedOut = false;

  readonly #clock: Clock;
  readonly #abort = () => this.#controller.abort();

  constructor(clock: Clock, parent: AbortSignal | undefined) {
    this.#clock = clock;
    this.#parent = parent;
    parent?.addEventListener('abort', this.#abort);
    if (parent?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the caller ended it. */
  get reason(): unknown {
    return this.#parent?.reason;
  }

  /** Gives it `ms` more milliseconds from now; `Infinity` for no limit. */
  limit(ms: number): void {
    this.#stopTimer?.();
    this.#stopTimer = Number.isFinite(ms)
      ? this.#clock.after(ms, () => {
          this.timedOut = true;
          this.#abort();
        })
      : undefined;
  }

  /** Waits for `work`, but no longer than the connection lives: a transport may be deaf to its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const { signal } = this;
      const end = () => reject(signal.reason as Error);
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject);
    });
  }

  /** Leaves nothing behind: no timer, no listener on the caller's signal. */
  release(): void {
    this.#stopTimer?.();
    this.#parent?.removeEventListener('abort', this.#abort);
  }

  /** Releases it and ends whatever is still under way. */
  close(): void {
    this.release();
    this.#abort();
  }
}
