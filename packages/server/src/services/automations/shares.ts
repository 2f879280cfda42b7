const FIRST_MS = 1_000;
const EACH_MS = 20;
const MOST_MS = 60_000;

interface Share {
  running: number;
  put_off: number;
}

/** How many runs of one workspace this process does at the same time. */
export class Shares {
  readonly #max: number;
  readonly #shares = new Map<string, Share>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place; in how many milliseconds to ask again, if there is none. The more have asked, the later. */
  take(workspaceId: string): number | null {
    const share = this.#shares.get(workspaceId) ?? { running: 0, put_off: 0 };
    this.#shares.set(workspaceId, share);
    if (share.running < this.#max) {
      share.running += 1;
      return null;
    }
    share.put_off += 1;
    return Math.min(MOST_MS, FIRST_MS + EACH_MS * share.put_off);
  }

  release(workspaceId: string): void {
    const share = this.#shares.get(workspaceId);
    if (!share) return;
    share.running -= 1;
    if (share.running === 0) this.#shares.delete(workspaceId);
  }
}
