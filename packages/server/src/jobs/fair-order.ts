// A workspace whose jobs have waited longer than this delays the others.
const WINDOW_MS = 10 * 60_000;
// Longer than a job takes, however many workspaces are busy.
const STEP_MS = 1_000;
// A workspace that is forgotten starts over.
const REMEMBERED_MAX = 10_000;

/**
 * Due times that are fair to workspaces. Jobs of a kind run in the order of their due times. The first job of a workspace gets a time ten
 * minutes ago, each further one a second later, up to now. So the first jobs of all workspaces come before the second ones, and thousands
 * of one workspace do not delay another.
 */
export class FairOrder {
  readonly #last = new Map<string, number>();

  /** The time at which the next job of a workspace is due. */
  next(kind: string, workspaceId: string, now: number): number {
    const name = `${kind} ${workspaceId}`;
    const last = this.#last.get(name) ?? 0;
    const dueAt = Math.min(now, Math.max(now - WINDOW_MS, last + STEP_MS));
    this.#last.delete(name);
    this.#last.set(name, dueAt);
    const [oldest] = this.#last.keys();
    if (this.#last.size > REMEMBERED_MAX && oldest !== undefined) this.#last.delete(oldest);
    return dueAt;
  }
}
