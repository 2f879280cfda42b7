import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import { aborted, ConnectionError, HublineError, invalidResponse, isHublineError } from '../core/errors.ts';
import type { ResponseInfo } from '../core/response.ts';
import type { Transport, TransportRequest } from '../core/transport.ts';
import { type HeaderName, lowerCase } from '../internal/headers.ts';
import { readText } from './body.ts';
import type { Connection, Success } from './connection.ts';
import { readRateLimit, toAPIError } from './read-response.ts';

/** The number of the attempt, and what ends it. */
interface Attempt {
  readonly number: number;
  readonly connection: Connection;
}

/** 1 MiB. Errors of this API are short: a longer body is not one, and is dropped. */
const MAX_ERROR_BYTES = 2 ** 20;

/** Sends a request once. Every failure is a typed error; nothing here waits or repeats. */
export async function roundTrip(config: Config, prepared: Prepared, attempt: Attempt): Promise<Success> {
  const { apiKey, baseURL, log, state } = config;
  const { operation, name, idempotencyKey, signal } = prepared;
  const { number, connection } = attempt;

  const lost = (cause: unknown) =>
    signal?.aborted
      ? aborted(name, signal.reason, idempotencyKey)
      : new ConnectionError(
          `${name} got no complete response: ${reasonOf(cause)}. Is ${baseURL} reachable?`,
          { cause, idempotencyKey },
        );

  /** A server that echoes the request must not put the key into a log. */
  const safe = (text: string) => (apiKey === null ? text : text.replaceAll(apiKey, '[api key]'));

  const transport: Transport = async (request) => {
    assertSendable(request);
    try {
      return await config.transport(request);
    } catch (cause) {
      throw isHublineError(cause) ? cause : lost(cause);
    }
  };
  const context = { operation, attempt: number };
  const send = config.middleware.reduceRight<Transport>(
    (next, middleware) => (request) => middleware(request, next, context),
    transport,
  );

  const response = await send({ ...prepared.request, signal: connection.signal });
  const { status, body } = response;
  const headers = lowerCase(response.headers);
  const rateLimit = readRateLimit(headers);
  const requestId = headers['x-request-id' satisfies HeaderName] ?? null;
  const replayed = headers['idempotency-replayed' satisfies HeaderName] === 'true';
  const info: ResponseInfo = { status, headers, requestId, rateLimit, idempotencyKey, replayed };
  state.rateLimit = rateLimit ?? state.rateLimit;
  log('debug', `${name} responded with ${status}`, { ...context, request_id: requestId });

  if (status < 200 || status > 299) {
    // The status is worth reporting even if the body is broken.
    const text = (await readText(body, MAX_ERROR_BYTES).catch(() => null)) ?? '';
    if (status < 400) {
      // The query may be private: a redirect to another host or scheme repeats it.
      const where = headers['location']?.replace(/[?#].*/s, '') ?? 'none';
      throw invalidResponse(name, info, `(location: ${safe(where)}, not followed): check baseURL`);
    }
    throw toAPIError(name, info, safe(text));
  }

  const { deprecation, sunset } = headers;
  if ((deprecation ?? sunset) && !state.deprecated.has(operation)) {
    state.deprecated.add(operation);
    log('warn', `${operation} is deprecated`, { deprecation, sunset });
  }
  return { info, body, lost, connection };
}

/** fetch hides the reason, such as ECONNREFUSED, behind its own message. Not `instanceof`: Jest has errors of two realms. */
function reasonOf(error: unknown): string {
  const { cause = error } = Object(error) as { readonly cause?: unknown };
  const { message, code } = Object(cause) as { readonly message?: unknown; readonly code?: unknown };
  // The error for a host with several addresses has only a code.
  return String(message || code || cause);
}

/** Characters that HTTP allows (RFC 9110, 5.1 and 5.5). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reports whether a header can carry a value: one line of Latin-1 text. */
export const isHeaderValue = (value: unknown): boolean => typeof value === 'string' && VALUE.test(value);

/** Refuses a request that not every transport can send. `fetch` would report a network failure, and repeat a header in its message. */
function assertSendable({ method, headers, body }: TransportRequest): void {
  if (method === 'GET' && body) throw new HublineError('GET has no body: use query.');
  for (const [name, value] of Object.entries(headers)) {
    if (NAME.test(name) && isHeaderValue(value)) continue;
    throw new HublineError(`The header ${JSON.stringify(name)} must be one line of Latin-1 text.`);
  }
}
