import { lowerCase } from '../internal/lower-case.ts';
import { buildURL } from '../internal/url.ts';
import type { Call } from './call.ts';
import { resolveLimits, type Config } from './config.ts';
import { HublineError } from './hubline-error.ts';
import type { OperationName } from './requester.ts';
import type { StandardSchema } from './standard-schema.ts';
import type { TransportRequest } from './transport.ts';

/** A call as requests: the same bytes and the same key for every attempt. */
export interface Prepared {
  /** Name of the method, such as `members.update`. */
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
  const { operation, method = 'GET', path, query, body, options = {} } = call;
  const key = method === 'GET' ? null : idempotencyKey(options.idempotencyKey);
  const limits = resolveLimits(config.limits, options);
  return {
    operation,
    name: `${method} ${path.replace(/\?.*/, '')}`,
    idempotencyKey: key,
    request: {
      method,
      url: buildURL(config.baseURL, path, query),
      headers: {
        ...config.headers,
        ...(config.apiKey !== null && { authorization: `Bearer ${config.apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...lowerCase(options.headers),
        ...(key !== null && { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    },
    limits,
    deadline: config.clock.now() + limits.totalTimeout,
    signal: options.signal,
    schema: options.schema ?? config.schemas[operation as OperationName],
  };
}

/** Specification, "Limits"; the length is the server's. */
function idempotencyKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[!-~]{1,255}$/.test(given)) return given;
  throw new HublineError('idempotencyKey must be 1 to 255 visible ASCII characters, such as a UUID.');
}
