import { RoundRobin } from './round-robin.ts';
import type { WaitingPart } from './webhook-queue.ts';

/**
 * The places where parts of webhook queues wait for permits. Each part is in one of them at most: it waits for its turn; or apart, because
 * its receiver is slow and there are few permits for such; or for its own webhook, which has no permit left.
 */
export class WaitList {
  readonly #ready = new RoundRobin<WaitingPart>();
  readonly #slow = new RoundRobin<WaitingPart>();
  readonly #blocked = new Set<WaitingPart>();

  /** The number of workspaces that wait for their turn. */
  get workspaces(): number {
    return this.#ready.workspaces;
  }

  /** True while somebody waits for a permit that all webhooks share. */
  get isAnyoneWaiting(): boolean {
    return this.#ready.workspaces > 0 || this.#slow.workspaces > 0;
  }

  /** True while somebody waits for a permit for slow receivers. */
  get isAnyoneSlow(): boolean {
    return this.#slow.workspaces > 0;
  }

  /** Returns the parts that are next, all of one workspace, and moves that workspace behind all others. */
  next(): ReadonlySet<WaitingPart> {
    return this.#ready.next();
  }

  /** Lets a part wait for its turn, behind others of its workspace, unless it waits already. */
  add(part: WaitingPart): void {
    const { workspaceId } = part.queue;
    if (!this.#blocked.has(part) && !this.#slow.has(workspaceId, part)) this.#ready.add(workspaceId, part);
  }

  /** Lets a part wait for its next turn, after one that it has had. */
  addAgain(part: WaitingPart): void {
    this.leave(part);
    this.#ready.add(part.queue.workspaceId, part);
  }

  /** Lets a part wait apart, so that it is not checked in every turn, until there is a permit for slow receivers. */
  addSlow(part: WaitingPart): void {
    this.leave(part);
    this.#slow.add(part.queue.workspaceId, part);
  }

  /** Gives a slow receiver a turn, round robin over workspaces. */
  wakeSlow(): void {
    const [part] = this.#slow.next();
    if (part) this.addAgain(part);
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
    this.#slow.delete(workspaceId, part);
    this.#blocked.delete(part);
  }
}
