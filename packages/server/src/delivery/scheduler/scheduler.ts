import { type QueuePart, QUEUE_PARTS } from '../../domain/deliveries/queue-part.ts';
import { TransientMap } from '../../collections/transient.ts';
import { type ConcurrencyBounds, type Response, SLOW_MS } from './adaptive-concurrency.ts';
import { DueHeap } from './due-heap.ts';
import { Permits, type UsedPermit } from './permits.ts';
import { WaitList } from './wait-list.ts';
import { type WaitingPart, type WebhookKey, WebhookQueue } from './webhook-queue.ts';

interface SchedulerOptions {
  /** Attempts that may run at once, beside slow ones. */
  concurrency: number;
  /** Attempts to one webhook that may run at once. */
  perWebhook: ConcurrencyBounds;
}

/** A moment on two clocks, in milliseconds. */
export interface Moment {
  /** The wall clock, by which deliveries are due: since the epoch. */
  wall: number;
  /** A monotonic clock, by which durations are measured. */
  elapsed: number;
}

/** Attempts that a webhook may begin now. A permit is taken for each. */
export interface Grant extends WebhookKey {
  /** Deliveries to be taken out of the prefetch buffer. */
  buffered: number;
  /** Deliveries to be claimed in the database, for each part of the queue. */
  claims: Record<QueuePart, number>;
  /** Further deliveries of the initial part to be claimed, without permits, into the prefetch buffer. */
  ahead: number;
}

/** The grants of one `allot` so far. */
interface Allotment {
  readonly now: Moment;
  readonly grants: Map<WebhookQueue, Grant>;
  /** The parts of queues that have deliveries to be claimed in the database. */
  readonly claiming: Set<WaitingPart>;
  /** The number of deliveries that may still be claimed ahead. */
  ahead: number;
}

/** A running attempt, with its permits. */
export interface RunningAttempt {
  readonly queue: WebhookQueue;
  readonly part: QueuePart;
  readonly since: number;
  readonly used: readonly { permits: Permits; permit: UsedPermit }[];
}

// Deliveries claimed with permits from one webhook at a time, and claims in one transaction. Both limits keep the transaction short.
const DELIVERIES_MAX = 64;
const CLAIMS_MAX = 64;
// The deliveries of one webhook's backlog that are claimed ahead, without permits, and wait in the prefetch buffer. When half of them are gone,
// more are claimed. A claim for only the few permits that had become free was a commit for each 25 deliveries (measured).
const AHEAD_PER_WEBHOOK = 256;
// An idle webhook is remembered for this long: its next burst starts with the limit that it had reached.
const REMEMBERED_MS = 60_000;

/**
 * Decides whose delivery is sent next, and when. It is told what becomes due, begins and ends, and at what
 * time; it has no clock, no database and no network. Its policy is round robin over workspaces, and within
 * the turn of a workspace over its webhooks, under four limits: the permits of the process, those for
 * retries (half of them), those for slow receivers, and the adaptive concurrency of the webhook.
 */
export class Scheduler {
  readonly #perWebhook: ConcurrencyBounds;
  /** The webhooks with something waiting or running, now or a short while ago. */
  readonly #queues = new Map<string, WebhookQueue>();
  /** Idle webhooks, longest idle first, with the time of the last allotment before they became idle. */
  readonly #idle = new TransientMap<WebhookQueue, number>();
  /** The time of the last allotment, on the monotonic clock. */
  #allottedAt = 0;
  readonly #waiting = new WaitList();
  readonly #future = new DueHeap<WaitingPart>();
  readonly #permits: Permits;
  readonly #retryPermits: Permits;

  constructor({ concurrency, perWebhook }: SchedulerOptions) {
    this.#perWebhook = perWebhook;
    this.#permits = new Permits(concurrency);
    this.#retryPermits = new Permits(Math.ceil(concurrency / 2));
  }

  /** Notes that deliveries of a webhook are due in the database. Default: in both parts of its queue. */
  wake(key: WebhookKey, part?: QueuePart): void {
    const { parts } = this.#queueOf(key);
    for (const each of part ? [part] : QUEUE_PARTS) this.#wakePart(parts[each]);
  }

  /** Notes that a delivery of a webhook is due in the database at a time. */
  expect(key: WebhookKey, part: QueuePart, dueAt: number): void {
    const queuePart = this.#queueOf(key).parts[part];
    if (queuePart.expect(dueAt)) this.#future.push(dueAt, queuePart);
  }

  /** Reports whether new deliveries of a webhook are next in their turn: none is due in the database before them. */
  takesNew(webhookId: string, { wall }: Moment): boolean {
    return !this.#queues.get(webhookId)?.parts.initial.isDue(wall);
  }

  /** Notes that deliveries of a webhook have come into the prefetch buffer. All are of the initial part. */
  noteBuffered(key: WebhookKey, count: number): void {
    const part = this.#queueOf(key).parts.initial;
    part.buffer(count);
    this.#waiting.add(part);
  }

  /** Notes that deliveries have left the prefetch buffer without a grant. */
  noteUnbuffered(key: WebhookKey, count: number): void {
    const part = this.#queueOf(key).parts.initial;
    part.unbuffer(count);
    if (!part.isWaiting) this.#waiting.leave(part);
    this.#noteIdle(part.queue);
  }

  /**
   * Notes that the rate limit of a webhook allows no more calls until a time. A time that is more than a second away has no effect before
   * its last second: it means that the clock was set back.
   */
  pause(key: WebhookKey, until: number): void {
    this.#queueOf(key).pause(until);
  }

  /**
   * Grants the free permits to workspaces in turn, an equal share each, until no webhook that waits can use
   * one. Each permit must then be used by `begin` or given back by `release`. `aheadMax` is the number of deliveries that may be
   * claimed ahead, without permits.
   */
  allot(now: Moment, aheadMax = AHEAD_PER_WEBHOOK): Grant[] {
    this.#allottedAt = now.elapsed;
    this.#forgetIdle();
    this.#wakeDue(now.wall);
    if (!this.#waiting.isAnyoneWaiting) return [];
    const allotment: Allotment = { now, grants: new Map(), claiming: new Set(), ahead: aheadMax };
    this.#grantPermits(allotment);
    for (const part of allotment.claiming) {
      part.claim();
      if (!part.isWaiting) this.#waiting.leave(part);
    }
    return [...allotment.grants.values()];
  }

  /** Takes back permits that were granted and are not used. */
  release(key: WebhookKey, part: QueuePart, count: number): void {
    const queuePart = this.#queueOf(key).parts[part];
    queuePart.giveBack(count);
    for (const permits of this.#permitsOf(part)) permits.giveBack(count);
    this.#unblock(queuePart.queue);
    this.#noteIdle(queuePart.queue);
  }

  /** Begins an attempt with a permit that was granted. */
  begin(key: WebhookKey, part: QueuePart, { elapsed }: Moment): RunningAttempt {
    const queue = this.#queueOf(key);
    const used = this.#permitsOf(part).map((permits) => ({ permits, permit: permits.begin(elapsed) }));
    const attempt = { queue, part, since: elapsed, used };
    queue.begin(attempt);
    return attempt;
  }

  /**
   * Ends an attempt. Frees its permits, and adapts the limit of the webhook to the response; `null` if the attempt was not made, and so
   * says nothing about the receiver.
   */
  end(attempt: RunningAttempt, response: Response | null): void {
    const { queue, used } = attempt;
    queue.end(attempt, response);
    for (const { permits, permit } of used) permits.end(permit);
    this.#unblock(queue);
  }

  /** Notes that the result of an attempt is recorded, or its delivery returned. */
  noteRecorded({ queue, used }: RunningAttempt): void {
    queue.noteRecorded();
    for (const { permits, permit } of used) permits.noteRecorded(permit);
    this.#noteIdle(queue);
  }

  /**
   * The milliseconds until `allot` may have something to grant; `null`: not before something else happens.
   */
  waitMs({ wall }: Moment): number | null {
    const { earliest } = this.#future;
    const due = earliest === null ? null : Math.max(0, earliest - wall) + 1;
    // Somebody waits for a permit, and slow attempts give theirs back without an event.
    if (!this.#waiting.isAnyoneWaiting || !this.#permits.mayTurnSlow) return due;
    return due === null ? SLOW_MS : Math.min(due, SLOW_MS);
  }

  #queueOf(key: WebhookKey): WebhookQueue {
    let queue = this.#queues.get(key.webhookId);
    if (!queue) {
      queue = new WebhookQueue(key, this.#perWebhook);
      this.#queues.set(key.webhookId, queue);
    }
    this.#idle.delete(queue);
    return queue;
  }

  #noteIdle(queue: WebhookQueue): void {
    if (queue.idle) this.#idle.set(queue, this.#allottedAt);
  }

  #forgetIdle(): void {
    for (const [queue, since] of this.#idle.entries()) {
      if (since > this.#allottedAt - REMEMBERED_MS) return;
      this.#idle.delete(queue);
      this.#queues.delete(queue.webhookId);
    }
  }

  #wakeDue(wall: number): void {
    for (let entry = this.#future.popDue(wall); entry; entry = this.#future.popDue(wall)) {
      const part = entry.item;
      if (part.reach(entry.at)) this.#wakePart(part);
    }
  }

  #wakePart(part: WaitingPart): void {
    part.wake();
    this.#waiting.add(part);
  }

  #grantPermits(allotment: Allotment): void {
    const { elapsed } = allotment.now;
    for (let granted = true; granted;) {
      granted = false;
      this.#waiting.unpark('slow', this.#permits.freeForSlow(elapsed));
      const free = this.#permits.free(elapsed);
      this.#waiting.unpark('retry', Math.min(free, this.#retryPermits.free(elapsed)));
      const share = Math.max(1, Math.floor(free / this.#waiting.workspaces));
      for (let turns = this.#waiting.workspaces; turns > 0; turns -= 1) {
        if (this.#permits.free(elapsed) <= 0 || allotment.claiming.size >= CLAIMS_MAX) return;
        if (this.#grantPermitsToNext(share, allotment)) granted = true;
      }
    }
  }

  /**
   * Gives the queues of the next workspace up to `share` permits, in equal parts. Returns whether they took
   * any.
   */
  #grantPermitsToNext(share: number, allotment: Allotment): boolean {
    const waiting = this.#waiting.next();
    // Giving all permits to one webhook after another would open connections that nobody needs a moment later: one in five of 50,000 calls
    // to 500 receivers opened its own (measured).
    const most = Math.max(1, Math.floor(share / Math.max(1, waiting.size)));
    let left = share;
    // A queue that may have more has another turn, behind the others.
    for (const part of waiting) {
      if (left <= 0 || allotment.claiming.size >= CLAIMS_MAX) break;
      left -= this.#grantPart(part, Math.min(left, most), allotment);
    }
    return left < share;
  }

  /** Gives a part of a queue up to `most` permits. Returns the number that it took. */
  #grantPart(part: WaitingPart, most: number, allotment: Allotment): number {
    const { grants, claiming, now } = allotment;
    const { queue } = part;
    const pausedUntil = queue.pausedUntil(now.wall);
    if (pausedUntil !== null) {
      this.#waiting.leave(part);
      this.expect(queue, part.name, pausedUntil);
      return 0;
    }
    const free = queue.free(part.name);
    if (free <= 0) {
      this.#waiting.block(part);
      return 0;
    }
    const { workspaceId, webhookId } = queue;
    const claims = { initial: 0, retry: 0 };
    const grant = grants.get(queue) ?? { webhookId, workspaceId, buffered: 0, claims, ahead: 0 };
    const permits = this.#permitsOf(part.name);
    const isSlow = queue.isSlow(now.elapsed);
    const limit = Math.min(
      free,
      // One at a time: each may hold its permit for as long as an attempt may take.
      isSlow ? 1 : most,
      DELIVERIES_MAX - grant.claims[part.name],
      ...permits.map((each) => (isSlow ? each.freeForSlow(now.elapsed) : each.free(now.elapsed))),
    );
    if (limit <= 0) {
      const isOutOfRetries = part.name === 'retry' && this.#retryPermits.free(now.elapsed) <= 0;
      if (isOutOfRetries) this.#waiting.park(part, 'retry');
      else if (isSlow) this.#waiting.park(part, 'slow');
      return 0;
    }
    const taken = part.take(limit);
    grants.set(queue, grant);
    grant.buffered += taken.buffered;
    grant.claims[part.name] += taken.claims;
    // A slow receiver would only hold them up.
    const ahead = isSlow ? 0 : Math.min(Math.max(0, aheadOf(part) - grant.ahead), allotment.ahead);
    grant.ahead += ahead;
    allotment.ahead -= ahead;
    if (taken.claims > 0 || ahead > 0) claiming.add(part);
    for (const each of permits) each.take(taken.buffered + taken.claims);
    // Its next turn comes after those of all others.
    if (!part.isWaiting) this.#waiting.leave(part);
    else if (isSlow) this.#waiting.park(part, 'slow');
    else this.#waiting.addAgain(part);
    return taken.buffered + taken.claims;
  }

  #permitsOf(part: QueuePart): readonly Permits[] {
    return part === 'initial' ? [this.#permits] : [this.#permits, this.#retryPermits];
  }

  #unblock(queue: WebhookQueue): void {
    for (const part of QUEUE_PARTS) {
      if (queue.free(part) > 0) this.#waiting.unblock(queue.parts[part]);
    }
  }
}

/** The number of deliveries of a part that should be claimed ahead. */
function aheadOf(part: WaitingPart): number {
  const isLow = part.name === 'initial' && part.isStored && part.buffered <= AHEAD_PER_WEBHOOK / 2;
  return isLow ? AHEAD_PER_WEBHOOK - part.buffered : 0;
}
