import { parseEvents } from '../internal/sse.ts';
import { aborted, ConnectionError, InvalidResponseError } from './errors.ts';
import type { StreamState } from './event-stream.ts';
import { readLive } from './read-live.ts';
import { retryDelay } from './retry-policy.ts';
import type { Success } from './round-trip.ts';

/** The server sends a comment every 10 seconds. */
const IDLE_TIMEOUT_MS = 30_000;

/** Iterates an `EventStream`: connects, and connects again whenever the connection is lost. */
export async function* followEvents<Item>(state: StreamState): AsyncGenerator<Item, void, undefined> {
  const { requester, call, options } = state;
  const { clock, log, maxResponseBytes, parseJSON } = requester.config;
  const { lastEventId: _from, idleTimeout = IDLE_TIMEOUT_MS, headers, ...requestOptions } = options;
  const { signal } = options;

  for (let failures = 0, opened = false; ; failures++, opened = true) {
    const connected = await connect(opened);
    // As the HTML standard has it: 204 tells not to come back.
    if (connected.info.status === 204) return connected.connection.close();
    try {
      for await (const item of items(connected)) {
        failures = 0;
        yield item;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    const wait = Math.max(state.reconnectMs, retryDelay(failures, null, clock.random()));
    log('info', `${call.operation} will reconnect`, { wait_ms: Math.round(wait) });
    await clock.sleep(wait, signal);
    if (signal?.aborted) throw aborted('The stream', signal.reason);
  }

  /** A first connecting fails like any call; a stream that once was open is not given up for an outage. */
  async function connect(again: boolean): Promise<Success> {
    const { lastEventId } = state;
    const success = await requester.open({
      ...call,
      // `??`, not a spread: an explicit `since: undefined` of the caller must not undo it.
      query:
        lastEventId === null ? { ...call.query, since: call.query?.['since'] ?? state.openedAt } : call.query,
      options: {
        ...requestOptions,
        ...(again && { maxRetries: Infinity }),
        headers: {
          accept: 'text/event-stream',
          ...headers,
          ...(lastEventId !== null && { 'last-event-id': lastEventId }),
        },
      },
    });
    // The server's clock, so that nothing between the two connections is missed because ours is wrong.
    const date = Date.parse(success.info.headers['date'] ?? '');
    if (date) state.openedAt ??= new Date(date).toISOString();
    return success;
  }

  async function* items(success: Success): AsyncGenerator<Item> {
    const messages = parseEvents(readLive(success, idleTimeout), maxResponseBytes, state);
    try {
      for await (const data of messages) yield parseJSON(data) as Item;
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      throw new InvalidResponseError(
        `The stream sent an event that cannot be read: ${error.message}`,
        success.info,
      );
    }
  }
}
