import type { LIMITS } from '@hubline/contract/constants';
import type { Operations } from '@hubline/contract/types';
import { type HeaderName, lowerCase } from '../internal/headers.ts';
import { buildURL, type Query } from '../internal/url.ts';
import { CALL_OPTIONS, type Config, refuseUnknown, resolveLimits } from './config.ts';
import { HublineError } from './errors.ts';
import type { RequestOptions, StandardSchema } from './options.ts';
import type { Method, TransportRequest } from './transport.ts';

/**
 * The name of a method in middleware, logs and `schemas`: its group and its own name, such as `members.update`.
 *
 * @example
 * ```ts
 * import { Hubline, type OperationName } from '@hubline/sdk';
 *
 * const refused: readonly string[] = ['workspaces.delete'] satisfies OperationName[];
 * const careful = new Hubline({
 *   middleware: [
 *     (request, next, { operation }) => {
 *       if (refused.includes(operation)) throw new Error(`${operation} is not for scripts.`);
 *       return next(request);
 *     },
 *   ],
 * });
 * ```
 */
export type OperationName = keyof Operations;

/** One call. */
export interface Call {
  /** Name of the method, such as `members.update`; `request` for `client.request`. */
  readonly operation: string;
  readonly method: Method;
  /** The path below the base URL, with its parts encoded. Throws for an unusable ID. */
  readonly path: () => string;
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly options?: RequestOptions | undefined;
}

/** A prepared call: the same bytes and the same key for every attempt. */
export interface Prepared {
  readonly operation: string;
  /** Method and path, for messages; the query stays out, since it may be private. */
  readonly name: string;
  /** The same for all attempts, so that a write whose response was lost is not done twice; `null` for reads. */
  readonly idempotencyKey: string | null;
  readonly request: Omit<TransportRequest, 'signal'>;
  readonly limits: Config['limits'];
  /** The latest end of the call, in milliseconds on the monotonic clock. */
  readonly deadline: number;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  readonly schema: StandardSchema | undefined;
}

/** Checks a call and builds its request. */
export function prepare(config: Config, call: Call): Prepared {
  const { operation, method, query, body, options = {} } = call;
  refuseUnknown(options, CALL_OPTIONS);
  const path = call.path();
  const url = buildURL(config.baseURL, path, query);
  const headers = lowerCase(options.headers);
  const key = method === 'GET' ? null : idempotencyKey(options.idempotencyKey ?? headers[KEY_HEADER]);
  const limits = resolveLimits(config.limits, options);
  return {
    operation,
    name: `${method} ${path.replace(/[?#].*/s, '')}`,
    idempotencyKey: key,
    request: {
      method,
      url,
      headers: {
        ...config.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...(key && { [KEY_HEADER]: key }),
      },
      body: body === undefined ? undefined : toJSON(body),
    },
    limits,
    deadline: performance.now() + limits.totalTimeout,
    signal: options.signal,
    schema: options.schema ?? config.schemas[operation as OperationName],
  };
}

const KEY_HEADER = 'idempotency-key' satisfies HeaderName;

/** The number of the contract; any other does not compile. */
const KEY_MAX: (typeof LIMITS)['idempotencyKeyMax'] = 255;

/**
 * The given key, checked, or a new one: a UUID v4, or 128 random bits where a page that did not come over HTTPS has none.
 * Specification, "Limits" 9; the maximum length is the server's.
 */
function idempotencyKey(
  key: string = crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-'),
): string {
  if (/^[!-~]+$/.test(key) && key.length <= KEY_MAX) return key;
  throw new HublineError(`idempotencyKey must be 1 to ${KEY_MAX} visible ASCII characters.`);
}

/** The body as JSON. Throws for a value that JSON does not have, such as a `bigint`, a cycle or a function. */
function toJSON(body: unknown): string {
  let cause: unknown = `a ${typeof body}`;
  try {
    const text = JSON.stringify(body) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  throw new HublineError(`The body cannot be written as JSON: ${String(cause)}`, { cause });
}
