import type { RateLimit } from '../core/response.ts';

type Headers = Readonly<Record<string, string>>;

/** Specification, "Limits": the rate limit counts by the minute, so no honest reset is further away. */
const WINDOW_SECONDS = 60;

/** A header that holds a whole number; `null` for anything else, such as `1e9`, `-1` or a date. */
function wholeNumber(headers: Headers, name: string): number | null {
  const text = headers[name]?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The rate limit of a response, or `null` where a header is missing or malformed. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const read = (name: string) => wholeNumber(headers, `x-ratelimit-${name}`);
  const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
  return limit === null || remaining === null || reset === null ? null : { limit, remaining, reset };
}

/** What the wait of a response is read from. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Headers;
}

/**
 * Whole seconds that the server asks to wait: `Retry-After`, or on 429 the time until `X-RateLimit-Reset`. `null` when it asks
 * for nothing that makes sense. Times are read against the server's own `Date`, so that a wrong clock on this side does no harm.
 */
export function readRetryAfter({ status, headers }: ResponseHead): number | null {
  const now = (readDate(headers['date']) ?? Date.now()) / 1_000;
  const date = readDate(headers['retry-after']);
  const reset = status === 429 ? wholeNumber(headers, 'x-ratelimit-reset') : null;
  const seconds =
    wholeNumber(headers, 'retry-after') ??
    (date === null ? Math.min((reset ?? 0) - now, WINDOW_SECONDS) : date / 1_000 - now);
  return seconds > 0 ? Math.ceil(seconds) : null;
}

/** Milliseconds of an HTTP date, in each of its three forms (RFC 9110, 5.6.7); the oldest leaves GMT to be understood. */
export function readDate(text = ''): number | null {
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(`${text.replace(/ GMT$/, '')} GMT`) || null : null;
}
