/** How many attempts to one webhook may be under way. */
export interface LaneLimits {
  /** At the beginning, and after a pause. */
  first: number;
  /** At most. */
  most: number;
}

// An attempt that has not been answered after this long waits outside the common places (engine.md 5, measured: with 15
// hanging receivers all healthy deliveries were made, with p99 below 10 ms; first come, first served made 14 % of them).
export const SLOW_MS = 250;

/**
 * The queue of one webhook, as far as memory holds it: the deliveries themselves stay in the database. Slow start: the
 * first calls find out what the receiver can take; every quick success opens one more place, every failure halves them.
 */
export class Lane {
  /** When the next delivery is due, in milliseconds since the epoch. */
  dueAt = Number.POSITIVE_INFINITY;
  /** Until when its rate limit lets nothing out, in milliseconds since the epoch. */
  pausedUntil = 0;
  underWay = 0;
  #places: number;
  readonly #limits: LaneLimits;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#places = limits.first;
  }

  /** Attempts that may begin now. */
  get free(): number {
    return this.#places - this.underWay;
  }

  /** Nothing is under way and nothing is waited for. */
  get idle(): boolean {
    return this.underWay === 0 && this.dueAt === Number.POSITIVE_INFINITY;
  }

  begin(): void {
    this.underWay += 1;
  }

  end({ ok, durationMs }: { ok: boolean; durationMs: number }): void {
    this.underWay -= 1;
    this.#places =
      ok && durationMs < SLOW_MS
        ? Math.min(this.#places + 1, this.#limits.most)
        : Math.max(Math.floor(this.#places / 2), this.#limits.first);
  }
}
