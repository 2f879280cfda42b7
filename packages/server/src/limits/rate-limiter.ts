import { LIMITS } from '@hubline/contract';
import { Fault } from '../domain/faults/fault.ts';

/** The charge of one request, and what is left. */
export interface Charge {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the window resets. */
  reset: number;
  /** Whole seconds, at least 1, until another request makes sense. */
  retryAfter: number;
  windowMs: number;
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

  /** Tells what charging one request to `name` would come to. */
  look(name: string, now: Date): Charge {
    return this.#describe(this.#usedBy(name, now), now);
  }

  /** Charges one request to `name`. A refused one is not charged. */
  take(name: string, now: Date): Charge {
    const charge = this.look(name, now);
    if (charge.allowed) this.#add(name, 1);
    return charge;
  }

  /** Charges one request to `name` even beyond the limit: it counts for those that come after it. */
  count(name: string, now: Date): Charge {
    const charge = this.look(name, now);
    this.#add(name, 1);
    return charge;
  }

  /** Takes a charge back, if its window is still open: the request was refused for another reason. */
  giveBack(name: string, now: Date): void {
    if (this.#usedBy(name, now) > 0) this.#add(name, -1);
  }

  #usedBy(name: string, now: Date): number {
    const window = Math.floor(now.getTime() / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = new Map();
    }
    return this.#used.get(this.#bucket(name)) ?? 0;
  }

  #add(name: string, requests: number): void {
    const bucket = this.#bucket(name);
    this.#used.set(bucket, (this.#used.get(bucket) ?? 0) + requests);
  }

  #bucket(name: string): string {
    return this.#used.size < NAMES_MAX || this.#used.has(name) ? name : OVERFLOW;
  }

  #describe(used: number, now: Date): Charge {
    const resetMs = (this.#window + 1) * this.#windowMs;
    return {
      allowed: used < this.#limit,
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - used - 1),
      reset: Math.ceil(resetMs / 1_000),
      retryAfter: Math.max(1, Math.ceil((resetMs - now.getTime()) / 1_000)),
      windowMs: this.#windowMs,
    };
  }
}

/** A limit, and who is charged. */
export type Bucket = readonly [limiter: RateLimiter, name: string];

/**
 * Charges one request to all of these or, when one of them is used up, to none: what is refused costs nothing. Answers the
 * charge of the first, or the refusal that lasts longest.
 */
export function takeAll(buckets: readonly [Bucket, ...Bucket[]], now: Date): Charge {
  const refused = buckets
    .map(([limiter, name]) => limiter.look(name, now))
    .filter(({ allowed }) => !allowed)
    .toSorted((a, b) => b.retryAfter - a.retryAfter)[0];
  if (refused) return refused;
  const [first] = buckets.map(([limiter, name]) => limiter.take(name, now));
  return first as Charge;
}

/** A limit refused. `what` names what is limited, such as `requests`. */
export class RateLimited extends Fault {
  /** Of the limit that refused. */
  readonly charge: Charge;

  constructor(charge: Charge, what: string) {
    const { limit, retryAfter, windowMs } = charge;
    const window = windowMs < LIMITS.windowMs ? 'second' : 'minute';
    super('rate_limited', `More than ${limit} ${what} in a ${window}. Retry in ${retryAfter} s.`, {
      retryAfterSeconds: retryAfter,
    });
    this.charge = charge;
  }
}
