import { LIMITS } from '@hubline/contract';
import type { QuotaStore, UnusedQuota } from '../domain/quota.ts';
import { type Charge, describe, type Limiter, type LimitOptions, type NewLimiter } from './rate-limiter.ts';

/** The quota of a name in this process, for one window. */
interface Block {
  /** Granted, and not used. */
  held: number;
  /** Let through without a grant: to be counted with the next one. */
  spent: number;
  /** Of the whole window, by all processes, when it was last asked; what is held counts. */
  used: number;
  /** By a clock that nobody sets: until then nothing is left, as far as is known. */
  emptyUntil: number;
  /** Requests that wait for the claim that is under way, or about to begin. */
  waiting: number;
  claim: Promise<void> | null;
  /** As many as the next claim asks for. */
  wanted: number;
  /** Used since the last look at what is idle. */
  busy: boolean;
}

// Quota that one process holds and does not use is returned after this long, so that another may have it.
const IDLE_MS = 250;
// When nothing is left, somebody may be giving some back.
const EMPTY_MS = 100;
const WANTED_MAX = 100_000;
// As many as a server counts alone; beyond, new names share one block.
const NAMES_MAX = 200_000;
const OVERFLOW = ' ';

/** Makes limits that all processes on a database count together. */
export const countTogether =
  (quotas: QuotaStore): NewLimiter =>
  (options) =>
    new SharedRateLimiter(quotas, options);

/**
 * A limit that several processes keep together: each takes a block of quota from a row and lets requests through until it is used up. A block
 * doubles while it is used up quickly, and is never more than a sixteenth of what is left, so that the last requests are
 * counted one by one, and the limit is exact. A strict limit has no blocks.
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
    block.claim ??= this.#claim(name, block, this.#windowStart);
    return block.claim;
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
    this.#blockOf(name, now).held += 1;
    this.#returnLater();
  }

  #use(block: Block): void {
    block.busy = true;
    if (block.held > 0) block.held -= 1;
    else block.spent += 1;
    this.#returnLater();
  }

  /** Asks for what waits, or for more while blocks do not last. */
  async #claim(name: string, block: Block, windowStart: number): Promise<void> {
    // Those who come in the same turn of the loop ask together.
    await new Promise((resolve) => setImmediate(resolve));
    const { limit, strict = false } = this.#options;
    const { waiting, spent } = block;
    block.wanted = strict ? 0 : Math.min(Math.max(1, block.wanted * 2), WANTED_MAX);
    block.waiting = 0;
    block.spent = 0;
    const asked = { limit, waiting, wanted: block.wanted, spent };
    const quota = await this.#quotas.takeQuota({ name: this.#rowOf(name), windowStart, ...asked });
    block.claim = null;
    if (quota === null) {
      // Nobody can say what is left. Those who wait are let through, and counted later.
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
    const window = Math.floor(now.getTime() / this.#options.windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#blocks = new Map();
    }
    let block = this.#blocks.get(name);
    if (!block && this.#blocks.size >= NAMES_MAX) block = this.#blocks.get((name = OVERFLOW));
    if (!block) {
      block = { held: 0, spent: 0, used: 0, emptyUntil: 0, waiting: 0, claim: null, wanted: 0, busy: true };
      this.#blocks.set(name, block);
    }
    return block;
  }

  get #windowStart(): number {
    return this.#window * this.#options.windowMs;
  }

  #rowOf(name: string): string {
    return `${this.#options.kind} ${name}`;
  }

  #returnLater(): void {
    if (this.#idleTimer) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      this.#returnIdle();
    }, IDLE_MS).unref();
  }

  /** Gives back what was held for a while in vain, and counts what was let through without a grant. */
  #returnIdle(): void {
    const windowStart = this.#windowStart;
    const { limit } = this.#options;
    const unused: UnusedQuota[] = [];
    let isBusy = false;
    for (const [name, block] of this.#blocks) {
      const { held, spent, busy } = block;
      isBusy ||= busy && held > 0;
      block.busy = false;
      if (spent > 0) {
        block.spent = 0;
        block.used += spent;
        const asked = { limit, waiting: 0, wanted: 0, spent };
        void this.#quotas.takeQuota({ name: this.#rowOf(name), windowStart, ...asked });
      }
      if (busy) continue;
      block.wanted = 0;
      if (held === 0) continue;
      block.held = 0;
      block.used -= held;
      unused.push({ name: this.#rowOf(name), windowStart, held });
    }
    if (unused.length > 0) void this.#quotas.returnQuota(unused);
    if (isBusy) this.#returnLater();
  }
}
