import type { Query } from '../internal/url.ts';
import type { RequestOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Methods of the API.
 *
 * @example
 * ```ts
 * import type { Method } from '@hubline/sdk';
 *
 * const send = (method: Method, path: string, body?: unknown) => client.request({ method, path, body });
 * await send('GET', '/me');
 * ```
 */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One call, before it becomes requests. */
export interface Call {
  /** Name of the method, such as `members.update`. */
  readonly operation: string;
  /** @default 'GET' */
  readonly method?: Method | undefined;
  /** Below the base URL, its parts encoded. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Becomes JSON. */
  readonly body?: unknown;
  readonly options?: RequestOptions | undefined;
}

/**
 * What a response tells beside its data. Specification, "Limits" and "Error body".
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
  /** The rate limit after this request. Specification, "Limits". */
  readonly rateLimit: RateLimit | null;
  /** The `Idempotency-Key` of a write; `null` for reads. */
  readonly idempotencyKey: string | null;
  /** Whether this is the stored response of an earlier request with the same key. */
  readonly replayed: boolean;
}

/** A complete response, not yet parsed. */
export interface Answer<T = unknown> {
  readonly info: ResponseInfo;
  readonly text: string;
  /** What the text means; an `InvalidResponseError` if it means nothing here. */
  readonly parse: () => Promise<T>;
}
