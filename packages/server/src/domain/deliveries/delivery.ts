import { type DeliveryCause, type DeliveryStatus, LIMITS } from '@hubline/contract';

/** The facts that decide a delivery's next state. */
export interface DeliveryState {
  status: DeliveryStatus;
  cause: DeliveryCause;
  attemptCount: number;
  /** The attempts of the schedule, without extra ones. */
  scheduledCount: number;
  nextAttemptAt: string | null;
  /** The cause of the current attempt if it is an extra one; `null` for an attempt of the schedule. */
  extra: 'manual' | 'recovery' | null;
  completedAt: string | null;
}

/** The result of an attempt, as far as it matters to the schedule. */
export interface AttemptResult {
  ok: boolean;
  /** The receiver's own `Retry-After` on 429 and 503. */
  retryAfterMs: number | null;
}

/** The state after an attempt. */
export interface NextState extends Omit<DeliveryState, 'cause' | 'extra'> {
  /** The time of the next attempt; `null`: there is none. */
  dueAt: string | null;
}

/**
 * The state of a delivery after an attempt. Specification, "States and transitions" 7 to 9: 2xx delivers; after five
 * attempts of the schedule it has failed; before, the next one follows after 5 s, 25 s, 2 min, 10 min. An extra
 * attempt never starts a new chain and leaves the schedule where it was.
 */
export function stateAfterAttempt(delivery: DeliveryState, result: AttemptResult, now: Date): NextState {
  const at = now.toISOString();
  const after = {
    attemptCount: delivery.attemptCount + 1,
    scheduledCount: delivery.scheduledCount + (delivery.extra === null ? 1 : 0),
    nextAttemptAt: null,
    dueAt: null,
  };
  if (result.ok) return { ...after, status: 'delivered', completedAt: at };

  if (delivery.extra !== null) {
    // It has reached the receiver before: a failed retry does not undo that.
    if (delivery.status === 'delivered')
      return { ...after, status: 'delivered', completedAt: delivery.completedAt };
    const resume = delivery.nextAttemptAt;
    if (resume === null) return { ...after, status: 'failed', completedAt: at };
    return { ...after, status: 'retrying', nextAttemptAt: resume, dueAt: resume, completedAt: null };
  }

  const delay = LIMITS.retryDelaysMs[after.scheduledCount];
  if (delivery.cause === 'test' || delay === undefined) {
    return { ...after, status: 'failed', completedAt: at };
  }
  const wait = Math.max(delay, Math.min(result.retryAfterMs ?? 0, LIMITS.retryAfterMaxMs));
  const due = new Date(now.getTime() + wait).toISOString();
  return { ...after, status: 'retrying', nextAttemptAt: due, dueAt: due, completedAt: null };
}
