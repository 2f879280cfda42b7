import { type QueuePart, QUEUE_PARTS } from '../../domain/deliveries/queue-part.ts';
import { type ConcurrencyBounds, SLOW_MS } from './adaptive-concurrency.ts';
import { DueHeap } from './due-heap.ts';
import { Permits, type UsedPermit } from './permits.ts';
import { RoundRobin } from './round-robin.ts';
import { type PartState, type WebhookKey, WebhookQueue } from './webhook-queue.ts';

interface SchedulerOptions {
  /** Attempts that may run at once. */
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
  /** New deliveries, to be taken out of the prefetch buffer. */
  buffered: number;
  /** Deliveries to be claimed in the database, for each part of the queue. */
  claims: Record<QueuePart, number>;
}

/** The grants of one `allot` so far. */
interface Allotment {
  readonly now: Moment;
  readonly grants: Map<WebhookQueue, Grant>;
  /** The parts of queues that have deliveries to be claimed in the database. */
  readonly claiming: Set<PartState>;
}

/** A running attempt, with its permits. */
export interface RunningAttempt {
  readonly queue: WebhookQueue;
  readonly part: QueuePart;
  readonly since: number;
  readonly used: readonly { permits: Permits; permit: UsedPermit }[];
}

// Deliveries claimed from one webhook at a time, and claims in one transaction. Both limits keep the transaction short.
const DELIVERIES_MAX = 64;
const CLAIMS_MAX = 64;
// The lowest rate limit is one call per second.
const PAUSE_MAX_MS = 1_000;

/**
 * Decides whose delivery is sent next, and when. It is told what becomes due, begins and ends, and at what
 * time; it has no clock, no database and no network. Its policy is round robin over workspaces, and within
 * the turn of a workspace over its webhooks, under four limits: the permits of the process, those for
 * retries (half of them), those for slow receivers, and the adaptive concurrency of the webhook.
 */
export class Scheduler {
  readonly #perWebhook: ConcurrencyBounds;
  /** The webhooks for which something waits or runs. */
  readonly #queues = new Map<string, WebhookQueue>();
  readonly #ready = new RoundRobin<PartState>();
  /** Parts that wait for a permit because their receivers are slow. */
  readonly #slow = new RoundRobin<PartState>();
  readonly #future = new DueHeap<PartState>();
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
    if (dueAt >= queuePart.dueAt) return;
    queuePart.dueAt = dueAt;
    this.#future.push(dueAt, queuePart);
  }

  /** Reports whether new deliveries of a webhook are next in their turn: none is due in the database before them. */
  takesNew(webhookId: string, { wall }: Moment): boolean {
    const part = this.#queues.get(webhookId)?.parts.initial;
    return part === undefined || (!part.stored && part.dueAt > wall);
  }

  /** Notes that new deliveries of a webhook have come into the prefetch buffer. */
  buffered(key: WebhookKey, count: number): void {
    const part = this.#queueOf(key).parts.initial;
    part.buffered += count;
    if (!part.blocked && !this.#waitsAsSlow(part)) this.#ready.add(key.workspaceId, part);
  }

  /** Notes that deliveries have left the prefetch buffer without a grant. */
  unbuffered(key: WebhookKey, count: number): void {
    const part = this.#queueOf(key).parts.initial;
    part.buffered -= count;
    if (part.buffered === 0 && !part.stored) this.#leaveTurns(part);
    this.#forgetIdle(part.queue);
  }

  /** Notes that the rate limit of a webhook lets nothing more out until a time. */
  pause(key: WebhookKey, until: number): void {
    this.#queueOf(key).pausedUntil = until;
  }

  /**
   * Grants the free permits to workspaces in turn, an equal share each, until no webhook that waits can use
   * one. Each permit must then be used by `begin` or given back by `release`.
   */
  allot(now: Moment): Grant[] {
    this.#wakeDue(now.wall);
    if (!this.#isAnyoneWaiting) return [];
    const allotment: Allotment = { now, grants: new Map(), claiming: new Set() };
    this.#grantTurns(allotment);
    for (const part of allotment.claiming) {
      // The number that is due in the database is not known: the claim may take all of them.
      part.stored = false;
      if (part.buffered === 0) this.#leaveTurns(part);
    }
    return [...allotment.grants.values()];
  }

  /** Takes back permits that were granted and are not used. */
  release(key: WebhookKey, part: QueuePart, count: number): void {
    const queuePart = this.#queueOf(key).parts[part];
    queuePart.permits -= count;
    for (const permits of this.#permitsOf(part)) permits.giveBack(count);
    this.#unblock(queuePart.queue);
    this.#forgetIdle(queuePart.queue);
  }

  /** Begins an attempt with a permit that was granted. */
  begin(key: WebhookKey, part: QueuePart, { elapsed }: Moment): RunningAttempt {
    const queue = this.#queueOf(key);
    queue.working += 1;
    const used = this.#permitsOf(part).map((permits) => ({ permits, permit: permits.begin(elapsed) }));
    const attempt = { queue, part, since: elapsed, used };
    queue.running.add(attempt);
    return attempt;
  }

  /** Ends an attempt: the receiver has responded, or the attempt has failed. Frees its permits, and adapts the limit of the webhook. */
  end(attempt: RunningAttempt, { ok, elapsed }: { ok: boolean; elapsed: number }): void {
    const { queue, part, since, used } = attempt;
    queue.running.delete(attempt);
    queue.concurrency.record({ ok, durationMs: elapsed - since });
    queue.parts[part].permits -= 1;
    for (const { permits, permit } of used) permits.end(permit);
    this.#unblock(queue);
  }

  /** Notes that the result of an attempt is recorded, and its delivery expected again where it is due again. */
  recorded({ queue }: RunningAttempt): void {
    queue.working -= 1;
    this.#forgetIdle(queue);
  }

  /**
   * The milliseconds until `allot` may have something to grant; `null`: not before something else happens.
   */
  waitMs({ wall }: Moment): number | null {
    const { earliest } = this.#future;
    const due = earliest === null ? null : Math.max(0, earliest - wall) + 1;
    // Somebody waits for a permit, and slow attempts give theirs back without an event.
    if (!this.#isAnyoneWaiting || !this.#permits.mayTurnSlow) return due;
    return due === null ? SLOW_MS : Math.min(due, SLOW_MS);
  }

  get #isAnyoneWaiting(): boolean {
    return this.#ready.workspaces > 0 || this.#slow.workspaces > 0;
  }

  #queueOf(key: WebhookKey): WebhookQueue {
    let queue = this.#queues.get(key.webhookId);
    if (!queue) {
      queue = new WebhookQueue(key, this.#perWebhook);
      this.#queues.set(key.webhookId, queue);
    }
    return queue;
  }

  #forgetIdle(queue: WebhookQueue): void {
    if (queue.idle) this.#queues.delete(queue.webhookId);
  }

  #wakeDue(wall: number): void {
    for (let entry = this.#future.popDue(wall); entry; entry = this.#future.popDue(wall)) {
      const part = entry.item;
      // An earlier time has replaced this entry.
      if (part.dueAt !== entry.at) continue;
      part.dueAt = Number.POSITIVE_INFINITY;
      this.#wakePart(part);
    }
  }

  #wakePart(part: PartState): void {
    part.stored = true;
    if (!this.#waitsAsSlow(part)) this.#makeReady(part);
  }

  #makeReady(part: PartState): void {
    part.blocked = false;
    this.#ready.add(part.queue.workspaceId, part);
  }

  #leaveTurns(part: PartState): void {
    const { workspaceId } = part.queue;
    // Otherwise the end of an attempt would give it a turn for an empty grant.
    part.blocked = false;
    this.#ready.delete(workspaceId, part);
    this.#slow.delete(workspaceId, part);
  }

  /** Gives slow receivers a turn while there are permits for them, round robin over workspaces. */
  #wakeSlow(elapsed: number): void {
    for (let free = this.#permits.freeForSlow(elapsed); free > 0 && this.#slow.workspaces > 0; free -= 1) {
      const [part] = this.#slow.next();
      if (!part) return;
      this.#slow.delete(part.queue.workspaceId, part);
      this.#makeReady(part);
    }
  }

  #grantTurns(allotment: Allotment): void {
    const { elapsed } = allotment.now;
    for (let granted = true; granted;) {
      granted = false;
      this.#wakeSlow(elapsed);
      const share = Math.max(1, Math.floor(this.#permits.free(elapsed) / this.#ready.workspaces));
      for (let turns = this.#ready.workspaces; turns > 0; turns -= 1) {
        if (this.#permits.free(elapsed) <= 0 || allotment.claiming.size >= CLAIMS_MAX) return;
        if (this.#grantTurn(share, allotment)) granted = true;
      }
    }
  }

  /**
   * Gives the queues of the next workspace up to `share` permits, in equal parts. Returns whether they took
   * any.
   */
  #grantTurn(share: number, allotment: Allotment): boolean {
    const waiting = this.#ready.next();
    // Giving all permits to one webhook after another would open connections that nobody needs a moment later:
    // of 50,000 calls to 500 receivers, one in five opened its own (measured).
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
  #grantPart(part: PartState, most: number, { grants, claiming, now }: Allotment): number {
    const { queue } = part;
    const { workspaceId, webhookId, pausedUntil } = queue;
    const pause = pausedUntil - now.wall;
    // A pause that is longer than any rate limit makes means that the clock was set back.
    if (pause > 0 && pause <= PAUSE_MAX_MS) {
      this.#ready.delete(workspaceId, part);
      this.expect(queue, part.part, pausedUntil);
      return 0;
    }
    const free = queue.free(part.part);
    if (free <= 0) {
      // Its next turn comes when one of its attempts has ended.
      this.#ready.delete(workspaceId, part);
      part.blocked = true;
      return 0;
    }
    const grant = grants.get(queue) ?? {
      webhookId,
      workspaceId,
      buffered: 0,
      claims: { initial: 0, retry: 0 },
    };
    const permits = this.#permitsOf(part.part);
    const isSlow = queue.isSlow(now.elapsed);
    const limit = Math.min(
      free,
      // One at a time: each may hold its permit for as long as an attempt may take.
      isSlow ? 1 : most,
      DELIVERIES_MAX - grant.claims[part.part],
      ...permits.map((each) => (isSlow ? each.freeForSlow(now.elapsed) : each.free(now.elapsed))),
    );
    if (limit <= 0) {
      if (isSlow) this.#waitAsSlow(part);
      return 0;
    }
    grants.set(queue, grant);
    const buffered = Math.min(part.buffered, limit);
    part.buffered -= buffered;
    grant.buffered += buffered;
    const claims = part.stored ? limit - buffered : 0;
    grant.claims[part.part] += claims;
    if (claims > 0) claiming.add(part);
    const taken = buffered + claims;
    part.permits += taken;
    for (const each of permits) each.take(taken);
    this.#ready.delete(workspaceId, part);
    // Its next turn comes after those of all others.
    if (part.stored || part.buffered > 0) {
      if (isSlow) this.#waitAsSlow(part);
      else this.#ready.add(workspaceId, part);
    }
    return taken;
  }

  /** Takes a part out of the turns, in which it would be checked every time, until there is a permit for it. */
  #waitAsSlow(part: PartState): void {
    const { workspaceId } = part.queue;
    this.#ready.delete(workspaceId, part);
    this.#slow.add(workspaceId, part);
  }

  #waitsAsSlow(part: PartState): boolean {
    return this.#slow.has(part.queue.workspaceId, part);
  }

  #permitsOf(part: QueuePart): readonly Permits[] {
    return part === 'initial' ? [this.#permits] : [this.#permits, this.#retryPermits];
  }

  #unblock(queue: WebhookQueue): void {
    for (const part of QUEUE_PARTS) {
      const queuePart = queue.parts[part];
      if (queuePart.blocked && queue.free(part) > 0) this.#makeReady(queuePart);
    }
  }
}
