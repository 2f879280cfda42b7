import type { Queue } from './lane.ts';

/** The queues in which something is due. Workspaces take turns, and within each its queues do. */
export class Turns {
  readonly #workspaces = new Map<string, Set<Queue>>();

  /** How many workspaces have something due. */
  get workspaces(): number {
    return this.#workspaces.size;
  }

  add(queue: Queue): void {
    if (queue.ready) return;
    queue.ready = true;
    queue.blocked = false;
    const { workspaceId } = queue.lane;
    const queues = this.#workspaces.get(workspaceId);
    if (queues) queues.add(queue);
    else this.#workspaces.set(workspaceId, new Set([queue]));
  }

  delete(queue: Queue): void {
    if (!queue.ready) return;
    queue.ready = false;
    const { workspaceId } = queue.lane;
    const queues = this.#workspaces.get(workspaceId);
    queues?.delete(queue);
    if (queues?.size === 0) this.#workspaces.delete(workspaceId);
  }

  /** The queues of the workspace whose turn it is; its next turn comes after all others. */
  next(): Iterable<Queue> {
    for (const [workspaceId, queues] of this.#workspaces) {
      this.#workspaces.delete(workspaceId);
      this.#workspaces.set(workspaceId, queues);
      return queues;
    }
    return [];
  }
}
