import { type EventStream, type Hubline, isAbortError, isAPIError, type Middleware } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { client, middleware } from '../../api/client.ts';
import { pause } from './pause.ts';
import { whileVisible } from './while-visible.ts';

/** The state of a stream: `waiting` for its turn, `reconnecting` after a loss, `failed` when the server refuses it. */
export type LiveState = 'waiting' | 'connecting' | 'live' | 'reconnecting' | 'paused' | 'failed';

export interface Live {
  readonly state: LiveState;
  /** The end of the last turn of a stream that waits, in ISO 8601; `undefined` before its first. */
  readonly refreshedAt: string | undefined;
  readonly error: unknown;
  /** Ends the connection. Resuming continues after the last item. */
  pause(): void;
  resume(): void;
}

/** The pause before a stream that could not be opened is opened again. */
const RETRY_MS = 3_000;

interface LiveOptions<Item> {
  /** The stream starts over when one of them changes. */
  readonly inputs: readonly (string | null | undefined)[];
  readonly onItem: (item: Item) => void;
  /** True to follow the stream while the page is visible. It continues after the last item. */
  readonly enabled?: boolean;
}

/**
 * Follows a stream for as long as the component is there.
 *
 *     const live = useLive((client, from) => client.events.stream(workspace.id, { type }, from), {
 *       inputs: [workspace.id, type],
 *       onItem: (event) => events.update((items) => [event, ...items]),
 *     });
 */
export function useLive<Item>(
  open: (
    client: Hubline,
    from: { lastEventId: string | undefined; signal: AbortSignal },
  ) => EventStream<Item>,
  { inputs, onItem, enabled = true }: LiveOptions<Item>,
): Live {
  const state = useSignal<LiveState>('waiting');
  const refreshedAt = useSignal<string>();
  const error = useSignal<unknown>();
  const paused = useSignal(false);
  const key = JSON.stringify(inputs);
  const seen = useRef<{ key: string; lastEventId: string | undefined }>({ key, lastEventId: undefined });
  const newest = useRef(onItem);
  useEffect(() => {
    newest.current = onItem;
  });

  useEffect(() => {
    if (paused.value || !enabled) {
      state.value = 'paused';
      return undefined;
    }
    // A position under other inputs does not apply.
    if (seen.current.key !== key) {
      seen.current = { key, lastEventId: undefined };
      refreshedAt.value = undefined;
    }
    state.value = 'waiting';
    const watched = client.withOptions({
      middleware: [...middleware, watch((next) => (state.value = next))],
    });

    async function follow(signal: AbortSignal): Promise<void> {
      state.value = 'connecting';
      signal.addEventListener('abort', () => {
        if (state.value === 'live') refreshedAt.value = new Date().toISOString();
        state.value = 'waiting';
      });
      while (!signal.aborted) {
        try {
          const stream = open(watched, { lastEventId: seen.current.lastEventId, signal });
          for await (const item of stream) {
            seen.current.lastEventId = stream.lastEventId ?? undefined;
            newest.current(item);
          }
          return;
        } catch (reason) {
          if (signal.aborted || isAbortError(reason)) return;
          error.value = reason;
          // A refusal is final. A server that is not back yet, or is overloaded, is asked again.
          const refused = isAPIError(reason) && reason.status < 500 && reason.status !== 429;
          state.value = refused ? 'failed' : 'reconnecting';
          if (refused) return;
          await pause(RETRY_MS, signal);
        }
      }
    }
    return whileVisible(follow);
  }, [key, paused.value, enabled]);

  return {
    get state() {
      return state.value;
    },
    get refreshedAt() {
      return refreshedAt.value;
    },
    get error() {
      return error.value;
    },
    pause: () => {
      paused.value = true;
    },
    resume: () => {
      paused.value = false;
    },
  };
}

/** Watches the bytes of the stream begin and end, because the SDK reconnects silently. */
function watch(onChange: (state: 'live' | 'reconnecting') => void): Middleware {
  return async (request, next) => {
    const response = await next(request);
    const { body } = response;
    if (response.status !== 200 || !body) return response;
    onChange('live');
    async function* watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        yield* bytes;
      } finally {
        if (!request.signal?.aborted) onChange('reconnecting');
      }
    }
    return { ...response, body: watched(body) };
  };
}
