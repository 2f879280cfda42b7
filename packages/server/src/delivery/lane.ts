import { SLOW_MS } from './places.ts';

/** How many attempts to one webhook may be under way. */
export interface LaneLimits {
  /** At the beginning, and after a pause. */
  first: number;
  /** At most. */
  most: number;
}

/**
 * The queue of one webhook, as far as memory holds it: the deliveries themselves stay in the database. Slow start: the
 * first calls find out what the receiver can take; every quick success opens one more place, every failure halves them.
 */
export class Lane {
  /** When the next delivery is due, in milliseconds since the epoch. */
  dueAt = Number.POSITIVE_INFINITY;
  /** Until when its rate limit lets nothing out, in milliseconds since the epoch. */
  pausedUntil = 0;
  #held = 0;
  #places: number;
  readonly #limits: LaneLimits;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#places = limits.first;
  }

  /** Attempts that may begin now. */
  get free(): number {
    return this.#places - this.#held;
  }

  /** Nothing is under way, and nothing is waited for. */
  get idle(): boolean {
    return this.#held === 0 && this.dueAt === Number.POSITIVE_INFINITY;
  }

  hold(count: number): void {
    this.#held += count;
  }

  release(count: number): void {
    this.#held -= count;
  }

  end({ ok, durationMs }: { ok: boolean; durationMs: number }): void {
    this.#held -= 1;
    this.#places =
      ok && durationMs < SLOW_MS
        ? Math.min(this.#places + 1, this.#limits.most)
        : Math.max(Math.floor(this.#places / 2), this.#limits.first);
  }
}
