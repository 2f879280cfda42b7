import { type Line, LINES } from '../../domain/line.ts';
import { AdaptiveConcurrency, type ConcurrencyBounds } from './adaptive-concurrency.ts';

/** Names a webhook to the scheduler. */
export interface WebhookKey {
  readonly webhookId: string;
  readonly workspaceId: string;
}

export const keyOf = ({ id, workspace_id }: { id: string; workspace_id: string }): WebhookKey => ({
  webhookId: id,
  workspaceId: workspace_id,
});

/** One of the two parts of a webhook queue. Only the scheduler changes it. */
export interface QueuePart {
  readonly queue: WebhookQueue;
  readonly part: Line;
  /** When the next delivery in the database is due, in milliseconds since the epoch. */
  dueAt: number;
  /** Deliveries in the prefetch buffer. Only new ones are there. */
  buffered: number;
  /** Deliveries in the database are due. They came after those in the buffer. */
  stored: boolean;
  /** Permits that are granted or in use. */
  permits: number;
  /** It waits for a permit of its own webhook, and not for its turn. */
  blocked: boolean;
}

/**
 * The deliveries of one webhook that wait or run, as far as the scheduler knows of them: new ones, and those that are sent again. The
 * latter have at most half of the permits, so that what failed does not keep what is new waiting. Only the scheduler changes it.
 */
export class WebhookQueue implements WebhookKey {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly parts: Readonly<Record<Line, QueuePart>>;
  readonly concurrency: AdaptiveConcurrency;
  /** Until when the rate limit lets nothing out, in milliseconds since the epoch. */
  pausedUntil = 0;
  /** Deliveries that are being sent or recorded. */
  working = 0;

  constructor({ webhookId, workspaceId }: WebhookKey, bounds: ConcurrencyBounds) {
    this.webhookId = webhookId;
    this.workspaceId = workspaceId;
    this.concurrency = new AdaptiveConcurrency(bounds);
    this.parts = { first: this.#part('first'), again: this.#part('again') };
  }

  /** Attempts that the webhook's own limit lets begin now. */
  free(part: Line): number {
    const { first, again } = this.parts;
    const { limit } = this.concurrency;
    const free = limit - first.permits - again.permits;
    return part === 'first' ? free : Math.min(free, Math.ceil(limit / 2) - again.permits);
  }

  /** Nothing waits and nothing runs, as far as this queue tells. */
  get idle(): boolean {
    return this.working === 0 && LINES.every((part) => isIdle(this.parts[part]));
  }

  #part(part: Line): QueuePart {
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

const isIdle = ({ dueAt, buffered, stored, permits }: QueuePart) =>
  dueAt === Number.POSITIVE_INFINITY && buffered === 0 && !stored && permits === 0;
