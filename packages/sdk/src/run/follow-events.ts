import { checked } from '../core/config.ts';
import type { StreamState } from '../core/engine.ts';
import { aborted, HublineError, invalidResponse } from '../core/errors.ts';
import { lowerCase } from '../internal/headers.ts';
import { readLive } from './body.ts';
import { sleep, type Success } from './connection.ts';
import { backoff, isOutage } from './exchange.ts';
import { isObject, parseJSON, readDate } from './read-response.ts';
import { isHeaderValue } from './round-trip.ts';
import { parseEvents } from './sse.ts';

/** The server sends a comment every 10 seconds, so several are missing by then. */
const IDLE_TIMEOUT_MS = 30_000;

/** Iterates an `EventStream` until `end` aborts: connects, and connects again whenever the connection is lost. */
export async function* followEvents<Item>(
  state: StreamState,
  end: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const { requester, call } = state;
  const { log, maxResponseBytes, parseJSON: parse } = requester.config;
  const { idleTimeout = IDLE_TIMEOUT_MS, lastEventId: _, ...options } = state.options;
  const signal = AbortSignal.any([end, options.signal ?? end]);
  checked('idleTimeout', idleTimeout);
  if (!isHeaderValue(state.lastEventId ?? ''))
    throw new HublineError('lastEventId must be one line of Latin-1 text.');

  for (let failures = 0, opened = false; ; failures++) {
    try {
      const success = await connect(opened);
      opened = true;
      // HTML standard, "Server-sent events": a client does not reconnect after a 204.
      if (success.info.status === 204) return success.connection.close();
      for await (const item of items(success)) {
        failures = 0;
        yield item;
        // Events that have arrived already must not outlive the signal.
        if (signal.aborted) throw aborted('The stream', signal.reason);
      }
    } catch (error) {
      if (end.aborted) return;
      if (!opened || !isOutage(error)) throw error;
    }
    const wait = Math.max(state.reconnectMs, backoff(failures));
    log('info', `${call.operation} will reconnect`, { wait_ms: Math.round(wait) });
    // An abort ends the wait; `connect` then sends nothing.
    await sleep(wait, signal);
  }

  /** Opens a connection. The first one fails like any call; after it, no outage ends the stream. */
  async function connect(again: boolean): Promise<Success> {
    const { lastEventId } = state;
    const success = await requester.run(
      {
        ...call,
        // An empty ID counts as none (HTML standard, "Server-sent events"). An explicit `since: undefined` of the caller must not override the time at which the stream was opened.
        query: lastEventId ? call.query : { ...call.query, since: call.query?.['since'] ?? state.openedAt },
        options: {
          ...options,
          signal,
          ...(again && { maxRetries: Infinity, maxRetryAfter: Infinity, totalTimeout: Infinity }),
          headers: {
            ...lowerCase(options.headers),
            accept: 'text/event-stream',
            ...(lastEventId && { 'last-event-id': lastEventId }),
          },
        },
      },
      'open',
    );
    // By the server's clock if it sends one, so that a wrong clock here misses no event between two connections.
    state.openedAt ??= new Date(readDate(success.info.headers['date']) ?? Date.now()).toISOString();
    return success;
  }

  async function* items(success: Success): AsyncGenerator<Item> {
    const invalid = (what: string) =>
      invalidResponse(call.operation, success.info, `and an event that is ${what}`);
    const chunks = readLive(success, idleTimeout, { name: call.operation, deadline: Infinity });
    try {
      for await (const data of parseEvents(chunks, maxResponseBytes, state)) {
        const item = parseJSON(data, parse);
        if (!isObject(item)) throw invalid('not a JSON object');
        yield item as Item;
      }
    } catch (error) {
      throw error instanceof RangeError ? invalid('too long') : error;
    }
  }
}
