import type { JobRow } from '../db/jobs.ts';
import type { JobKind } from './job-kind.ts';

/** The result of an attempt of a job. */
export type JobOutcome =
  | { kind: 'done' }
  | { kind: 'again'; inMs: number }
  /** `retryAfterMs`: the wait that the called server asked for. `logText`: the text for the log, where it says more than the reason. */
  | { kind: 'failed'; reason: string; permanent: boolean; retryAfterMs: number; logText?: string }
  /** The process stops: the attempt does not count. */
  | { kind: 'interrupted' };

/** The state of a job after an attempt; `null` when it is over. */
export type SettledJob = Pick<JobRow, 'due_at' | 'attempts' | 'last_error' | 'failed_at'> | null;

const MAX_ATTEMPTS = 10;
const FIRST_DELAY_MS = 5_000;
const FACTOR = 4;
const LONGEST_DELAY_MS = 2 * 60 * 60_000;
// Jobs that failed together are not retried together.
const JITTER = 0.2;

/** Decides the state of a job after an attempt. A periodic job never fails for good: it runs again. `random` is from 0 to 1. */
export function settle(
  { maxAttempts = MAX_ATTEMPTS, everyMs }: Pick<JobKind, 'maxAttempts' | 'everyMs'>,
  row: Pick<JobRow, 'attempts' | 'last_error' | 'due_at'>,
  { outcome, now, random }: { outcome: JobOutcome; now: number; random: number },
): SettledJob {
  const { attempts } = row;
  switch (outcome.kind) {
    case 'done':
      return everyMs === undefined ? null : openAt(now + everyMs);
    case 'again':
      return openAt(now + outcome.inMs);
    case 'interrupted':
      return { due_at: now, attempts: attempts - 1, last_error: row.last_error, failed_at: null };
    case 'failed': {
      const failed = { attempts, last_error: outcome.reason };
      const isLast = outcome.permanent || attempts >= maxAttempts;
      if (isLast && everyMs === undefined) return { ...failed, due_at: now, failed_at: now };
      const delay = Math.max(outcome.retryAfterMs, backOff(attempts, random));
      return { ...failed, due_at: now + Math.min(delay, everyMs ?? delay), failed_at: null };
    }
  }
}

const openAt = (due: number): SettledJob => ({ due_at: due, attempts: 0, last_error: null, failed_at: null });

/** The wait after that many attempts, in milliseconds. `random` is from 0 to 1. */
export function backOff(attempts: number, random: number): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (attempts - 1));
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
