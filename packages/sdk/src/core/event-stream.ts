import type { Call } from './call.ts';
import type { StreamState } from './engine.ts';
import type { StreamOptions } from './options.ts';
import type { Requester } from './requester.ts';

/**
 * Events as they come, without end. A lost connection is resumed after the last event that was seen, with the waits of the
 * retry rules. Specification, "Retry rules" 2; docs/decisions/bounds.md. Leaving the loop or aborting the signal ends the
 * stream. Iterating it again continues where it ended.
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
  readonly #state: StreamState;

  /** @internal */
  constructor(requester: Requester, call: Call, options: StreamOptions = {}) {
    const lastEventId = options.lastEventId ?? null;
    this.#state = { requester, call, options, lastEventId, openedAt: undefined, reconnectMs: 0 };
  }

  /** Id of the last event that was seen; `null` before the first. Pass it to another stream to continue after it. */
  get lastEventId(): string | null {
    return this.#state.lastEventId;
  }

  /**
   * The events, each once.
   *
   * @throws {@link APIError} when the server refuses the stream, {@link AbortError} when the signal ends it.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { followEvents } = await this.#state.requester.runner();
    yield* followEvents<Item>(this.#state);
  }
}
