/**
 * The rate limit that a response reported. Specification, "Rate-limit response headers" 1 to 3.
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
  /** The time at which the window resets, in Unix seconds. */
  readonly reset: number;
}

/**
 * The metadata of a response. Specification, "Rate-limit response headers" 1 to 5.
 *
 * @example
 * ```ts
 * const { response } = await client.webhooks.enable('whk_…').withResponse();
 * console.log(response.status, response.requestId, response.replayed);
 * ```
 */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** All headers; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `X-Request-Id`: quote it to support. */
  readonly requestId: string | null;
  /** The rate limit after this request. Specification, "Rate-limit response headers" 1 to 3. */
  readonly rateLimit: RateLimit | null;
  /** The `Idempotency-Key` of a write; `null` for reads. */
  readonly idempotencyKey: string | null;
  /** True for the stored response of an earlier request with the same key. */
  readonly replayed: boolean;
}

/** A complete response, not yet parsed. */
export interface RawResponse<T = unknown> {
  /** Method and path, for messages. */
  readonly name: string;
  readonly info: ResponseInfo;
  readonly text: string;
  /** Parses the text into the data. Rejects with an `InvalidResponseError` if it is not valid. */
  readonly parse: () => Promise<T>;
}
