import { DELIVERY_HEADERS } from '@hubline/contract/constants';
import { signDelivery } from '@hubline/webhooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../about.ts';
import type { ForwardedAttempt } from '../views/forwarded.ts';
import type { Outgoing } from './envelope.ts';

/** The result of one call. */
export interface CallResult {
  /** The HTTP status, or the exit code of a command; `null` without a response. */
  readonly status: number | null;
  readonly ok: boolean;
  /** The reason for no response, or for a failure. */
  readonly error: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 4 KiB of the response. */
  readonly body: string | null;
}

/** Sends one call, once. Never throws for a failed call. */
export type Send = (
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<CallResult>;

/** The result of a call that failed before there was a response. */
export function noResponse(error: string): CallResult {
  return { status: null, ok: false, error, headers: null, body: null };
}

/** Settings of forwarding. */
export interface Forwarding {
  readonly send: Send;
  readonly secret: string;
  /** Headers in addition to those of a delivery. */
  readonly headers: Readonly<Record<string, string>>;
  /** The delay before each attempt. */
  readonly delays: readonly number[];
  /** The parts of an attempt that are shown in addition to its outcome. */
  readonly show: readonly string[];
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Makes the attempts of a delivery, until one succeeds or none is left. The last one says whether it was delivered. */
export async function* forward(outgoing: Outgoing, forwarding: Forwarding): AsyncGenerator<ForwardedAttempt> {
  const { delays, signal } = forwarding;
  for (const [index, delay] of delays.entries()) {
    if (delay > 0) await sleep(delay, undefined, { signal });
    const attempt = await attemptOnce(outgoing, forwarding, index + 1);
    // An attempt that the end of this command cut off says nothing about the receiver.
    if (signal.aborted) return;
    const next = delays[index + 1];
    const wait = attempt.delivered || next === undefined ? null : Math.round(next);
    yield { ...attempt, attempts: delays.length, retry_in_ms: wait };
    if (attempt.delivered) return;
  }
}

type Attempt = Omit<ForwardedAttempt, 'attempts' | 'retry_in_ms'>;

async function attemptOnce(outgoing: Outgoing, forwarding: Forwarding, attempt: number): Promise<Attempt> {
  const { send, show, now, signal } = forwarding;
  const { id, trigger, type, eventId, body } = outgoing;
  const time = now();
  const headers = await deliveryHeaders(outgoing, forwarding, { attempt, time });
  const started = performance.now();
  const result = await send(body, headers, signal);
  const shown = (part: string): boolean => show.includes(part);
  return {
    time: new Date(time).toISOString(),
    trigger,
    type,
    event_id: eventId,
    delivery_id: id,
    attempt,
    delivered: result.ok,
    status: result.status,
    duration_ms: Math.round(performance.now() - started),
    error: result.error,
    ...(shown('headers') && { request_headers: headers, response_headers: result.headers }),
    ...(shown('body') && { request_body: body, response_body: result.body }),
  };
}

/** The headers of an attempt, as the delivery engine sends them. Specification, "Delivery" 2. */
async function deliveryHeaders(
  { id, trigger, body }: Outgoing,
  { secret, headers }: Forwarding,
  { attempt, time }: { attempt: number; time: number },
): Promise<Record<string, string>> {
  const timestamp = Math.floor(time / 1_000);
  return {
    ...(await signDelivery({ id, timestamp, body, secrets: [secret] })),
    [DELIVERY_HEADERS.event]: trigger,
    [DELIVERY_HEADERS.delivery]: id,
    [DELIVERY_HEADERS.attempt]: String(attempt),
    'Content-Type': 'application/json',
    'User-Agent': `Hubline/${version}`,
    ...headers,
  };
}
