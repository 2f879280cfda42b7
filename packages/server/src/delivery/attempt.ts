import { StringDecoder } from 'node:string_decoder';
import { LIMITS } from '@hubline/contract';
import type { OutboundDispatcher } from '../outbound/dispatcher.ts';
import { exchange, type ExchangeAnswer } from '../outbound/exchange.ts';
import type { FailureKind } from '../outbound/failure.ts';
import { parseRetryAfter } from '../domain/retry-after.ts';

/** One signed POST, ready to go out. */
export interface AttemptRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
  /** Deadline over DNS, connect, TLS, headers and body together, in milliseconds. Default: the specification's 30 s. */
  timeoutMs?: number;
}

/** What became of one POST: a value, whatever the receiver did. */
export interface Outcome {
  startedAt: Date;
  durationMs: number;
  /** What the receiver answered; a body that never ended is kept as far as it came. */
  response: { status: number; headers: Record<string, string>; body: string } | null;
  error: { kind: FailureKind; message: string } | null;
  /** How long the receiver asked to be left alone, with 429 or 503; `null` when it did not. At most an hour. */
  retryAfterMs: number | null;
  /** A 2xx whose status line and headers came in time. contract.md 5. */
  ok: boolean;
  /** The failure is this server's, such as too many open files or a shutdown: it should not count for the receiver. */
  ours: boolean;
}

const MAX_HEADERS = 64;
const MAX_HEADER_BYTES = 8 * 1024;

/** Makes one POST and says what became of it. Never throws. */
export async function attempt(
  dispatcher: OutboundDispatcher,
  request: AttemptRequest,
  clock: () => Date,
): Promise<Outcome> {
  const startedAt = clock();
  // The wall clock may jump; a duration must not.
  const started = performance.now();
  const result = await exchange(dispatcher, {
    method: 'POST',
    url: request.url,
    headers: request.headers,
    body: request.body,
    timeoutMs: request.timeoutMs ?? LIMITS.attemptTimeoutMs,
    readBytes: LIMITS.responseReadBytes,
    keepBytes: LIMITS.responseKeepBytes,
  });
  const timing = { startedAt, durationMs: Math.round(performance.now() - started) };
  if ('answer' in result) return { ...timing, ...fromAnswer(result.answer, clock) };
  const { kind, message, ours } = result.failure;
  return { ...timing, response: null, error: { kind, message }, retryAfterMs: null, ok: false, ours };
}

function fromAnswer(answer: ExchangeAnswer, clock: () => Date): Omit<Outcome, 'startedAt' | 'durationMs'> {
  const { status } = answer;
  const retryAfter = status === 429 || status === 503 ? single(answer.headers['retry-after']) : undefined;
  return {
    response: { status, headers: keepHeaders(answer.headers), body: decode(answer.body) },
    error: status >= 300 && status < 400 ? redirect(status) : null,
    retryAfterMs: retryAfter === undefined ? null : parseRetryAfter(retryAfter, clock()),
    ok: status >= 200 && status < 300,
    ours: false,
  };
}

function redirect(status: number): { kind: FailureKind; message: string } {
  return {
    kind: 'redirect',
    message: `answered ${status}: redirects are not followed; set the webhook's url to the final address`,
  };
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

// For people who debug a receiver: enough to recognise it, bounded, and without the cookies it tried to set.
function keepHeaders(headers: ExchangeAnswer['headers']): Record<string, string> {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value = ''] of Object.entries(headers)) {
    // Whoever copies a record with this name from field to field changes its prototype.
    if (name === '__proto__') continue;
    const text = name === 'set-cookie' ? '[redacted]' : [value].flat().join(', ');
    bytes += name.length + text.length;
    if (kept.length === MAX_HEADERS || bytes > MAX_HEADER_BYTES) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}

// Lossy, without NUL (PostgreSQL refuses it in text) and without the half character at the cut.
function decode(body: Buffer): string {
  return new StringDecoder('utf8').write(body).replaceAll('\0', '');
}
