import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import {
  aborted,
  ConnectionError,
  invalidResponse,
  isHublineError,
  type HublineError,
} from '../core/errors.ts';
import type { ResponseInfo } from '../core/response.ts';
import type { Transport } from '../core/transport.ts';
import { assertHeaders, lowerCase } from '../internal/headers.ts';
import { readText } from './body.ts';
import type { Connection } from './connection.ts';
import { toAPIError } from './response-error.ts';
import { readRateLimit } from './response-headers.ts';

/** A response with a status of success, its body still unread. */
export interface Success {
  readonly info: ResponseInfo;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** What to throw when the body fails: the rest of it is lost, or nobody wants it any more. */
  readonly lost: (cause: unknown) => HublineError;
  /** Whoever reads the body ends it. */
  readonly connection: Connection;
}

/** Which attempt it is, and what ends it. */
export interface Attempt {
  readonly number: number;
  readonly connection: Connection;
}

/** Errors are short; what comes after this is not one of this API. */
const MAX_ERROR_BYTES = 1024 * 1024;

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
          {
            cause,
            idempotencyKey,
          },
        );

  const transport: Transport = async (request) => {
    assertHeaders(request.headers);
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

  const { status, body, ...response } = await send({ ...prepared.request, signal: connection.signal });
  const headers = lowerCase(response.headers);
  const rateLimit = readRateLimit(headers);
  const requestId = headers['x-request-id'] ?? null;
  const replayed = headers['idempotency-replayed'] === 'true';
  const info: ResponseInfo = { status, headers, requestId, rateLimit, idempotencyKey, replayed };
  state.rateLimit = rateLimit ?? state.rateLimit;
  log('debug', `${name} answered ${status}`, { operation, attempt: number, request_id: requestId });

  if (status < 200 || status > 299) {
    // Also of a broken body the status is worth telling.
    const text = (await readText(body, MAX_ERROR_BYTES).catch(() => null)) ?? '';
    if (status < 400) {
      const where = headers['location'] ?? 'nowhere';
      throw invalidResponse(name, info, `with a redirect to ${where}, not followed: check baseURL`);
    }
    // A server that echoes what it got must not bring the key into a log.
    const safe = apiKey === null ? text : text.replaceAll(apiKey, '[api key]');
    throw toAPIError(name, info, safe);
  }

  const { deprecation, sunset } = headers;
  if ((deprecation ?? sunset) && !state.deprecated.has(operation)) {
    state.deprecated.add(operation);
    log('warn', `${operation} is deprecated`, { deprecation, sunset });
  }
  return { info, body, lost, connection };
}

/** fetch hides the reason, such as ECONNREFUSED, behind a message of its own. Not `instanceof`: Jest has errors of two realms. */
function reasonOf(error: unknown): string {
  const { cause = error } = Object(error) as { readonly cause?: unknown };
  const { message, code } = Object(cause) as { readonly message?: unknown; readonly code?: unknown };
  // The error of several addresses has only a code.
  return String(message || code || cause);
}
