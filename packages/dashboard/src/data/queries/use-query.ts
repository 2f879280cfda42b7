import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Answer, cache, type Key } from './query-cache.ts';

/** The loaded data and the state of loading. Reading a field subscribes the component to it. */
export interface Query<T> {
  /** The newest answer; it stays while the next one loads. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Loads again, because a person asked. */
  reload(): void;
  /** Loads again in the background, unless it is being loaded. Never rejects. */
  refresh(): Promise<void>;
  /** Replaces what was loaded, with the answer of a write. */
  set(data: T): void;
}

/**
 * Loads something, and keeps it for the next page that asks with the same key. The key begins with the kind of the answer and names
 * everything that it depends on. After a write to that kind, and when a page shows it again, it is read again in the background.
 * Leaving the page ends the request.
 *
 *     const event = useQuery((signal) => client.events.get(workspace.id, id, { signal }), ['events', workspace.id, id]);
 */
export function useQuery<T>(load: (signal: AbortSignal) => PromiseLike<T>, key: Key): Query<T> {
  const answer = useAnswer(load, key);
  return {
    get data() {
      return answer.data.value;
    },
    get error() {
      return answer.error.value;
    },
    get loading() {
      return answer.loading.value;
    },
    reload: () => void answer.retry(),
    refresh: () => answer.refresh(),
    set: (data) => answer.set(data),
  };
}

/** The answer of a key, kept up to date for as long as the component is there. */
export function useAnswer<T>(load: (signal: AbortSignal) => PromiseLike<T>, key: Key): Answer<T> {
  const name = JSON.stringify(key);
  const answer = useMemo(() => cache.answer<T>(key), [name]);
  const newest = useRef(load);
  useEffect(() => {
    newest.current = load;
  });
  useEffect(() => answer.watch((signal) => newest.current(signal)), [answer]);
  return answer;
}
