import type { ResolvedAddress } from '../../outbound/http-client.ts';
import type { Call, CallResult } from './call.ts';
import type { SenderSettings } from './local-sender.ts';

/** Settings that a sender's thread starts with. */
export type ThreadSettings = Omit<SenderSettings, 'resolve'>;

/**
 * A call and its number as a tuple: the field names of an object would be written and looked up for each
 * call.
 */
export type CallRow = readonly [
  id: number,
  deliveryId: string,
  trigger: string,
  attempt: number,
  url: string,
  body: Call['body'],
  secrets: readonly string[],
  timestamp: number,
  timeoutMs: number,
];

/** The result of a call and its number, also as a tuple. */
export type ResultRow = readonly [
  id: number,
  durationMs: number,
  response: CallResult['response'],
  error: CallResult['error'],
  retryAfter: string | null,
  ok: boolean,
  localFailure: boolean,
];

export const toCallRow = (id: number, call: Call): CallRow => [
  id,
  call.deliveryId,
  call.trigger,
  call.attempt,
  call.url,
  call.body,
  call.secrets,
  call.timestamp,
  call.timeoutMs,
];

export function toCall([
  ,
  deliveryId,
  trigger,
  attempt,
  url,
  body,
  secrets,
  timestamp,
  timeoutMs,
]: CallRow): Call {
  return { deliveryId, trigger, attempt, url, body, secrets, timestamp, timeoutMs };
}

export const toResultRow = (id: number, result: CallResult): ResultRow => [
  id,
  result.durationMs,
  result.response,
  result.error,
  result.retryAfter,
  result.ok,
  result.localFailure,
];

export function toResult([
  ,
  durationMs,
  response,
  error,
  retryAfter,
  ok,
  localFailure,
]: ResultRow): CallResult {
  return { durationMs, response, error, retryAfter, ok, localFailure };
}

/** Messages from the main thread to a sender. Calls and results travel in batches: a message costs as much as signing a call. */
export type ToSender =
  | { calls: readonly CallRow[] }
  | { name: string; addresses: readonly ResolvedAddress[] }
  | { name: string; code: string | undefined; message: string }
  | 'destroy';

/** Messages from a sender to the main thread. */
export type FromSender = 'ready' | 'destroyed' | { results: readonly ResultRow[] } | { lookUp: string };
