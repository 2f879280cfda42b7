import { type Delivery as Schema, LIMITS } from '@hubline/contract';
import type { z } from 'zod';

/** The facts that decide a delivery's next state. */
export interface DeliveryState {
  status: z.output<typeof Schema>['status'];
  trigger: z.output<typeof Schema>['trigger'];
  attempt_count: number;
  /** The attempts of the schedule, without manual ones. */
  scheduled_count: number;
  next_attempt_at: string | null;
  /** 0, or the kind of the extra attempt that has just ended: by hand (1), or by a recovery (2). */
  manual: 0 | 1 | 2;
  completed_at: string | null;
}

/** The result of an attempt, as far as the schedule cares. */
export interface AttemptResult {
  ok: boolean;
  /** The receiver's own `Retry-After` on 429 and 503. */
  retryAfterMs: number | null;
}

/** The state after an attempt, ready for the row. */
export interface NextState extends Omit<DeliveryState, 'trigger'> {
  due_at: string | null;
  interruptions: 0;
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
    attempt_count: delivery.attempt_count + 1,
    scheduled_count: delivery.scheduled_count + (delivery.manual === 0 ? 1 : 0),
    manual: 0 as const,
    interruptions: 0 as const,
    next_attempt_at: null,
    due_at: null,
  };
  if (result.ok) return { ...after, status: 'delivered', completed_at: at };

  if (delivery.manual !== 0) {
    // It has reached the receiver before: a failed retry does not undo that.
    if (delivery.status === 'delivered')
      return { ...after, status: 'delivered', completed_at: delivery.completed_at };
    const resume = delivery.next_attempt_at;
    if (resume === null) return { ...after, status: 'failed', completed_at: at };
    return { ...after, status: 'retrying', next_attempt_at: resume, due_at: resume, completed_at: null };
  }

  if (delivery.trigger === 'test' || after.scheduled_count >= ATTEMPTS) {
    return { ...after, status: 'failed', completed_at: at };
  }
  const delay = LIMITS.retryDelaysMs[after.scheduled_count] ?? 0;
  const wait = Math.max(delay, Math.min(result.retryAfterMs ?? 0, LIMITS.retryAfterMaxMs));
  const due = new Date(now.getTime() + wait).toISOString();
  return { ...after, status: 'retrying', next_attempt_at: due, due_at: due, completed_at: null };
}
