import { LIMITS } from '@hubline/contract';
import { Fault } from '../domain/faults/fault.ts';
import { windowAt, windowOf } from './window.ts';

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

/**
 * A limit of requests in fixed windows, for each name. Decisions are synchronous, so that several limits can be asked together; the
 * data that they need is fetched before.
 */
export interface Limiter {
  /**
   * Fetches the data that a decision about `name` needs. Returns a promise if that takes time. Others that wait may use up what it brings:
   * call it with `whenPrepared`.
   */
  prepare(name: string, now: Date): Promise<void> | undefined;
  /** Returns the result of charging one request to `name`, without charging it. */
  look(name: string, now: Date): Charge;
  /** Charges one request to `name`. A refused one is not charged. */
  take(name: string, now: Date): Charge;
  /** Charges one request to `name` even beyond the limit: it counts for those that come after it. */
  count(name: string, now: Date): Charge;
  /** Takes a charge back, if its window is still open: the request was refused for another reason. */
  giveBack(name: string, now: Date): void;
}

/** The settings of a limit, whoever counts it. */
export interface LimitOptions {
  /** Separates it from other limits with the same names. */
  kind: string;
  limit: number;
  /** Default: a minute. */
  windowMs?: number;
  /** True to count every request where all processes see it, before it is let through. */
  strict?: boolean;
}

/** Makes a limit. */
export type NewLimiter = (options: LimitOptions) => Limiter;

/** Limits that this process counts alone. */
export const processLimiter: NewLimiter = ({ limit, windowMs }) => new RateLimiter(limit, windowMs);

// Enough for every workspace of a server this size. Beyond it, new names share one bucket: memory stays bounded when
// somebody makes up addresses.
const NAMES_MAX = 200_000;
const OVERFLOW = ' ';

/**
 * Fixed windows, aligned to the clock, so that dropping a window means dropping one map. Specification, "Limits" 1: 1,000
 * requests per minute and workspace, over all its keys.
 */
export class RateLimiter implements Limiter {
  readonly #limit: number;
  readonly #windowMs: number;
  #window = 0;
  #used = new Map<string, number>();

  constructor(limit: number, windowMs: number = LIMITS.windowMs) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Nothing has to be fetched. */
  prepare(): undefined {}

  look(name: string, now: Date): Charge {
    return this.#describe(this.#usedBy(name, now), now);
  }

  take(name: string, now: Date): Charge {
    const charge = this.look(name, now);
    if (charge.allowed) this.#add(name, 1);
    return charge;
  }

  count(name: string, now: Date): Charge {
    const charge = this.look(name, now);
    this.#add(name, 1);
    return charge;
  }

  giveBack(name: string, now: Date): void {
    if (windowAt(now, this.#windowMs) === this.#window && this.#usedBy(name, now) > 0) this.#add(name, -1);
  }

  #usedBy(name: string, now: Date): number {
    const window = windowOf(now, { windowMs: this.#windowMs, open: this.#window });
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
    return describe({ limit: this.#limit, windowMs: this.#windowMs, used }, now);
  }
}

/** Describes a limit with `used` requests in the window of `now`. */
export function describe(
  { limit, windowMs, used }: { limit: number; windowMs: number; used: number },
  now: Date,
): Charge {
  const resetMs = (Math.floor(now.getTime() / windowMs) + 1) * windowMs;
  return {
    allowed: used < limit,
    limit,
    remaining: Math.max(0, limit - used - 1),
    reset: Math.ceil(resetMs / 1_000),
    retryAfter: Math.max(1, Math.ceil((resetMs - now.getTime()) / 1_000)),
    windowMs,
  };
}

/** A limit, and who is charged. */
export type Bucket = readonly [limiter: Limiter, name: string];

/** Decides in the turn in which `prepare` has nothing left to fetch. Returns a promise only if that takes time. */
export function whenPrepared<Result>(
  prepare: () => Promise<void> | undefined,
  decide: () => Result,
): Result | Promise<Result> {
  const preparing = prepare();
  return preparing ? preparing.then(() => whenPrepared(prepare, decide)) : decide();
}

/** `prepare` for several limits. */
export function prepareAll(buckets: readonly Bucket[], now: Date): Promise<void> | undefined {
  for (const [limiter, name] of buckets) {
    const fetching = limiter.prepare(name, now);
    if (fetching) return fetching;
  }
  return undefined;
}

/**
 * Charges one request to all of these or, when one of them is used up, to none: a refused request costs
 * nothing. Returns the charge of the first, or the refusal that lasts longest.
 */
export function takeAll(buckets: readonly [Bucket, ...Bucket[]], now: Date): Charge {
  const [[only, name], ...others] = buckets;
  // Without a limit for bursts there is only one, which checks before it charges.
  if (others.length === 0) return only.take(name, now);
  const refused = buckets
    .map(([limiter, each]) => limiter.look(each, now))
    .filter(({ allowed }) => !allowed)
    .toSorted((a, b) => b.retryAfter - a.retryAfter)[0];
  if (refused) return refused;
  const [first] = buckets.map(([limiter, each]) => limiter.take(each, now));
  return first as Charge;
}

/** The refusal of a limit. `what` names the limited thing, such as `requests`. */
export class RateLimited extends Fault {
  /** The charge of the limit that refused. */
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
