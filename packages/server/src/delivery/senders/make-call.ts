import { StringDecoder } from 'node:string_decoder';
import { type AttemptErrorKind, DELIVERY_HEADERS, LIMITS } from '@hubline/contract/constants';
import { signDelivery } from '@hubline/webhooks';
import type { HttpClient } from '../../outbound/http-client.ts';
import { exchange, type ExchangeResponse } from '../../outbound/exchange.ts';
import { type Call, type CallResult, notMade } from './call.ts';

const MAX_HEADERS = 64;
const MAX_HEADER_BYTES = 8 * 1024;

/** Signs and makes one POST. Never rejects. */
export async function makeCall(client: HttpClient, call: Call, userAgent: string): Promise<CallResult> {
  const { url, timeoutMs } = call;
  // Encoded once: otherwise each of the two signatures and the connection would encode the text again.
  const body = typeof call.body === 'string' ? Buffer.from(call.body) : call.body;
  let headers: Record<string, string>;
  try {
    headers = await headersOf(call, { body, userAgent });
  } catch (error) {
    return notMade(`the call could not be signed: ${(error as Error).message}`);
  }
  return post(client, { url, headers, body, timeoutMs });
}

/** Makes one POST. */
export function post(
  client: HttpClient,
  {
    url,
    headers,
    body,
    timeoutMs,
  }: Pick<Call, 'url' | 'timeoutMs'> & { body: Uint8Array; headers: Record<string, string> },
): Promise<CallResult> {
  // The wall clock may jump; a duration must not.
  const started = performance.now();
  const request = {
    method: 'POST',
    url,
    headers,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    timeoutMs,
    readBytes: LIMITS.responseReadBytes,
    keepBytes: LIMITS.responseKeepBytes,
  };
  return exchange(client, request).then((result) => {
    const durationMs = Math.round(performance.now() - started);
    if ('response' in result) return fromResponse(durationMs, result.response);
    const { kind, message, localFailure } = result.failure;
    return {
      durationMs,
      response: null,
      error: { kind, message },
      retryAfter: null,
      ok: false,
      localFailure,
    };
  });
}

async function headersOf(
  { deliveryId, trigger, attempt, timestamp, secrets }: Call,
  { body, userAgent }: { body: Uint8Array; userAgent: string },
): Promise<Record<string, string>> {
  const signatures = await signDelivery({ id: deliveryId, timestamp, body, secrets });
  return {
    ...signatures,
    [DELIVERY_HEADERS.event]: trigger,
    [DELIVERY_HEADERS.delivery]: deliveryId,
    [DELIVERY_HEADERS.attempt]: String(attempt),
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
  };
}

function fromResponse(durationMs: number, { status, headers, body }: ExchangeResponse): CallResult {
  const asksToWait = status === 429 || status === 503;
  return {
    durationMs,
    response: { status, headers: keepHeaders(headers), body: decode(body) },
    error: status >= 300 && status < 400 ? redirect(status) : null,
    retryAfter: (asksToWait && headerOf(headers, 'retry-after')) || null,
    ok: status >= 200 && status < 300,
    localFailure: false,
  };
}

function redirect(status: number): { kind: AttemptErrorKind; message: string } {
  return {
    kind: 'redirect',
    message: `the response was ${status}: redirects are not followed; set the webhook's url to the final address`,
  };
}

/** The first value of a header. */
function headerOf(headers: readonly string[], wanted: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index] === wanted) return headers[index + 1];
  return undefined;
}

// Headers that describe the connection, not the response: RFC 9110, section 7.6.1.
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// Keeps headers for people who debug a receiver: enough to recognize it, bounded, without the cookies it tried to set.
function keepHeaders(headers: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  let count = 0;
  let bytes = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    // Copying an object that has a field of this name, field by field, changes the prototype of the copy.
    if (name === '__proto__' || OF_CONNECTION.has(name)) continue;
    const value = headers[index + 1] ?? '';
    const text = name === 'set-cookie' ? '[redacted]' : value;
    const before = Object.hasOwn(kept, name) ? kept[name] : undefined;
    if (before === undefined) count += 1;
    else if (name === 'set-cookie') continue;
    bytes += name.length + text.length;
    if (count > MAX_HEADERS || bytes > MAX_HEADER_BYTES) break;
    kept[name] = before === undefined ? text : `${before}, ${text}`;
  }
  return kept;
}

// Decodes lossily, without NUL (PostgreSQL refuses it in text) and without the half character at the cut.
function decode(body: Buffer): string {
  // Most receivers respond without a body.
  if (body.length === 0) return '';
  return new StringDecoder('utf8').write(body).replaceAll('\0', '');
}
