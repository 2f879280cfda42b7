const FIRST_MS = 1_000;
const EACH_MS = 20;
const MOST_MS = 60_000;
const SLOW_MS = 1_000;
// After this time, most permits are free again. Waiting costs nothing; putting a run off costs a transaction.
const MOMENT_MS = 50;

interface Limits {
  /** The most runs of one workspace at a time in this process. */
  most: number;
  /** The most while one of them takes longer than a second, because a receiver does not respond. */
  whileSlow: number;
}

interface Share {
  /** The times at which the runs of the workspace began, by the monotonic clock. */
  begun: number[];
  /** The number of refusals since a receiver became slow. */
  refused: number;
  /** Runs that wait briefly for a permit, in order. */
  waiting: Set<() => void>;
}

/** The permit of a run. */
export interface Permit {
  release(): void;
}

/** Limits the runs of each workspace, to leave permits for others. */
export class Shares {
  readonly #limits: Limits;
  readonly #monotonic: () => number;
  readonly #shares = new Map<string, Share>();

  /** `monotonic`: a monotonic clock, in milliseconds. */
  constructor(limits: Limits, monotonic: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#monotonic = monotonic;
  }

  /**
   * Takes a permit, waiting briefly if need be. Returns the permit, or the delay before asking again, in milliseconds.
   */
  async enter(workspaceId: string): Promise<Permit | number> {
    const taken = this.take(workspaceId);
    const share = this.#shares.get(workspaceId);
    if (taken !== EACH_MS || !share) return taken;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, MOMENT_MS);
      function done(): void {
        clearTimeout(timer);
        share?.waiting.delete(done);
        resolve();
      }
      share.waiting.add(done);
    });
    return this.take(workspaceId);
  }

  /**
   * Takes a permit. Returns it, or the delay before asking again, in milliseconds. While a receiver is slow, the delay
   * grows with each refusal.
   */
  take(workspaceId: string): Permit | number {
    const now = this.#monotonic();
    const share = this.#shares.get(workspaceId) ?? { begun: [], refused: 0, waiting: new Set() };
    this.#shares.set(workspaceId, share);
    const isSlow = share.begun.some((since) => now - since > SLOW_MS);
    if (!isSlow) share.refused = 0;
    if (share.begun.length < (isSlow ? this.#limits.whileSlow : this.#limits.most)) {
      share.begun.push(now);
      return { release: () => this.#release(workspaceId, now) };
    }
    if (!isSlow) return EACH_MS;
    share.refused += 1;
    return Math.min(MOST_MS, FIRST_MS + EACH_MS * share.refused);
  }

  #release(workspaceId: string, begun: number): void {
    const share = this.#shares.get(workspaceId);
    if (!share) return;
    share.begun.splice(share.begun.indexOf(begun), 1);
    const [first] = share.waiting;
    first?.();
    if (share.begun.length === 0 && share.waiting.size === 0) this.#shares.delete(workspaceId);
  }
}
