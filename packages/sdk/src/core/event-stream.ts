import type { Call } from './call.ts';
import type { StreamState } from './engine.ts';
import type { StreamOptions } from './options.ts';
import type { Requester } from './requester.ts';

/**
 * Events as they come, without end. A lost connection is resumed after the last event that was seen, with the waits of the
 * retry rules. Specification, "Retry rules" 2; docs/decisions/bounds.md. Leaving the loop, ending its iterator (as
 * `Readable.from(stream).destroy()` does) or aborting the signal ends the stream at once. Iterating it again continues where it ended.
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
    this.#state = { requester, call, options, lastEventId: options.lastEventId ?? null, reconnectMs: 0 };
  }

  /** ID of the last event that was seen; `null` before the first. Pass it to another stream to continue after it. */
  get lastEventId(): string | null {
    return this.#state.lastEventId;
  }

  /**
   * The events, each once.
   *
   * @throws {@link APIError} when the server refuses the stream, {@link AbortError} when the signal ends it.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const end = new AbortController();
    const events = follow<Item>(this.#state, end.signal);
    // A generator that waits for an event would end only after it, and keep its connection until then, which may be forever.
    for (const how of ['return', 'throw'] as const) {
      const finish = events[how].bind(events);
      events[how] = (value) => (end.abort(), finish(value));
    }
    return events;
  }
}

/** Follows the events until `end` aborts. */
async function* follow<Item>(state: StreamState, end: AbortSignal): AsyncGenerator<Item, void, undefined> {
  const { followEvents } = await state.requester.runner();
  yield* followEvents<Item>(state, end);
}
