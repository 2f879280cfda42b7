import { type Line, LINES } from '../domain/line.ts';
import type { Awake, Job } from '../job.ts';
import { DueHeap } from './due-heap.ts';
import { Lane, type LaneLimits, type Queue, type Standing } from './lane.ts';
import { Places, SLOW_MS } from './places.ts';
import { Turns } from './turns.ts';

interface RosterOptions {
  clock: () => Date;
  /** Attempts under way at the same time. */
  concurrency: number;
  /** Attempts under way to one webhook. */
  perWebhook: LaneLimits;
}

/** What a webhook may begin now; a place is held for each. */
export interface Share {
  /** From memory. */
  standing: Standing[];
  /** How many of each line from the database. */
  claims: Record<Line, number>;
}
export type Allotments = ReadonlyMap<Lane, Share>;

// Deliveries taken from one webhook at a time, and webhooks served in one transaction: both keep it short.
const TAKE_MAX = 64;
const LANES_MAX = 64;
// The lowest rate limit is one call per second.
const PAUSE_MAX_MS = 1_000;

/**
 * Who may send what, and when: the webhooks that have something to wait for, their turns, and the places for attempts. It
 * knows nothing of the database; the engine tells it what is due there.
 */
export class Roster {
  readonly #clock: () => Date;
  readonly #perWebhook: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #turns = new Turns();
  readonly #future = new DueHeap<Queue>();
  readonly #places: Places;
  /** Among those, the ones for deliveries that are sent again. */
  readonly #placesAgain: Places;

  constructor({ clock, concurrency, perWebhook }: RosterOptions) {
    this.#clock = clock;
    this.#perWebhook = perWebhook;
    this.#places = new Places(concurrency);
    this.#placesAgain = new Places(Math.ceil(concurrency / 2));
  }

  /** A webhook has something in the database that is due now. */
  wake({ webhookId, workspaceId, line }: Awake): void {
    const { queues } = this.#lane(webhookId, workspaceId);
    for (const each of line ? [line] : LINES) this.#wakeQueue(queues[each]);
  }

  /** A webhook has something that is due at a time. */
  expect({ webhookId, workspaceId, line }: Required<Awake>, dueAt: number): void {
    this.expectIn(this.#lane(webhookId, workspaceId).queues[line], dueAt);
  }

  /** A queue has something that is due at a time. */
  expectIn(queue: Queue, dueAt: number): void {
    if (dueAt >= queue.dueAt) return;
    queue.dueAt = dueAt;
    this.#future.push(dueAt, queue);
  }

  /** Where new deliveries of a webhook wait; `null` if some are due in the database, before which they would come. */
  newcomers(webhook: Job['webhook']): Queue | null {
    const queue = this.queueOf(webhook);
    if (!queue.stored && queue.dueAt > this.#clock().getTime()) return queue;
    this.forgetIdle(queue.lane);
    return null;
  }

  /** Where new deliveries of a webhook wait. */
  queueOf(webhook: Job['webhook']): Queue {
    return this.#lane(webhook.id, webhook.workspace_id).queues.first;
  }

  /** Holds a place for a new delivery, if there is one and nobody was here before it. */
  hold(queue: Queue): boolean {
    const free = !queue.ready && queue.lane.free(queue.line) > 0 && this.#places.free > 0;
    if (free) this.#hold(queue, 1);
    return free;
  }

  /** A delivery stands by. */
  stand(standing: Standing): void {
    const queue = this.queueOf(standing.job.webhook);
    queue.standing.push(standing);
    if (!queue.blocked) this.#turns.add(queue);
  }

  /** Takes out those that stand by and whose lease ends before a moment. */
  unstand(moment: number): Standing[] {
    const taken: Standing[] = [];
    for (const { queues } of this.#lanes.values()) {
      const { standing } = queues.first;
      const rest = standing.findIndex(({ leaseEnd }) => leaseEnd >= moment);
      taken.push(...standing.splice(0, rest === -1 ? standing.length : rest));
    }
    return taken;
  }

  /**
   * Gives the free places to workspaces in turn, each an equal share, until nobody who waits can use one. The places are held
   * until `begin` or `release`.
   */
  allot(): Allotments {
    this.#collectDue();
    const allotments = new Map<Lane, Share>();
    for (let given = true; given;) {
      given = false;
      const share = Math.max(1, Math.floor(this.#places.free / this.#turns.workspaces));
      for (let turns = this.#turns.workspaces; turns > 0; turns -= 1) {
        if (this.#places.free <= 0 || allotments.size >= LANES_MAX) return allotments;
        if (this.#give(share, allotments)) given = true;
      }
    }
    return allotments;
  }

  /** Takes back what could not be used; the webhooks wait for another turn. */
  revoke(allotments: Allotments): void {
    for (const [{ queues }, { standing, claims }] of allotments) {
      if (standing.length > 0) {
        queues.first.standing.unshift(...standing);
        this.release(queues.first, standing.length);
        this.#turns.add(queues.first);
      }
      for (const line of LINES) {
        if (claims[line] === 0) continue;
        this.release(queues[line], claims[line]);
        this.#wakeQueue(queues[line]);
      }
    }
  }

  /** Gives held places back. */
  release(queue: Queue, count: number): void {
    queue.held -= count;
    for (const places of this.#placesOf(queue.line)) places.release(count);
    this.#unblock(queue.lane);
  }

  /** An attempt begins on a held place; call what it answers when it has ended. */
  begin({ lane, line }: Queue): (ok: boolean) => void {
    const began = performance.now();
    const attempts = this.#placesOf(line).map((places) => ({ places, attempt: places.begin() }));
    return (ok) => {
      lane.learn({ ok, durationMs: performance.now() - began });
      lane.queues[line].held -= 1;
      for (const { places, attempt } of attempts) places.end(attempt);
      this.#unblock(lane);
    };
  }

  /** Memory holds only webhooks that have something to wait for. */
  forgetIdle(lane: Lane): void {
    if (lane.idle) this.#lanes.delete(lane.webhookId);
  }

  /** In how many milliseconds `allot` may have something to give; `null`: not before something else happens. */
  get waitMs(): number | null {
    const { earliest } = this.#future;
    const due = earliest === null ? null : Math.max(0, earliest - this.#clock().getTime()) + 1;
    // Somebody waits for a place: slow attempts give theirs back without saying so.
    if (this.#turns.workspaces === 0 || !this.#places.mayTurnSlow) return due;
    return due === null ? SLOW_MS : Math.min(due, SLOW_MS);
  }

  #lane(webhookId: string, workspaceId: string): Lane {
    let lane = this.#lanes.get(webhookId);
    if (!lane) {
      lane = new Lane({ webhookId, workspaceId }, this.#perWebhook);
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }

  /** Gives queues whose time has come a turn. */
  #collectDue(): void {
    const now = this.#clock().getTime();
    for (let entry = this.#future.popDue(now); entry; entry = this.#future.popDue(now)) {
      const queue = entry.item;
      if (queue.dueAt !== entry.at) continue;
      queue.dueAt = Number.POSITIVE_INFINITY;
      this.#wakeQueue(queue);
    }
  }

  #wakeQueue(queue: Queue): void {
    queue.stored = true;
    this.#turns.add(queue);
  }

  /** Gives the queues of the next workspace up to `share` places; whether they took any. */
  #give(most: number, allotments: Map<Lane, Share>): boolean {
    const now = this.#clock().getTime();
    let left = most;
    for (const queue of this.#turns.next()) {
      if (left <= 0) break;
      const { lane, line } = queue;
      const pause = lane.pausedUntil - now;
      // A longer pause than limits can make: the clock was set back.
      if (pause > 0 && pause <= PAUSE_MAX_MS) {
        this.#turns.delete(queue);
        this.expectIn(queue, lane.pausedUntil);
        continue;
      }
      const free = lane.free(line);
      const limit = Math.min(free, left, TAKE_MAX, ...this.#placesOf(line).map((places) => places.free));
      if (free <= 0) {
        // It has its turn again when one of its attempts has ended.
        this.#turns.delete(queue);
        queue.blocked = true;
      }
      if (limit <= 0) continue;
      const share = allotments.get(lane) ?? { standing: [], claims: { first: 0, again: 0 } };
      allotments.set(lane, share);
      const standing = queue.standing.splice(0, limit);
      share.standing.push(...standing);
      // How many there are in the database is not known: it may be all that there is room for.
      const claims = queue.stored ? limit - standing.length : 0;
      share.claims[line] += claims;
      if (claims > 0) queue.stored = false;
      this.#hold(queue, standing.length + claims);
      left -= standing.length + claims;
      this.#turns.delete(queue);
      // Its next turn comes after all others.
      if (queue.stored || queue.standing.length > 0) this.#turns.add(queue);
    }
    return left < most;
  }

  #placesOf(line: Line): readonly Places[] {
    return line === 'first' ? [this.#places] : [this.#places, this.#placesAgain];
  }

  #hold(queue: Queue, count: number): void {
    queue.held += count;
    for (const places of this.#placesOf(queue.line)) places.hold(count);
  }

  #unblock(lane: Lane): void {
    for (const line of LINES) {
      const queue = lane.queues[line];
      if (queue.blocked && lane.free(line) > 0) this.#turns.add(queue);
    }
  }
}
