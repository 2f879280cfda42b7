import { TransientMap } from '../../collections/transient.ts';

const NOBODY: ReadonlySet<never> = new Set();

/** Items that wait for their turn. Workspaces take turns, and within the turn of a workspace, so do its items. */
export class RoundRobin<Item> {
  readonly #workspaces = new TransientMap<string, Set<Item>>();

  /** The number of workspaces that have something waiting. */
  get workspaces(): number {
    return this.#workspaces.size;
  }

  /** Lets an item wait, behind all others of its workspace; one that waits already keeps its position. */
  add(workspaceId: string, item: Item): void {
    const items = this.#workspaces.get(workspaceId);
    if (items) items.add(item);
    else this.#workspaces.set(workspaceId, new Set([item]));
  }

  has(workspaceId: string, item: Item): boolean {
    return this.#workspaces.get(workspaceId)?.has(item) ?? false;
  }

  delete(workspaceId: string, item: Item): void {
    const items = this.#workspaces.get(workspaceId);
    items?.delete(item);
    if (items?.size === 0) this.#workspaces.delete(workspaceId);
  }

  /** Returns the items of the next workspace, and moves that workspace behind all others. */
  next(): ReadonlySet<Item> {
    for (const [workspaceId, items] of this.#workspaces.entries()) {
      this.#workspaces.delete(workspaceId);
      this.#workspaces.set(workspaceId, items);
      return items;
    }
    return NOBODY;
  }
}
