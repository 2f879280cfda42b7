import { type Delivery as Schema, LIMITS } from '@hubline/contract';
import type { z } from 'zod';

/** The facts that decide a delivery's next state. */
export interface DeliveryState {
  status: z.output<typeof Schema>['status'];
  trigger: z.output<typeof Schema>['trigger'];
  attemptCount: number;
  /** The attempts of the schedule, without manual ones. */
  scheduledCount: number;
  nextAttemptAt: string | null;
  /** 0, or the kind of the extra attempt that has just ended: by hand (1), or by a recovery (2). */
  manual: 0 | 1 | 2;
  completedAt: string | null;
}

/** The result of an attempt, as far as the schedule cares. */
export interface AttemptResult {
  ok: boolean;
  /** The receiver's own `Retry-After` on 429 and 503. */
  retryAfterMs: number | null;
}

/** The state after an attempt. */
export interface NextState extends Omit<DeliveryState, 'trigger'> {
  /** The time of the next attempt; `null`: there is none. */
  dueAt: string | null;
}

const ATTEMPTS = LIMITS.retryDelaysMs.length;

/**
 * The state of a delivery after an attempt. Specification, "States and transitions" 7 to 9: 2xx delivers; after five
 * attempts of the schedule it has failed; before, the next one follows after 5 s, 25 s, 2 min, 10 min. An extra
 * attempt never starts a new chain and leaves the schedule where it was.
 */
export function next(delivery: DeliveryState, result: AttemptResult, now: Date): NextState {
  const at = now.toISOString();
  const after = {
    attemptCount: delivery.attemptCount + 1,
    scheduledCount: delivery.scheduledCount + (delivery.manual === 0 ? 1 : 0),
    manual: 0 as const,
    nextAttemptAt: null,
    dueAt: null,
  };
  if (result.ok) return { ...after, status: 'delivered', completedAt: at };

  if (delivery.manual !== 0) {
    // It has reached the receiver before: a failed retry does not undo that.
    if (delivery.status === 'delivered')
      return { ...after, status: 'delivered', completedAt: delivery.completedAt };
    const resume = delivery.nextAttemptAt;
    if (resume === null) return { ...after, status: 'failed', completedAt: at };
    return { ...after, status: 'retrying', nextAttemptAt: resume, dueAt: resume, completedAt: null };
  }

  if (delivery.trigger === 'test' || after.scheduledCount >= ATTEMPTS) {
    return { ...after, status: 'failed', completedAt: at };
  }
  const delay = LIMITS.retryDelaysMs[after.scheduledCount] ?? 0;
  const wait = Math.max(delay, Math.min(result.retryAfterMs ?? 0, LIMITS.retryAfterMaxMs));
  const due = new Date(now.getTime() + wait).toISOString();
  return { ...after, status: 'retrying', nextAttemptAt: due, dueAt: due, completedAt: null };
}
