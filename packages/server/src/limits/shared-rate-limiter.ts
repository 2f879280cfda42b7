import { LIMITS } from '@hubline/contract';
import { nextTurn } from '../clock/timer.ts';
import type { QuotaStore, UnusedQuota } from '../domain/quota.ts';
import { type Charge, describe, type Limiter, type LimitOptions, type NewLimiter } from './rate-limiter.ts';
import { windowAt, windowOf } from './window.ts';

/** The quota of a name in this process, for one window. */
interface Block {
  /** The name of its row: its own, or the one that all names beyond NAMES_MAX share. */
  readonly name: string;
  /** Quota that was granted and is not used. */
  held: number;
  /** Requests that were let through without a grant, to be counted with the next one. */
  spent: number;
  /** The quota that all processes had used in the window at the last request. Held quota counts as used. */
  used: number;
  /** The time until which no quota is taken to be left, on the monotonic clock. */
  emptyUntil: number;
  /** Requests that wait for the current request for quota, or for the next. */
  waiting: number;
  request: Promise<void> | null;
  /** The quota beyond what waits that is asked for next. */
  wanted: number;
  /** True if it was used since the last return of idle quota. */
  busy: boolean;
}

// After this long, a process returns quota that it does not use, so that another can have it.
const IDLE_MS = 250;
// Once nothing is left, another process may soon return some.
const EMPTY_MS = 100;
const WANTED_MAX = 100_000;
// As many as a server counts alone. Beyond, new names share one block.
const NAMES_MAX = 200_000;
const OVERFLOW = ' ';

/** Makes limits that all processes on a database count together. */
export const sharedLimiter =
  (quotas: QuotaStore): NewLimiter =>
  (options) =>
    new SharedRateLimiter(quotas, options);

/**
 * A limit that several processes share: each takes a block of quota from a row, and lets requests through until it is used up. Blocks
 * double while they are used up quickly, and are never larger than a sixteenth of what is left: the last requests are counted one by
 * one, so the limit is exact. A strict limit has no blocks.
 */
class SharedRateLimiter implements Limiter {
  readonly #quotas: QuotaStore;
  readonly #options: LimitOptions & { windowMs: number };
  #window = 0;
  #blocks = new Map<string, Block>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(quotas: QuotaStore, options: LimitOptions) {
    this.#quotas = quotas;
    this.#options = { windowMs: LIMITS.windowMs, ...options };
  }

  prepare(name: string, now: Date): Promise<void> | undefined {
    const block = this.#blockOf(name, now);
    if (block.held > 0 || block.emptyUntil > performance.now()) return undefined;
    block.waiting += 1;
    block.request ??= this.#request(block, this.#windowStart);
    return block.request;
  }

  look(name: string, now: Date): Charge {
    const block = this.#blockOf(name, now);
    const { limit } = this.#options;
    const used = block.used - block.held + block.spent;
    const isEmpty = block.held === 0 && block.emptyUntil > performance.now();
    return describe({ ...this.#options, used: isEmpty ? limit : Math.min(used, limit - 1) }, now);
  }

  take(name: string, now: Date): Charge {
    const charge = this.look(name, now);
    if (charge.allowed) this.#use(this.#blockOf(name, now));
    return charge;
  }

  count(name: string, now: Date): Charge {
    const charge = this.look(name, now);
    this.#use(this.#blockOf(name, now));
    return charge;
  }

  giveBack(name: string, now: Date): void {
    if (windowAt(now, this.#options.windowMs) !== this.#window) return;
    this.#blockOf(name, now).held += 1;
    this.#returnLater();
  }

  #use(block: Block): void {
    block.busy = true;
    if (block.held > 0) block.held -= 1;
    else block.spent += 1;
    this.#returnLater();
  }

  /** Takes quota for the requests that wait, and a block beyond them. */
  async #request(block: Block, windowStart: number): Promise<void> {
    // Requests of the same turn of the event loop take quota together.
    await nextTurn();
    const { limit, strict = false } = this.#options;
    const { waiting, spent } = block;
    block.wanted = strict ? 0 : Math.min(Math.max(1, block.wanted * 2), WANTED_MAX);
    block.waiting = 0;
    block.spent = 0;
    const asked = { limit, waiting, wanted: block.wanted, spent };
    const quota = await this.#quotas.takeQuota({ name: this.#rowOf(block), windowStart, ...asked });
    block.request = null;
    if (quota === null) {
      // The database does not respond. Requests that wait are let through, and counted later.
      block.held += waiting;
      block.spent += spent + waiting;
      return;
    }
    block.used = quota.used;
    block.held += quota.granted;
    if (quota.granted === 0) block.emptyUntil = performance.now() + EMPTY_MS;
    this.#returnLater();
  }

  #blockOf(name: string, now: Date): Block {
    const window = windowOf(now, { windowMs: this.#options.windowMs, open: this.#window });
    if (window !== this.#window) {
      this.#window = window;
      this.#blocks = new Map();
    }
    let block = this.#blocks.get(name);
    if (!block && this.#blocks.size >= NAMES_MAX) block = this.#blocks.get((name = OVERFLOW));
    if (!block) {
      block = {
        name,
        held: 0,
        spent: 0,
        used: 0,
        emptyUntil: 0,
        waiting: 0,
        request: null,
        wanted: 0,
        busy: true,
      };
      this.#blocks.set(name, block);
    }
    return block;
  }

  get #windowStart(): number {
    return this.#window * this.#options.windowMs;
  }

  #rowOf({ name }: Block): string {
    return `${this.#options.kind} ${name}`;
  }

  #returnLater(): void {
    if (this.#idleTimer) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      this.#returnIdle();
    }, IDLE_MS).unref();
  }

  /** Returns quota that was not used for a while, and counts requests that were let through without quota. */
  #returnIdle(): void {
    const windowStart = this.#windowStart;
    const unused: UnusedQuota[] = [];
    let isBusy = false;
    for (const block of this.#blocks.values()) {
      const { held, spent, busy } = block;
      isBusy ||= busy && held > 0;
      block.busy = false;
      if (spent > 0) void this.#countSpent(block, windowStart);
      if (busy) continue;
      block.wanted = 0;
      if (held === 0) continue;
      block.held = 0;
      block.used -= held;
      unused.push({ name: this.#rowOf(block), windowStart, held });
    }
    if (unused.length > 0) void this.#quotas.returnQuota(unused);
    if (isBusy) this.#returnLater();
  }

  /** Counts requests that were let through without quota; while the database does not respond, they wait for the next request for quota. */
  async #countSpent(block: Block, windowStart: number): Promise<void> {
    const { spent } = block;
    block.spent = 0;
    block.used += spent;
    const asked = { limit: this.#options.limit, waiting: 0, wanted: 0, spent };
    const quota = await this.#quotas.takeQuota({ name: this.#rowOf(block), windowStart, ...asked });
    if (quota !== null) return;
    block.spent += spent;
    block.used -= spent;
  }
}
