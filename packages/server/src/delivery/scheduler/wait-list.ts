import { RoundRobin } from './round-robin.ts';
import type { WaitingPart } from './webhook-queue.ts';

/** The kinds of permits that may be used up while others are free: those for slow receivers, and those for retries. */
export type ScarcePermit = 'slow' | 'retry';

/**
 * The lists in which parts of webhook queues wait for permits. Each part is in at most one of them: it is ready for its turn; or parked
 * until there is a permit for slow receivers or retries; or blocked, because its own webhook has no permit left.
 */
export class WaitList {
  readonly #ready = new RoundRobin<WaitingPart>();
  readonly #parked: Readonly<Record<ScarcePermit, RoundRobin<WaitingPart>>> = {
    slow: new RoundRobin(),
    retry: new RoundRobin(),
  };
  readonly #blocked = new Set<WaitingPart>();

  /** The number of workspaces that wait for their turn. */
  get workspaces(): number {
    return this.#ready.workspaces;
  }

  /** True while somebody waits for a permit that all webhooks share. */
  get isAnyoneWaiting(): boolean {
    const { slow, retry } = this.#parked;
    return this.#ready.workspaces + slow.workspaces + retry.workspaces > 0;
  }

  /** Returns the parts that are next, all of one workspace, and moves that workspace behind all others. */
  next(): ReadonlySet<WaitingPart> {
    return this.#ready.next();
  }

  /** Lets a part wait for its turn, behind others of its workspace, unless it waits already. */
  add(part: WaitingPart): void {
    const { workspaceId } = part.queue;
    const { slow, retry } = this.#parked;
    if (this.#blocked.has(part) || slow.has(workspaceId, part) || retry.has(workspaceId, part)) return;
    this.#ready.add(workspaceId, part);
  }

  /** Lets a part wait for its next turn, after one that it has had. */
  addAgain(part: WaitingPart): void {
    this.leave(part);
    this.#ready.add(part.queue.workspaceId, part);
  }

  /** Parks a part until there is a permit of this kind, so that it is not checked in every turn. */
  park(part: WaitingPart, kind: ScarcePermit): void {
    this.leave(part);
    this.#parked[kind].add(part.queue.workspaceId, part);
  }

  /** Makes up to `count` parked parts ready, round robin over workspaces. */
  unpark(kind: ScarcePermit, count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const [part] = this.#parked[kind].next();
      if (!part) return;
      this.addAgain(part);
    }
  }

  /** Lets a part wait until one of its webhook's permits is given back. */
  block(part: WaitingPart): void {
    this.leave(part);
    this.#blocked.add(part);
  }

  /** Lets a blocked part wait for its turn again. */
  unblock(part: WaitingPart): void {
    if (this.#blocked.has(part)) this.addAgain(part);
  }

  /** Takes a part out: it waits for nothing. */
  leave(part: WaitingPart): void {
    const { workspaceId } = part.queue;
    this.#ready.delete(workspaceId, part);
    this.#parked.slow.delete(workspaceId, part);
    this.#parked.retry.delete(workspaceId, part);
    this.#blocked.delete(part);
  }
}
