import type { Connection } from '../internal/connection.ts';
import { lowerCase } from '../internal/lower-case.ts';
import { readText } from '../internal/read-text.ts';
import type { ResponseInfo } from './call.ts';
import type { Config } from './config.ts';
import { ConnectionError, InvalidResponseError } from './errors.ts';
import type { HublineError } from './hubline-error.ts';
import type { Prepared } from './prepare.ts';
import { readRateLimit } from './rate-limit.ts';
import { retryAfter } from './retry-policy.ts';
import { toAPIError } from './to-api-error.ts';
import type { Transport, TransportResponse } from './transport.ts';

/** A response with a status of success, its body still unread. */
export interface Success {
  readonly info: ResponseInfo;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** What to throw when the body fails: the rest of it is lost. */
  readonly lost: (cause: unknown) => ConnectionError;
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
  const response = await send(config, prepared, attempt);
  const info = describe(response, prepared);
  config.state.rateLimit = info.rateLimit ?? config.state.rateLimit;
  if (info.status < 200 || info.status > 299) throw await failure(config, prepared, { ...response, info });
  warnIfDeprecated(config, prepared, info);
  return {
    info,
    body: response.body,
    lost: (cause) => lost(config, prepared, cause),
    connection: attempt.connection,
  };
}

/** The transport, with the middleware around it. */
function send(config: Config, prepared: Prepared, attempt: Attempt): Promise<TransportResponse> {
  const context = { operation: prepared.operation, attempt: attempt.number };
  const transport: Transport = async (request) => {
    try {
      return await config.transport(request);
    } catch (cause) {
      throw lost(config, prepared, cause);
    }
  };
  const chain = config.middleware.reduceRight<Transport>(
    (next, middleware) => (request) => middleware(request, next, context),
    transport,
  );
  return chain({ ...prepared.request, signal: attempt.connection.signal });
}

function describe({ status, headers: sent }: TransportResponse, { idempotencyKey }: Prepared): ResponseInfo {
  const headers = lowerCase(sent);
  return {
    status,
    headers,
    requestId: headers['x-request-id'] ?? null,
    rateLimit: readRateLimit(headers),
    idempotencyKey,
    replayed: headers['idempotency-replayed'] === 'true',
  };
}

async function failure(
  { apiKey, clock }: Config,
  { name }: Prepared,
  { info, body }: Pick<TransportResponse, 'body'> & { info: ResponseInfo },
): Promise<HublineError> {
  // Also of a broken body the status is worth telling.
  const { text } = await readText(body, MAX_ERROR_BYTES).catch(() => ({ text: '' }));
  if (info.status < 400) {
    const where = info.headers['location'] ? ` to ${info.headers['location']}` : '';
    return new InvalidResponseError(
      `${name} answered ${info.status}${where}. Redirects are not followed: set baseURL to the final address.`,
      info,
    );
  }
  const failed = { ...info, request: name, retryAfter: retryAfter(info, clock.date()) };
  // A server that echoes what it got must not bring the key into a log.
  return toAPIError(failed, apiKey === null ? text : text.replaceAll(apiKey, '[api key]'));
}

function lost({ baseURL }: Config, { name, idempotencyKey }: Prepared, cause: unknown): ConnectionError {
  return new ConnectionError(
    `${name} got no complete response: ${rootReason(cause)}. Check that ${baseURL} is reachable.`,
    { cause, idempotencyKey },
  );
}

/** fetch hides the reason, such as ECONNREFUSED, in a chain of causes. */
function rootReason(error: unknown): string {
  let root = error;
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause !== undefined; depth++)
    root = root.cause;
  if (!(root instanceof Error)) return String(root);
  const code = 'code' in root && typeof root.code === 'string' ? root.code : '';
  return root.message.includes(code) ? root.message : `${code} ${root.message}`.trim();
}

function warnIfDeprecated({ log, state }: Config, { operation }: Prepared, { headers }: ResponseInfo): void {
  const { deprecation, sunset } = headers;
  if ((!deprecation && !sunset) || state.deprecated.has(operation)) return;
  state.deprecated.add(operation);
  log('warn', `${operation} is deprecated: see the changelog, and update the SDK`, { deprecation, sunset });
}
