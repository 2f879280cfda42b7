import { type QueuePart, QUEUE_PARTS } from '../../domain/deliveries/queue-part.ts';
import { AdaptiveConcurrency, type ConcurrencyBounds, SLOW_MS } from './adaptive-concurrency.ts';

/** Names a webhook to the scheduler. */
export interface WebhookKey {
  readonly webhookId: string;
  readonly workspaceId: string;
}

export const keyOf = ({ id, workspaceId }: { id: string; workspaceId: string }): WebhookKey => ({
  webhookId: id,
  workspaceId,
});

/** One of the two parts of a webhook queue. Only the scheduler changes it. */
export interface PartState {
  readonly queue: WebhookQueue;
  readonly part: QueuePart;
  /** The time at which the next delivery in the database is due, in milliseconds since the epoch. */
  dueAt: number;
  /** Deliveries in the prefetch buffer. Only new ones are there. */
  buffered: number;
  /** True while deliveries in the database are due. They came after those in the buffer. */
  stored: boolean;
  /** Permits that are granted or in use. */
  permits: number;
  /** True while it waits for its webhook to have a free permit, and not for its turn. */
  blocked: boolean;
}

/**
 * The waiting and running deliveries of one webhook, as far as the scheduler knows of them: new ones and
 * retries. Retries have at most half of its permits, so that failures do not hold up new deliveries; while
 * they wait, that half is kept for them. Only the scheduler changes it.
 */
export class WebhookQueue implements WebhookKey {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly parts: Readonly<Record<QueuePart, PartState>>;
  readonly concurrency: AdaptiveConcurrency;
  /** The time until which the rate limit lets nothing out, in milliseconds since the epoch. */
  pausedUntil = 0;
  /** Deliveries that are being sent or recorded. */
  working = 0;
  /** The attempts under way, in the order of their beginning. */
  readonly running = new Set<{ readonly since: number }>();

  constructor({ webhookId, workspaceId }: WebhookKey, bounds: ConcurrencyBounds) {
    this.webhookId = webhookId;
    this.workspaceId = workspaceId;
    this.concurrency = new AdaptiveConcurrency(bounds);
    this.parts = { initial: this.#part('initial'), retry: this.#part('retry') };
  }

  /** Attempts that the webhook's own limit lets begin now. */
  free(part: QueuePart): number {
    const { initial, retry } = this.parts;
    const { limit } = this.concurrency;
    const free = limit - initial.permits - retry.permits;
    if (part === 'retry') return Math.min(free, Math.ceil(limit / 2) - retry.permits);
    // Half is kept for retries that wait: behind new deliveries, they would wait for as long as the webhook
    // is busy.
    return free - (retry.stored ? Math.max(0, Math.floor(limit / 2) - retry.permits) : 0);
  }

  /** Reports whether its receiver is slow: the last attempt that ended was, or one that is under way is. */
  isSlow(elapsed: number): boolean {
    if (this.concurrency.wasSlow) return true;
    const [oldest] = this.running;
    return oldest !== undefined && oldest.since < elapsed - SLOW_MS;
  }

  /** True while nothing waits and nothing runs, as far as this queue knows. */
  get idle(): boolean {
    return this.working === 0 && QUEUE_PARTS.every((part) => isIdle(this.parts[part]));
  }

  #part(part: QueuePart): PartState {
    return {
      queue: this,
      part,
      dueAt: Number.POSITIVE_INFINITY,
      buffered: 0,
      stored: false,
      permits: 0,
      blocked: false,
    };
  }
}

const isIdle = ({ dueAt, buffered, stored, permits }: PartState) =>
  dueAt === Number.POSITIVE_INFINITY && buffered === 0 && !stored && permits === 0;
