import type { JobRow } from '../db/jobs.ts';
import type { JobKind } from './job-kind.ts';

/** The result of an attempt of a job. */
export type JobOutcome =
  | { kind: 'done' }
  | { kind: 'again'; inMs: number }
  /** `retryAfterMs`: the wait that the called server asked for. `logText`: the text for the log, where it says more than the reason. */
  | { kind: 'failed'; reason: string; permanent: boolean; retryAfterMs: number; logText?: string }
  /** The process stops: the attempt does not count. */
  | { kind: 'interrupted' }
  /** The process ended without a stop: it crashed, was killed, or lost its power. */
  | { kind: 'crashed' };

/** The state of a job after an attempt; `null` when it is over. */
export type NextJobState = Pick<JobRow, 'due_at' | 'attempts' | 'last_error' | 'failed_at'> | null;

const MAX_ATTEMPTS = 10;
// From this attempt on, two crashes in a row count as the job's own fault. By then, a job that only ran beside the one that crashes the
// server runs at other times, because delays are partly random.
const CRASHES_MAX = 5;
const CRASHED = 'the server crashed during this attempt';
/** The error of a job that crashes have cut off twice in a row. */
export const CRASHED_AGAIN = `${CRASHED} and the one before`;
// A periodic job waits this long after such crashes and does not fail for good: nobody would add it again, and a server runs for months.
const CRASHED_PERIODIC_MS = 24 * 60 * 60_000;
const FIRST_DELAY_MS = 5_000;
const FACTOR = 4;
const LONGEST_DELAY_MS = 2 * 60 * 60_000;
// Jobs that failed together are not retried together.
const JITTER = 0.2;

/**
 * Decides the state of a job after an attempt. A periodic job never fails for good. `random` is from 0 to 1.
 */
export function nextJobState(
  kind: Pick<JobKind, 'maxAttempts' | 'everyMs'>,
  row: Pick<JobRow, 'attempts' | 'last_error' | 'due_at'>,
  { outcome, now, random }: { outcome: JobOutcome; now: number; random: number },
): NextJobState {
  const { maxAttempts = MAX_ATTEMPTS, everyMs } = kind;
  const { attempts } = row;
  switch (outcome.kind) {
    case 'done':
      return everyMs === undefined ? null : openAt(now + everyMs);
    case 'again':
      return openAt(now + outcome.inMs);
    case 'interrupted':
      return { due_at: now, attempts: attempts - 1, last_error: row.last_error, failed_at: null };
    case 'crashed': {
      if (attempts >= CRASHES_MAX && row.last_error === CRASHED) {
        const crashed = { attempts, last_error: CRASHED_AGAIN };
        return everyMs === undefined
          ? { ...crashed, due_at: now, failed_at: now }
          : { ...crashed, due_at: now + Math.max(everyMs, CRASHED_PERIODIC_MS), failed_at: null };
      }
      // Most jobs that a crash cuts off did not cause it, so the first retry comes at once.
      if (attempts <= 1) return { attempts, last_error: CRASHED, due_at: now, failed_at: null };
      const failed = { kind: 'failed', reason: CRASHED, permanent: false, retryAfterMs: 0 } as const;
      return nextJobState(kind, row, { outcome: failed, now, random });
    }
    case 'failed': {
      const failed = { attempts, last_error: outcome.reason };
      const isLast = outcome.permanent || attempts >= maxAttempts;
      if (isLast && everyMs === undefined) return { ...failed, due_at: now, failed_at: now };
      const delay = Math.max(outcome.retryAfterMs, backOff(attempts, random));
      return { ...failed, due_at: now + Math.min(delay, everyMs ?? delay), failed_at: null };
    }
  }
}

const openAt = (due: number): NextJobState => ({
  due_at: due,
  attempts: 0,
  last_error: null,
  failed_at: null,
});

/** The wait after that many attempts, in milliseconds. `random` is from 0 to 1. */
export function backOff(attempts: number, random: number): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (attempts - 1));
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
