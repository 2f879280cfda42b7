import { LIMITS } from '@hubline/contract';

/** What one request was charged, and what is left. */
export interface Charge {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the window resets. */
  reset: number;
  /** Whole seconds, at least 1, until another request makes sense. */
  retryAfter: number;
}

// Enough for every workspace of a server this size. Beyond it, new names share one bucket: memory stays bounded when
// somebody makes up addresses.
const NAMES_MAX = 200_000;
const OVERFLOW = ' ';

/**
 * Fixed windows, aligned to the clock, so that forgetting a window is forgetting one map. Specification, "Limits": 1,000
 * requests per minute and workspace, over all its keys.
 */
export class RateLimiter {
  readonly #limit: number;
  readonly #windowMs: number;
  #window = 0;
  #used = new Map<string, number>();

  constructor(limit: number, windowMs: number = LIMITS.windowMs) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Charges one request to `name`. A refused one is not charged. */
  take(name: string, now: Date): Charge {
    const time = now.getTime();
    const window = Math.floor(time / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = new Map();
    }
    const bucket = this.#used.size < NAMES_MAX || this.#used.has(name) ? name : OVERFLOW;
    const used = this.#used.get(bucket) ?? 0;
    const allowed = used < this.#limit;
    if (allowed) this.#used.set(bucket, used + 1);
    const resetMs = (window + 1) * this.#windowMs;
    return {
      allowed,
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - used - (allowed ? 1 : 0)),
      reset: Math.ceil(resetMs / 1_000),
      retryAfter: Math.max(1, Math.ceil((resetMs - time) / 1_000)),
    };
  }
}
