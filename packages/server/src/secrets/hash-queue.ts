import { Fault } from '../domain/faults/fault.ts';

/** Work that waits for its turn. */
interface QueuedHash {
  readonly from: string;
  /** The number of hashes of its address before it in this minute. */
  readonly rank: number;
  readonly since: number;
  start(): void;
  refuse(): void;
}

// Four people behind one address may log in at the same moment; a fifth is asked to come back in a second.
const WAITING_PER_ADDRESS = 4;
// Some four seconds of hashing. Beyond this, the server is under attack, and a longer queue would not help.
const WAITING_MAX = 16;
// After this long, the browser should get a response.
const PATIENCE_MS = 5_000;
const WINDOW_MS = 60_000;

/**
 * Hashes passwords, which is slow on purpose, one at a time. The address with the fewest hashes in this minute goes
 * first; of equal ones, the latest: a user who logs in once goes before everybody who guesses. The queue is short, and
 * refuses the rest.
 */
export class HashQueue {
  readonly #monotonic: () => number;
  /** In queue order. */
  #waiting: QueuedHash[] = [];
  #running = false;
  #window = 0;
  #begun = new Map<string, number>();

  /** `monotonic`: a monotonic clock, in milliseconds. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Runs `work` when it is the turn of `from`. Throws `Fault`: 429 for an address with too much in the queue, 503 if the queue is full. */
  async run<Result>(from: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#waiting.filter((each) => each.from === from).length;
    if (own >= WAITING_PER_ADDRESS) {
      throw busy('rate_limited', 'Too many passwords from your address are being checked');
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const since = this.#monotonic();
    this.#add({
      from,
      rank: this.#begunBy(from, since) + own,
      since,
      start: () => void this.#begin(work).then(resolve, reject),
      refuse: () => reject(busy('service_unavailable', 'Too many people are logging in')),
    });
    return promise;
  }

  /** Does the work, then begins the next, however this one ended. */
  async #begin<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #add(one: QueuedHash): void {
    const turn = this.#waiting.findIndex(({ rank }) => rank >= one.rank);
    this.#waiting.splice(turn === -1 ? this.#waiting.length : turn, 0, one);
    if (!this.#running) this.#next();
    else if (this.#waiting.length > WAITING_MAX) this.#waiting.pop()?.refuse();
  }

  #next(): void {
    const now = this.#monotonic();
    const late = (each: QueuedHash) => now - each.since > PATIENCE_MS;
    for (const each of this.#waiting.filter(late)) each.refuse();
    this.#waiting = this.#waiting.filter((each) => !late(each));
    const next = this.#waiting.shift();
    this.#running = next !== undefined;
    if (!next) return;
    this.#begun.set(next.from, this.#begunBy(next.from, now) + 1);
    next.start();
  }

  #begunBy(from: string, now: number): number {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#begun = new Map();
    }
    return this.#begun.get(from) ?? 0;
  }
}

function busy(code: 'rate_limited' | 'service_unavailable', what: string): Fault {
  return new Fault(code, `${what}. Try again in a second.`, { retryAfterSeconds: 1 });
}
