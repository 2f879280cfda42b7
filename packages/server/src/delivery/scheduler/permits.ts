import { SLOW_MS } from './adaptive-concurrency.ts';

/** A permit with which an attempt is running. */
export interface UsedPermit {
  /** The beginning of the attempt, in milliseconds of a monotonic clock. */
  readonly since: number;
  slow: boolean;
  ended: boolean;
}

// Slow attempts that run beside the limit: each is a socket and a few kilobytes.
const SLOW_MAX = 2_048;
// Once this many attempts are running, slow or not, attempts to receivers known to be slow wait: the rest of SLOW_MAX is kept for receivers
// that are only now becoming slow.
const SLOW_RECEIVERS_MAX = 1_536;

/**
 * The permits to run attempts, which all webhooks share. Up to the same number of ended attempts may wait to be recorded; beyond that,
 * each keeps its permit, because calls that run ahead of a busy database are repeated after a crash. A slow attempt gives its permit back
 * before it ends and takes none when it ends, because its receiver must not keep others waiting. Beside 15 receivers that hang, all healthy
 * deliveries were made, with p99 below 10 ms; first come, first served made only 14% of them (measured).
 */
export class Permits {
  readonly #limit: number;
  #taken = 0;
  #slow = 0;
  /** Attempts that have ended with their permit and are not recorded yet. */
  #unrecorded = 0;
  /** Running attempts in the order of their beginning, from the first that is not slow yet. */
  readonly #young: UsedPermit[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts the permits that are free at a moment of the monotonic clock. */
  free(elapsed: number): number {
    for (
      let first = this.#young[0];
      first && (first.ended || first.since < elapsed - SLOW_MS);
      first = this.#young[0]
    ) {
      this.#young.shift();
      if (first.ended || this.#slow >= SLOW_MAX) continue;
      first.slow = true;
      this.#slow += 1;
    }
    return this.#limit - (this.#taken - this.#slow) - Math.max(0, this.#unrecorded - this.#limit);
  }

  /**
   * Counts the permits that are free for receivers that are known to be slow. Each of their attempts will soon count among the SLOW_MAX.
   * Beyond these, it would keep its permit until its deadline: before there was this limit, 600 receivers that hang kept all permits
   * (measured).
   */
  freeForSlow(elapsed: number): number {
    return Math.min(this.free(elapsed), SLOW_RECEIVERS_MAX - this.#taken);
  }

  /** True while a running attempt may become slow, and so give its permit back without an event. */
  get mayTurnSlow(): boolean {
    return this.#young.length > 0;
  }

  take(count: number): void {
    this.#taken += count;
  }

  giveBack(count: number): void {
    this.#taken -= count;
  }

  /** Begins an attempt with a permit that was taken. */
  begin(elapsed: number): UsedPermit {
    const used = { since: elapsed, slow: false, ended: false };
    this.#young.push(used);
    return used;
  }

  /** Ends an attempt, whose result is then to be recorded. */
  end(used: UsedPermit): void {
    used.ended = true;
    this.#taken -= 1;
    if (used.slow) this.#slow -= 1;
    else this.#unrecorded += 1;
  }

  /** Notes that the result of an attempt that has ended is recorded, or its delivery returned. */
  noteRecorded(used: UsedPermit): void {
    if (!used.slow) this.#unrecorded -= 1;
  }
}
