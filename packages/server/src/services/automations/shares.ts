const FIRST_MS = 1_000;
const EACH_MS = 20;
const MOST_MS = 60_000;
const SLOW_MS = 1_000;

interface Limits {
  /** How many runs of one workspace this process does at the same time. */
  most: number;
  /** The same while one of them takes longer than a second: somebody does not answer. */
  whileSlow: number;
}

interface Share {
  /** When its runs began. */
  begun: number[];
  put_off: number;
}

/** Keeps places for the runs of other workspaces. */
export class Shares {
  readonly #limits: Limits;
  readonly #shares = new Map<string, Share>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes a place; in how many milliseconds to ask again, if there is none. The more have asked, the later. */
  take(workspaceId: string, now: number): number | null {
    const share = this.#shares.get(workspaceId) ?? { begun: [], put_off: 0 };
    this.#shares.set(workspaceId, share);
    const isSlow = share.begun.some((since) => now - since > SLOW_MS);
    if (share.begun.length < (isSlow ? this.#limits.whileSlow : this.#limits.most)) {
      share.begun.push(now);
      return null;
    }
    share.put_off += 1;
    return isSlow ? Math.min(MOST_MS, FIRST_MS + EACH_MS * share.put_off) : EACH_MS;
  }

  /** Gives back the place that was taken then. */
  release(workspaceId: string, taken: number): void {
    const share = this.#shares.get(workspaceId);
    if (!share) return;
    share.begun.splice(share.begun.indexOf(taken), 1);
    if (share.begun.length === 0) this.#shares.delete(workspaceId);
  }
}
