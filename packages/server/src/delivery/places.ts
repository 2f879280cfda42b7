/** An attempt under way. */
export interface Attempting {
  /** When it began, by `performance.now()`. */
  readonly since: number;
  slow: boolean;
  ended: boolean;
}

// An attempt that has not been answered after this long waits outside the common places (engine.md 5, measured: with 15
// hanging receivers all healthy deliveries were made, with p99 below 10 ms; first come, first served made 14 % of them).
export const SLOW_MS = 250;
// Attempts that wait for slow receivers, beside the common places: each is a socket and a few kilobytes.
const SLOW_MAX = 2_048;

/** The places for attempts that all webhooks share. Slow attempts hold none: their receivers must not keep others waiting. */
export class Places {
  readonly #most: number;
  #held = 0;
  #slow = 0;
  /** Attempts in the order of their beginning, up to the first that is not slow yet. */
  readonly #young: Attempting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get free(): number {
    const slowSince = performance.now() - SLOW_MS;
    for (
      let first = this.#young[0];
      first && (first.ended || first.since < slowSince);
      first = this.#young[0]
    ) {
      this.#young.shift();
      if (first.ended || this.#slow >= SLOW_MAX) continue;
      first.slow = true;
      this.#slow += 1;
    }
    return this.#most - (this.#held - this.#slow);
  }

  /** Attempts may soon give their places back without saying so. */
  get mayTurnSlow(): boolean {
    return this.#young.length > 0;
  }

  hold(count: number): void {
    this.#held += count;
  }

  release(count: number): void {
    this.#held -= count;
  }

  /** An attempt on a held place. */
  begin(): Attempting {
    const attempting = { since: performance.now(), slow: false, ended: false };
    this.#young.push(attempting);
    return attempting;
  }

  end(attempting: Attempting): void {
    attempting.ended = true;
    if (attempting.slow) this.#slow -= 1;
    this.#held -= 1;
  }
}
