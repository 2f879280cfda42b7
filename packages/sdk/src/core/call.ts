import type { LIMITS } from '@hubline/contract/constants';
import type { Operations } from '@hubline/contract/types';
import { type HeaderName, lowerCase } from '../internal/headers.ts';
import { buildURL, type Query } from '../internal/url.ts';
import { type Config, resolveLimits } from './config.ts';
import { HublineError } from './errors.ts';
import type { RequestOptions, StandardSchema } from './options.ts';
import type { Method, TransportRequest } from './transport.ts';

/**
 * The name of a method, as middleware and logs see it and `schemas` takes it: its group and its own name.
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
  /** Name of the method, such as `members.update`; `request` for the escape hatch. */
  readonly operation: string;
  readonly method: Method;
  /** Below the base URL, its parts encoded; throws where an id is not one. */
  readonly path: () => string;
  readonly query?: Query | undefined;
  /** Becomes JSON. */
  readonly body?: unknown;
  readonly options?: RequestOptions | undefined;
}

/** A prepared call: the same bytes and the same key for every attempt. */
export interface Prepared {
  readonly operation: string;
  /** Method and path, for messages; the query stays out, since it may be private. */
  readonly name: string;
  /** `null` for reads. One for all attempts, so that a write whose response was lost is not done twice. */
  readonly idempotencyKey: string | null;
  readonly request: Omit<TransportRequest, 'signal'>;
  readonly limits: Config['limits'];
  /** On the monotonic clock. */
  readonly deadline: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  readonly schema: StandardSchema | undefined;
}

/** Checks a call and makes its request. */
export function prepare(config: Config, call: Call): Prepared {
  const { operation, method, query, body, options = {} } = call;
  const path = call.path();
  const url = buildURL(config.baseURL, path, query);
  const key = method === 'GET' ? null : idempotencyKey(options.idempotencyKey);
  const limits = resolveLimits(config.limits, options);
  return {
    operation,
    name: `${method} ${path.replace(/\?.*/, '')}`,
    idempotencyKey: key,
    request: {
      method,
      url,
      headers: lowerCase({
        ...config.headers,
        authorization: config.apiKey === null ? undefined : `Bearer ${config.apiKey}`,
        'content-type': body === undefined ? undefined : 'application/json',
        ...lowerCase(options.headers),
        ['idempotency-key' satisfies HeaderName]: key ?? undefined,
      }),
      body: body === undefined ? undefined : toJSON(body),
    },
    limits,
    deadline: performance.now() + limits.totalTimeout,
    signal: options.signal,
    schema: options.schema ?? config.schemas[operation as OperationName],
  };
}

/** The contract's own number: another does not compile. */
const KEY_MAX: (typeof LIMITS)['idempotencyKeyMax'] = 255;

/** Specification, "Limits"; the length is the server's. */
function idempotencyKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (given.length <= KEY_MAX && /^[!-~]+$/.test(given)) return given;
  throw new HublineError(`idempotencyKey must be 1 to ${KEY_MAX} visible ASCII characters.`);
}

/** JSON has no `bigint`, no cycles, and no text for a function. */
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
