import { type QueuePart, QUEUE_PARTS } from '../../domain/deliveries/queue-part.ts';
import { TransientSet } from '../../collections/transient.ts';
import {
  AdaptiveConcurrency,
  type ConcurrencyBounds,
  type Response,
  SLOW_MS,
} from './adaptive-concurrency.ts';

/** Names a webhook to the scheduler. */
export interface WebhookKey {
  readonly webhookId: string;
  readonly workspaceId: string;
}

export const keyOf = ({ id, workspaceId }: { id: string; workspaceId: string }): WebhookKey => ({
  webhookId: id,
  workspaceId,
});

/** An attempt under way. */
interface Running {
  readonly part: QueuePart;
  /** Its beginning, in milliseconds of a monotonic clock. */
  readonly since: number;
}

const NEVER = Number.POSITIVE_INFINITY;
// The lowest rate limit is one call per second.
const PAUSE_MAX_MS = 1_000;

/** One of the two parts of a webhook queue: the deliveries that wait there, and the permits that it has. */
export class WaitingPart {
  readonly queue: WebhookQueue;
  readonly name: QueuePart;
  #dueAt = NEVER;
  #buffered = 0;
  #stored = false;
  #permits = 0;

  constructor(queue: WebhookQueue, name: QueuePart) {
    this.queue = queue;
    this.name = name;
  }

  /** Permits that are granted or in use. */
  get permits(): number {
    return this.#permits;
  }

  /** True while deliveries in the database are due. */
  get isStored(): boolean {
    return this.#stored;
  }

  /** Deliveries in the prefetch buffer. */
  get buffered(): number {
    return this.#buffered;
  }

  /** True while deliveries wait for permits. */
  get isWaiting(): boolean {
    return this.#stored || this.#buffered > 0;
  }

  /** True while nothing waits, now or later, and no permit is taken. */
  get idle(): boolean {
    return this.#dueAt === NEVER && this.#permits === 0 && !this.isWaiting;
  }

  /** Reports whether something in the database is due at a time, in milliseconds since the epoch. */
  isDue(wall: number): boolean {
    return this.#stored || this.#dueAt <= wall;
  }

  /** Expects a delivery in the database to be due at a time. Returns false if one is expected at that time already, or earlier. */
  expect(dueAt: number): boolean {
    if (dueAt >= this.#dueAt) return false;
    this.#dueAt = dueAt;
    return true;
  }

  /** The time of an expected delivery has come. Returns false if an earlier time has replaced it. */
  reach(dueAt: number): boolean {
    if (this.#dueAt !== dueAt) return false;
    this.#dueAt = NEVER;
    return true;
  }

  /** Notes that deliveries in the database are due. They came after those in the buffer. */
  wake(): void {
    this.#stored = true;
  }

  /** Notes that deliveries have come into the prefetch buffer. Only those of the initial part do. */
  buffer(count: number): void {
    this.#buffered += count;
  }

  /** Notes that deliveries have left the prefetch buffer without a permit. */
  unbuffer(count: number): void {
    this.#buffered -= count;
  }

  /** Takes up to `limit` permits, for deliveries in the buffer first. Returns how many it took for what. */
  take(limit: number): { buffered: number; claims: number } {
    const buffered = Math.min(this.#buffered, limit);
    const claims = this.#stored ? limit - buffered : 0;
    this.#buffered -= buffered;
    this.#permits += buffered + claims;
    return { buffered, claims };
  }

  giveBack(count: number): void {
    this.#permits -= count;
  }

  /** Begins a claim, which may take everything that is due in the database, an unknown number. */
  claim(): void {
    this.#stored = false;
  }
}

/**
 * The waiting and running deliveries of one webhook, as far as the scheduler knows them. The initial part has those without a
 * recorded attempt. Retries get at most half of the webhook's permits, so that failures do not hold up new deliveries; while retries wait, that
 * half is kept for them.
 */
export class WebhookQueue implements WebhookKey {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly parts: Readonly<Record<QueuePart, WaitingPart>>;
  readonly #concurrency: AdaptiveConcurrency;
  /** The attempts under way, in the order of their beginning. */
  readonly #running = new TransientSet<Running>();
  /** Deliveries that are being sent or recorded. */
  #working = 0;
  #pausedUntil = 0;

  constructor({ webhookId, workspaceId }: WebhookKey, bounds: ConcurrencyBounds) {
    this.webhookId = webhookId;
    this.workspaceId = workspaceId;
    this.#concurrency = new AdaptiveConcurrency(bounds);
    this.parts = { initial: new WaitingPart(this, 'initial'), retry: new WaitingPart(this, 'retry') };
  }

  /** Attempts that the webhook's own limit lets begin now. */
  free(part: QueuePart): number {
    const { initial, retry } = this.parts;
    const { limit } = this.#concurrency;
    const free = limit - initial.permits - retry.permits;
    if (part === 'retry') return Math.min(free, Math.ceil(limit / 2) - retry.permits);
    // Half is kept for retries that wait: behind new deliveries, they would wait for as long as the webhook
    // is busy.
    return free - (retry.isStored ? Math.max(0, Math.floor(limit / 2) - retry.permits) : 0);
  }

  /** Begins an attempt with a permit that was taken. */
  begin(attempt: Running): void {
    this.#working += 1;
    this.#running.add(attempt);
  }

  /** Ends an attempt: gives its permit back, and adapts the limit to the response; `null` if it says nothing about the receiver. */
  end(attempt: Running, response: Response | null): void {
    this.#running.delete(attempt);
    if (response) this.#concurrency.record(response);
    this.parts[attempt.part].giveBack(1);
  }

  /** Notes that the result of an attempt that has ended is recorded, or its delivery returned. */
  noteRecorded(): void {
    this.#working -= 1;
  }

  /** Allows no calls until a time, in milliseconds since the epoch. */
  pause(until: number): void {
    this.#pausedUntil = until;
  }

  /** The end of a pause; `null` for none. */
  pausedUntil(wall: number): number | null {
    const pause = this.#pausedUntil - wall;
    // A pause that is longer than any rate limit can cause means that the clock was set back.
    return pause > 0 && pause <= PAUSE_MAX_MS ? this.#pausedUntil : null;
  }

  /** Reports whether its receiver is slow: its last attempt was slow, or one under way is. */
  isSlow(elapsed: number): boolean {
    if (this.#concurrency.wasSlow) return true;
    const oldest = this.#running.first;
    return oldest !== undefined && oldest.since < elapsed - SLOW_MS;
  }

  /** True while nothing waits and nothing runs, as far as this queue knows. */
  get idle(): boolean {
    return this.#working === 0 && QUEUE_PARTS.every((part) => this.parts[part].idle);
  }
}
