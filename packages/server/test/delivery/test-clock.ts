import type { Timer } from '../../src/clock/timer.ts';

/** Time that only a test moves, and the timers that wait for it. */
export class TestClock {
  #now: number;
  #set = 0;
  readonly #waiting = new Set<{ at: number; run: () => void }>();

  constructor(start = Date.now()) {
    this.#now = start;
  }

  readonly clock = (): Date => new Date(this.#now + this.#set);

  /** The monotonic clock, which nobody can set. */
  readonly monotonic = (): number => this.#now;

  readonly timer: Timer = (run, ms) => {
    // A timer of at most a millisecond waits only because a time was rounded up, so it runs in real time.
    if (ms <= 1) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    }
    const entry = { at: this.#now + ms, run };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  };

  /** Sets the clock ahead by this much, or back if negative. No time passes. */
  set(ms: number): void {
    this.#set += ms;
  }

  /** Advances time, and runs the timers that are due. */
  advance(ms: number): void {
    this.#now += ms;
    for (const entry of this.#waiting) {
      if (entry.at > this.#now || !this.#waiting.delete(entry)) continue;
      entry.run();
    }
  }
}
