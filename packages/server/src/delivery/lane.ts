import { lineOf, type Line } from '../domain/line.ts';
import type { Job } from '../job.ts';
import { SLOW_MS } from './places.ts';

/** How many attempts to one webhook may be under way. */
export interface LaneLimits {
  /** At the beginning, and after a pause. */
  first: number;
  /** At most. */
  most: number;
}

/** A delivery that is stored as leased and waits in memory for a place. Its attempt has not begun. */
export interface Standing {
  readonly job: Job;
  /** When its lease ends, in milliseconds since the epoch. */
  readonly leaseEnd: number;
  /** The room that is kept for it. */
  readonly bytes: number;
}

/** One of the two lines in which the deliveries of a webhook wait, as far as memory holds it. */
export interface Queue {
  readonly lane: Lane;
  readonly line: Line;
  /** When the next delivery is due, in milliseconds since the epoch. */
  dueAt: number;
  /** Deliveries that are due and in memory, the oldest first. Only new ones are. */
  readonly standing: Standing[];
  /** Others that are due are in the database; they came after those. */
  stored: boolean;
  /** Places that are held for attempts. */
  held: number;
  /** Something is due, and it is waiting for its turn … */
  ready: boolean;
  /** … or for a place of its webhook. */
  blocked: boolean;
}

/**
 * A webhook that has something to wait for. Slow start: the first calls
 * find out what the receiver can take; every quick success opens one more place, every failure halves them. Deliveries that
 * are sent again have at most half of the places.
 */
export class Lane {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly queues: Readonly<Record<Line, Queue>>;
  /** Until when its rate limit lets nothing out, in milliseconds since the epoch. */
  pausedUntil = 0;
  /** Deliveries for which there is room in memory, those that are being stored included. */
  admitted = 0;
  /** Deliveries that are being sent or recorded. */
  working = 0;
  readonly #limits: LaneLimits;
  #places: number;

  constructor(webhook: { webhookId: string; workspaceId: string }, limits: LaneLimits) {
    this.webhookId = webhook.webhookId;
    this.workspaceId = webhook.workspaceId;
    this.#limits = limits;
    this.#places = limits.first;
    const queue = (line: Line): Queue => ({
      lane: this,
      line,
      dueAt: Number.POSITIVE_INFINITY,
      standing: [],
      stored: false,
      held: 0,
      ready: false,
      blocked: false,
    });
    this.queues = { first: queue('first'), again: queue('again') };
  }

  /** The queue of a delivery. */
  queueOf(delivery: { status: string }): Queue {
    return this.queues[lineOf(delivery)];
  }

  /** Attempts that may begin now. */
  free(line: Line): number {
    const { first, again } = this.queues;
    const free = this.#places - first.held - again.held;
    return line === 'first' ? free : Math.min(free, Math.ceil(this.#places / 2) - again.held);
  }

  /** Nothing is under way, and nothing is waited for. */
  get idle(): boolean {
    const { first, again } = this.queues;
    if (this.working > 0 || this.admitted > 0) return false;
    return [first, again].every(
      (queue) =>
        queue.held === 0 && queue.dueAt === Number.POSITIVE_INFINITY && !queue.ready && !queue.blocked,
    );
  }

  /** Learns from an attempt how many the receiver can take. */
  learn({ ok, durationMs }: { ok: boolean; durationMs: number }): void {
    this.#places =
      ok && durationMs < SLOW_MS
        ? Math.min(this.#places + 1, this.#limits.most)
        : Math.max(Math.floor(this.#places / 2), this.#limits.first);
  }
}
