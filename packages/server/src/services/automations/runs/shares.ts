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
  /** The times at which the runs of the workspace began. */
  begun: number[];
  /** The number of refusals. */
  refused: number;
  /** Runs that wait briefly for a permit, in order. */
  waiting: Set<() => void>;
}

/** Limits the runs of each workspace, to leave permits for others. */
export class Shares {
  readonly #limits: Limits;
  readonly #shares = new Map<string, Share>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Takes a permit, waiting briefly if need be. Returns `null` with a permit, or the delay before asking again, in
   * milliseconds.
   */
  async enter(workspaceId: string, now: number): Promise<number | null> {
    const later = this.take(workspaceId, now);
    const share = this.#shares.get(workspaceId);
    if (later !== EACH_MS || !share) return later;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, MOMENT_MS);
      function done(): void {
        clearTimeout(timer);
        share?.waiting.delete(done);
        resolve();
      }
      share.waiting.add(done);
    });
    return this.take(workspaceId, now);
  }

  /**
   * Takes a permit. Returns `null` with a permit, or the delay before asking again, in milliseconds. While a receiver
   * is slow, the delay grows with each refusal.
   */
  take(workspaceId: string, now: number): number | null {
    const share = this.#shares.get(workspaceId) ?? { begun: [], refused: 0, waiting: new Set() };
    this.#shares.set(workspaceId, share);
    const isSlow = share.begun.some((since) => now - since > SLOW_MS);
    if (share.begun.length < (isSlow ? this.#limits.whileSlow : this.#limits.most)) {
      share.begun.push(now);
      return null;
    }
    share.refused += 1;
    return isSlow ? Math.min(MOST_MS, FIRST_MS + EACH_MS * share.refused) : EACH_MS;
  }

  /** Releases the permit that was taken at that time. */
  release(workspaceId: string, taken: number): void {
    const share = this.#shares.get(workspaceId);
    if (!share) return;
    share.begun.splice(share.begun.indexOf(taken), 1);
    const [first] = share.waiting;
    first?.();
    if (share.begun.length === 0 && share.waiting.size === 0) this.#shares.delete(workspaceId);
  }
}
