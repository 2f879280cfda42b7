/**
 * The rate limit as a response told it. Specification, "Rate-limit response headers".
 *
 * @example
 * ```ts
 * const { response } = await client.me.get().withResponse();
 * if (response.rateLimit?.remaining === 0) console.warn(new Date(response.rateLimit.reset * 1_000));
 * ```
 */
export interface RateLimit {
  /** Requests per minute. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window resets, in Unix seconds. */
  readonly reset: number;
}

type Headers = Readonly<Record<string, string>>;

/** A header that holds a whole number; `null` for anything else, such as `1e9`, `-1` or a date. */
export function wholeNumber(headers: Headers, name: string): number | null {
  const text = headers[name]?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The rate limit of a response, or `null` where a header is missing or malformed. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const limit = wholeNumber(headers, 'x-ratelimit-limit');
  const remaining = wholeNumber(headers, 'x-ratelimit-remaining');
  const reset = wholeNumber(headers, 'x-ratelimit-reset');
  return limit === null || remaining === null || reset === null ? null : { limit, remaining, reset };
}
