import type { Timer } from '../clock/timer.ts';

interface PollTimerOptions {
  /** Polls, and resolves to the milliseconds until the next poll; 0: at once. Handles its own failures. */
  poll: () => Promise<number>;
  timer: Timer;
  /** A monotonic clock, in milliseconds. */
  monotonic: () => number;
}

/** Decides when the job runner polls: when it is woken, and after the time that the last poll named. Polls never overlap. */
export class PollTimer {
  readonly #options: PollTimerOptions;
  #stopped = true;
  #polling = false;
  #again = false;
  /** The shortest wait that was asked for during this poll. */
  #askedMs = Number.POSITIVE_INFINITY;
  /** The next poll, by the monotonic clock. */
  #nextAt = Number.POSITIVE_INFINITY;
  #cancel = () => {};

  constructor(options: PollTimerOptions) {
    this.#options = options;
  }

  get isPolling(): boolean {
    return this.#polling;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Polls now. */
  wake(): void {
    this.#again = true;
    if (this.#polling || this.#stopped) return;
    this.#polling = true;
    void this.#poll();
  }

  /** Polls within that many milliseconds. */
  wakeIn(ms: number): void {
    if (this.#polling) this.#askedMs = Math.min(this.#askedMs, ms);
    const at = this.#options.monotonic() + ms;
    if (this.#stopped || this.#polling || at >= this.#nextAt) return;
    this.#cancel();
    this.#nextAt = at;
    this.#cancel = this.#options.timer(() => this.wake(), ms);
  }

  /** Ends in the same turn as its last check of `#again`: a wake-up between the two would be lost. */
  async #poll(): Promise<void> {
    let waitMs = 0;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      waitMs = await this.#options.poll();
      this.#again ||= waitMs === 0;
    }
    this.#polling = false;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.wakeIn(Math.min(waitMs, this.#askedMs));
    this.#askedMs = Number.POSITIVE_INFINITY;
  }
}
