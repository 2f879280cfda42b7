/** Bounds of the attempts to one webhook that may run at once. */
export interface ConcurrencyBounds {
  /** The limit at the beginning, and the lowest. */
  initial: number;
  max: number;
}

/** The part of an attempt that says something about its receiver. */
export interface Response {
  ok: boolean;
  durationMs: number;
}

/** An attempt that takes longer than this, in milliseconds, is slow. */
export const SLOW_MS = 250;

/**
 * The concurrency limit of one webhook, adapted to what its receiver can take: slow start, one more for each quick success, half for
 * each failure or slow response.
 */
export class AdaptiveConcurrency {
  readonly #bounds: ConcurrencyBounds;
  #limit: number;
  #wasSlow = false;

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds;
    this.#limit = bounds.initial;
  }

  get limit(): number {
    return this.#limit;
  }

  /** True if the last attempt that has ended was slow. */
  get wasSlow(): boolean {
    return this.#wasSlow;
  }

  /** Adapts the limit to an attempt that has ended. */
  record({ ok, durationMs }: Response): void {
    const { initial, max } = this.#bounds;
    this.#wasSlow = durationMs >= SLOW_MS;
    this.#limit =
      ok && !this.#wasSlow ? Math.min(this.#limit + 1, max) : Math.max(Math.floor(this.#limit / 2), initial);
  }
}
