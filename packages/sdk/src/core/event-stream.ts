import { parseEvents } from '../internal/sse.ts';
import type { Call } from './call.ts';
import { aborted, ConnectionError, InvalidResponseError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { readLive } from './read-live.ts';
import type { Requester } from './requester.ts';
import { retryDelay } from './retry-policy.ts';
import type { Success } from './round-trip.ts';

/**
 * What can be set for a stream. `timeout` and `maxRetries` apply to each connecting.
 *
 * @example
 * ```ts
 * const stream = client.events.stream(workspaceId, {}, { lastEventId: 'evt_…', idleTimeout: 60_000 });
 * ```
 */
export interface StreamOptions extends Omit<RequestOptions, 'idempotencyKey' | 'totalTimeout'> {
  /** Goes on after this event: the `lastEventId` of an earlier stream. */
  lastEventId?: string | undefined;
  /**
   * Milliseconds of silence after which the connection counts as lost. The server sends a sign of life more often.
   *
   * @default 30_000
   */
  idleTimeout?: number | undefined;
}

/** The server sends a comment every 10 seconds. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Events as they come, without end: a lost connection is resumed after the last event that was seen, with waits as the
 * retry rules say. Iterate it; leaving the loop or aborting the signal ends it. It can be iterated again, and goes on.
 *
 * @example
 * ```ts
 * const stream = client.events.stream(workspaceId, { type: 'push' });
 * for await (const event of stream) {
 *   console.log(stream.lastEventId, event.source, event.summary.text);
 * }
 * ```
 */
export class EventStream<Item> implements AsyncIterable<Item> {
  readonly #requester: Requester;
  readonly #call: Call;
  readonly #options: StreamOptions;
  #lastEventId: string | null;
  /** Where to begin when a connection ends before its first event. */
  #openedAt: string | undefined;
  /** What the server wishes for; the retry rules ask for more. */
  #reconnectMs = 0;

  /** @internal */
  constructor(requester: Requester, call: Call, options: StreamOptions = {}) {
    this.#requester = requester;
    this.#call = call;
    this.#options = options;
    this.#lastEventId = options.lastEventId ?? null;
  }

  /** Id of the last event that was seen; `null` before the first. Pass it to another stream to go on after it. */
  get lastEventId(): string | null {
    return this.#lastEventId;
  }

  /**
   * The events, each once.
   *
   * @throws {@link APIError} when the server refuses the stream, {@link AbortError} when the signal ends it.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { signal } = this.#options;
    for (let failures = 0, opened = false; ; failures++, opened = true) {
      const connected = await this.#connect(opened);
      // As the HTML standard has it: 204 tells not to come back.
      if (connected.info.status === 204) return connected.connection.close();
      try {
        for await (const item of this.#items(connected)) {
          failures = 0;
          yield item;
        }
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
      }
      await this.#waitToReconnect(failures);
      if (signal?.aborted) throw aborted('The stream', signal.reason);
    }
  }

  /** A first connecting fails like any call; a stream that once was open is not given up for an outage. */
  async #connect(reconnect: boolean): Promise<Success> {
    const { lastEventId: _from, idleTimeout: _idle, headers, ...options } = this.#options;
    const resume = this.#lastEventId === null ? {} : { 'last-event-id': this.#lastEventId };
    const success = await this.#requester.open({
      ...this.#call,
      query: { ...(this.#lastEventId === null && { since: this.#openedAt }), ...this.#call.query },
      options: {
        ...options,
        ...(reconnect && { maxRetries: Infinity }),
        headers: { accept: 'text/event-stream', ...headers, ...resume },
      },
    });
    // The server's clock, so that nothing between the two connections is missed because ours is wrong.
    const date = Date.parse(success.info.headers['date'] ?? '');
    if (date) this.#openedAt ??= new Date(date).toISOString();
    return success;
  }

  async *#items(success: Success): AsyncGenerator<Item> {
    const chunks = readLive(success, this.#options.idleTimeout ?? IDLE_TIMEOUT_MS);
    const messages = parseEvents(chunks, {
      maxLength: this.#requester.config.maxResponseBytes,
      onRetry: (ms) => {
        this.#reconnectMs = ms;
      },
      onId: (id) => {
        this.#lastEventId = id;
      },
    });
    try {
      for await (const { data } of messages) yield JSON.parse(data) as Item;
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      throw new InvalidResponseError(
        `The stream sent an event that cannot be read: ${error.message}`,
        success.info,
      );
    }
  }

  async #waitToReconnect(failures: number): Promise<void> {
    const { clock, log } = this.#requester.config;
    const wait = Math.max(this.#reconnectMs, retryDelay(failures, null, clock.random()));
    log('info', `${this.#call.operation} will reconnect`, { wait_ms: Math.round(wait) });
    await clock.sleep(wait, this.#options.signal);
  }
}
