import { wholeNumber } from './rate-limit.ts';

/** Specification, "Retry rules" 2: start at 1 second, double each time, cap at 60 seconds. */
const FIRST_MS = 1_000;
const CAP_MS = 60_000;
/** Enough to keep clients that failed together from coming back together. */
const JITTER = 0.25;
/** Specification, "Limits": the rate limit counts by the minute, so no honest reset is further away. */
const WINDOW_SECONDS = 60;

/** Specification, "Retry rules" 1 and 2. */
const RETRIED = new Set([429, 500, 503]);

/** What the waits of a response are read from. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a status may be retried: 429, 500 and 503, and a 409 that says when its first request will be done. */
export const isRetriedStatus = (status: number, asked: number | null): boolean =>
  RETRIED.has(status) || (status === 409 && asked !== null);

/**
 * Whole seconds that the server asks to wait: `Retry-After`, or on 429 the time until `X-RateLimit-Reset`. `null` when
 * it asks for nothing that makes sense. A reset is read against the server's own `Date`, so that a wrong clock on this
 * side does no harm; `date`, in Unix milliseconds, is for servers that send none.
 */
export function retryAfter({ status, headers }: ResponseHead, date: number): number | null {
  const asked = wholeNumber(headers, 'retry-after');
  if (asked !== null) return asked || null;
  const reset = status === 429 ? wholeNumber(headers, 'x-ratelimit-reset') : null;
  if (reset === null) return null;
  const seconds = Math.ceil(reset - (Date.parse(headers['date'] ?? '') || date) / 1_000);
  return seconds > 0 ? Math.min(seconds, WINDOW_SECONDS) : null;
}

/**
 * Milliseconds to wait before retry `retry`, counted from 0. Jitter only ever adds: the wait is never shorter than what
 * the server asked for, nor than the schedule, and the schedule stays below its cap.
 */
export function retryDelay(retry: number, asked: number | null, random: number): number {
  const scheduled = Math.min(FIRST_MS * 2 ** retry, CAP_MS);
  const jitter = scheduled * JITTER * random;
  return asked === null ? Math.min(scheduled + jitter, CAP_MS) : asked * 1_000 + jitter;
}
