import { buildURL } from '../internal/url.ts';
import type { Call } from './call.ts';
import { lowerCase, type Config } from './config.ts';
import { HublineError } from './errors.ts';
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
}

/** Checks a call and makes its request. */
export function prepare(config: Config, call: Call): Prepared {
  const { method = 'GET', path, query, body, options } = call;
  const key = method === 'GET' ? null : idempotencyKey(options?.idempotencyKey);
  return {
    operation: call.operation,
    name: `${method} ${path.replace(/\?.*/, '')}`,
    idempotencyKey: key,
    request: {
      method,
      url: buildURL(config.baseURL, path, query),
      headers: {
        ...config.headers,
        ...(config.apiKey !== null && { authorization: `Bearer ${config.apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...lowerCase(options?.headers),
        ...(key !== null && { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    },
  };
}

/** Specification, "Limits"; the length is the server's. */
function idempotencyKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[!-~]{1,255}$/.test(given)) return given;
  throw new HublineError('idempotencyKey must be 1 to 255 visible ASCII characters, such as a UUID.');
}
