import { Fault } from '../domain/faults/fault.ts';
import { TransientMap, TransientSet } from '../collections/transient.ts';
import { type Garbage, garbage } from './garbage.ts';

interface BudgetOptions {
  /** The use of the memory, as in "no memory left for request bodies". */
  name: string;
  /** The limit for all holders together, in bytes. */
  limit: number;
  /** The time for which a request waits for others to finish before it is refused, in milliseconds. Default 5 s. */
  patienceMs?: number;
  /** Counts the large reservations that are released. Default: the garbage of this thread. */
  garbage?: Pick<Garbage, 'add'>;
}

/** Bytes that somebody holds until they release them. */
export interface Reservation {
  readonly bytes: number;
  /** Takes more or gives some back, without waiting. `false`: there is no room, and nothing changed. */
  resize(bytes: number): boolean;
  /** Like `resize`; throws a `Fault` 503 when there is no room. */
  require(bytes: number): void;
  /** Gives everything back. May be called more than once. */
  release(): void;
}

/** Calls `gone` with the reason when the one who waits goes away. Returns a function that ends this. */
export type WhenGone = (gone: (reason: Error) => void) => () => void;

interface Waiter {
  holder: string;
  bytes: number;
  grant: (reservation: Reservation) => void;
}

// A reservation beyond this leaves a quarter of the budget to smaller ones: a few uploads of 25 MB must not stop everybody's
// ordinary requests, a page of 20 rows among them.
const SMALL_BYTES = 2 * 1024 * 1024;
const LARGE_PART = 0.75;
const HOLDER_PART = 0.5;
// Two holders together fill the part for large reservations.
const COUNTED_PART = LARGE_PART / 2;
// V8 collects what smaller reservations leave behind soon enough by itself. Counting pages of a hundred events, of which each has a kilobyte,
// made a page cost twice as much (measured).
const GARBAGE_BYTES = 1024 * 1024;
// A waiting request costs a socket and a few kilobytes; more of them than this are refused at once.
const WAITING_MAX = 1_000;
const RETRY_SECONDS = 1;

/**
 * Memory of one kind that all requests share. No holder has more than half of it, except by a single larger request. However much a
 * holder has, at most three eighths count: a second holder is served however large its request is, and a quarter stays free for the
 * small requests of others. So two large holders can exceed the budget.
 */
export class ByteBudget {
  readonly name: string;
  readonly limit: number;
  readonly #patienceMs: number;
  readonly #garbage: Pick<Garbage, 'add'>;
  readonly #held = new TransientMap<string, number>();
  readonly #waiting = new TransientSet<Waiter>();
  #used = 0;
  /** Like `#used`, with no more than three eighths for each holder. */
  #counted = 0;
  #refused = 0;

  constructor({ name, limit, patienceMs = 5_000, garbage: counter = garbage }: BudgetOptions) {
    this.name = name;
    this.limit = limit;
    this.#patienceMs = patienceMs;
    this.#garbage = counter;
  }

  get used(): number {
    return this.#used;
  }

  /** The number of requests that were refused because there was no memory left. */
  get refused(): number {
    return this.#refused;
  }

  /** Reserves now; `null` when there is no room. */
  take(holder: string, bytes: number): Reservation | null {
    if (!this.#fits(holder, bytes)) return null;
    this.#add(holder, bytes);
    return new HeldBytes(this, holder, bytes);
  }

  /**
   * Reserves, waiting a little for others to finish. Throws a `Fault` 503 when they do not, and the reason of `whenGone` when the
   * caller has gone.
   */
  reserve(holder: string, bytes: number, whenGone?: WhenGone): Reservation | Promise<Reservation> {
    const reservation = this.take(holder, bytes);
    if (reservation) return reservation;
    if (this.#waiting.size >= WAITING_MAX) throw this.refuse();
    return this.#wait({ holder, bytes }, whenGone);
  }

  /** Makes the refusal of a request for which there is no room, and counts it. */
  refuse(): Fault {
    this.#refused += 1;
    return new Fault(
      'service_unavailable',
      `The server has no memory left for ${this.name} at the moment. Retry in a few seconds.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }

  #wait(wanted: Omit<Waiter, 'grant'>, whenGone: WhenGone | undefined): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        stay?.();
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter = {
        ...wanted,
        grant(reservation) {
          end();
          resolve(reservation);
        },
      };
      const timer = setTimeout(() => {
        end();
        reject(this.refuse());
      }, this.#patienceMs);
      const stay = whenGone?.((reason) => {
        end();
        reject(reason);
      });
      this.#waiting.add(waiter);
    });
  }

  #countOf(held: number): number {
    return Math.min(held, this.limit * COUNTED_PART);
  }

  #fits(holder: string, bytes: number): boolean {
    if (this.#used === 0) return true;
    const held = this.#held.get(holder) ?? 0;
    if (held > 0 && held + bytes > this.limit * HOLDER_PART) return false;
    const room = bytes > SMALL_BYTES ? this.limit * LARGE_PART : this.limit;
    return this.#counted + this.#countOf(held + bytes) - this.#countOf(held) <= room;
  }

  /** For its own reservations: changes what one of them holds. `false`: there is no room, and nothing changed. */
  change(holder: string, held: number, wanted: number): boolean {
    const more = wanted - held;
    // Its own memory does not count against it: alone, it may grow as far as it needs.
    if (more > 0 && this.#used > held && !this.#fits(holder, more)) return false;
    this.#add(holder, more);
    if (more < 0) this.#grantWaiting();
    return true;
  }

  /** For its own reservations: gives back all that one of them holds. */
  giveBack(holder: string, held: number): void {
    if (held >= GARBAGE_BYTES) this.#garbage.add(held);
    this.change(holder, held, 0);
  }

  #add(holder: string, bytes: number): void {
    const before = this.#held.get(holder) ?? 0;
    const held = before + bytes;
    this.#used += bytes;
    this.#counted += this.#countOf(held) - this.#countOf(before);
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }

  /** First come, first served; a small request may pass a large one for which there is no room yet. */
  #grantWaiting(): void {
    for (const waiter of this.#waiting.values()) {
      const reservation = this.take(waiter.holder, waiter.bytes);
      if (reservation) waiter.grant(reservation);
    }
  }
}

/** A reservation. A class: each request makes two, and an object with closures and a getter took a microsecond each (measured). */
class HeldBytes implements Reservation {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  #bytes: number;

  constructor(budget: ByteBudget, holder: string, bytes: number) {
    this.#budget = budget;
    this.#holder = holder;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  resize(wanted: number): boolean {
    const isChanged = this.#budget.change(this.#holder, this.#bytes, wanted);
    if (isChanged) this.#bytes = wanted;
    return isChanged;
  }

  require(wanted: number): void {
    if (!this.resize(wanted)) throw this.#budget.refuse();
  }

  release(): void {
    this.#budget.giveBack(this.#holder, this.#bytes);
    this.#bytes = 0;
  }
}

/** The budgets for memory that grows with what users send and ask for. Each key is a label in `/metrics`. */
export interface Budgets {
  /** Bodies of requests, and the values that are made from them. */
  bodies: ByteBudget;
  /** Responses that are not sent yet. */
  responses: ByteBudget;
  /** Large events on their way to readers of streams, and exports. */
  streams: ByteBudget;
  /** Large bodies of attempts under way. */
  deliveries: ByteBudget;
}

/** Memory of one kind, as `/metrics` shows it: in bytes, and how often there was none left. */
export interface ByteMeter {
  readonly used: number;
  readonly limit: number;
  readonly refused: number;
}

const MIB = 1024 * 1024;

/** The shares of the memory that a server may use. */
const SHARES = {
  bodies: 0.4,
  responses: 0.2,
  streams: 0.15,
  deliveries: 0.15,
  // New deliveries that wait in memory for their attempt.
  prefetch: 0.1,
};

/** The share of something in the memory that a server may use, in bytes. */
export const shareOf = (mebibytes: number, what: keyof typeof SHARES): number =>
  Math.floor(mebibytes * MIB * SHARES[what]);

/** Divides the memory that a server may use for its requests. */
export function createBudgets(mebibytes: number): Budgets {
  const part = (name: string, what: keyof Budgets, patienceMs?: number) =>
    new ByteBudget({ name, limit: shareOf(mebibytes, what), ...(patienceMs ? { patienceMs } : {}) });
  return {
    bodies: part('request bodies', 'bodies'),
    responses: part('responses', 'responses'),
    // Most readers have taken their batch by then. One that takes nothing keeps it for 30 s at most.
    streams: part('streams', 'streams', 20_000),
    deliveries: part('deliveries', 'deliveries'),
  };
}
