import { isAPIError } from '../core/api-error.ts';
import type { StreamState } from '../core/engine.ts';
import { aborted, invalidResponse, isConnectionError } from '../core/errors.ts';
import { readLive } from './body.ts';
import { sleep, type Success } from './connection.ts';
import { backoff } from './exchange.ts';
import { isObject, parseJSON, readDate } from './read-response.ts';
import { parseEvents } from './sse.ts';

/** The server sends a comment every 10 seconds. */
const IDLE_TIMEOUT_MS = 30_000;

/** Iterates an `EventStream`: connects, and connects again whenever the connection is lost. */
export async function* followEvents<Item>(state: StreamState): AsyncGenerator<Item, void, undefined> {
  const { requester, call, options } = state;
  const { log, maxResponseBytes, parseJSON: parse } = requester.config;
  const { lastEventId: _from, idleTimeout = IDLE_TIMEOUT_MS, headers, ...requestOptions } = options;
  const { signal } = options;

  for (let failures = 0, opened = false; ; failures++) {
    try {
      const success = await connect(opened);
      opened = true;
      // HTML standard, "Server-sent events": do not reconnect.
      if (success.info.status === 204) return success.connection.close();
      for await (const item of items(success)) {
        failures = 0;
        yield item;
      }
    } catch (error) {
      if (!opened || !isOutage(error)) throw error;
    }
    const wait = Math.max(state.reconnectMs, backoff(failures));
    log('info', `${call.operation} will reconnect`, { wait_ms: Math.round(wait) });
    await sleep(wait, signal);
    if (signal?.aborted) throw aborted('The stream', signal.reason);
  }

  /** A first connection fails like any call; a stream that was once open is not given up because of an outage. */
  async function connect(again: boolean): Promise<Success> {
    const { lastEventId } = state;
    const success = await requester.run(
      {
        ...call,
        // An explicit `since: undefined` of the caller must not undo where the stream began.
        query:
          lastEventId === null
            ? { ...call.query, since: call.query?.['since'] ?? state.openedAt }
            : call.query,
        options: {
          ...requestOptions,
          ...(again && { maxRetries: Infinity, maxRetryAfter: Infinity }),
          headers: {
            ...headers,
            accept: 'text/event-stream',
            ...(lastEventId !== null && { 'last-event-id': lastEventId }),
          },
        },
      },
      'open',
    );
    // The server's clock where it tells it, so that nothing between two connections is missed because ours is wrong.
    state.openedAt ??= new Date(readDate(success.info.headers['date']) ?? Date.now()).toISOString();
    return success;
  }

  async function* items(success: Success): AsyncGenerator<Item> {
    const invalid = (what: string) =>
      invalidResponse(call.operation, success.info, `with an event that is ${what}`);
    try {
      for await (const data of parseEvents(readLive(success, idleTimeout), maxResponseBytes, state)) {
        const item = parseJSON(data, parse);
        if (!isObject(item)) throw invalid('not a JSON object');
        yield item as Item;
      }
    } catch (error) {
      throw error instanceof RangeError ? invalid('too long') : error;
    }
  }
}

/** Recognizes that the server, or a proxy in front of it, is away for a while. */
const isOutage = (error: unknown): boolean =>
  isConnectionError(error) || (isAPIError(error) && (error.status === 502 || error.status === 504));
