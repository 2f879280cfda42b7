import { type Line, LINES } from '../domain/line.ts';
import type { Awake, Job } from '../job.ts';
import { DueHeap } from './due-heap.ts';
import { Lane, type LaneLimits, type Queue } from './lane.ts';
import { Places, SLOW_MS } from './places.ts';
import { Turns } from './turns.ts';

interface RosterOptions {
  clock: () => Date;
  /** Attempts under way at the same time. */
  concurrency: number;
  /** Attempts under way to one webhook. */
  perWebhook: LaneLimits;
}

/** How many deliveries of each line a webhook may have now. */
export type Allotments = ReadonlyMap<Lane, Record<Line, number>>;

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

  /** A webhook has something that is due now. */
  wake({ webhookId, workspaceId, line }: Awake): void {
    const { queues } = this.#lane(webhookId, workspaceId);
    for (const each of line ? [line] : LINES) this.#turns.add(queues[each]);
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

  /** Holds a place for a new delivery of a webhook that has nothing due before it; `null`: it must wait for its turn. */
  reserve(webhook: Job['webhook']): Queue | null {
    const lane = this.#lane(webhook.id, webhook.workspace_id);
    const queue = lane.queues.first;
    const free =
      webhook.status === 'active' &&
      // The claim keeps account of a rate limit.
      webhook.rate_per_second === null &&
      !queue.ready &&
      !queue.blocked &&
      queue.dueAt > this.#clock().getTime() &&
      lane.free('first') > 0 &&
      this.#places.free > 0;
    if (free) this.#hold(queue, 1);
    else this.forgetIdle(lane);
    return free ? queue : null;
  }

  /**
   * Gives the free places to workspaces in turn, each an equal share, until nobody who waits can use one. The places are held
   * until `begin` or `release`.
   */
  allot(): Allotments {
    this.#collectDue();
    const allotments = new Map<Lane, Record<Line, number>>();
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
    for (const [{ queues }, limits] of allotments) {
      for (const line of LINES) {
        if (limits[line] === 0) continue;
        this.release(queues[line], limits[line]);
        this.#turns.add(queues[line]);
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
      this.#turns.add(queue);
    }
  }

  /** Gives the queues of the next workspace up to `share` places; whether they took any. */
  #give(share: number, allotments: Map<Lane, Record<Line, number>>): boolean {
    const now = this.#clock().getTime();
    let left = share;
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
      this.#turns.delete(queue);
      this.#hold(queue, limit);
      const limits = allotments.get(lane) ?? { first: 0, again: 0 };
      limits[line] = limit;
      allotments.set(lane, limits);
      left -= limit;
    }
    return left < share;
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
