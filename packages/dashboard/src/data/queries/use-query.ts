import { useEffect, useMemo, useRef } from 'preact/hooks';
import { cache, type CachedQuery, type Key } from './query-cache.ts';

/** The loaded data and the state of loading. Reading a field subscribes the component to it. */
export interface Query<T> {
  /** The newest data; it stays while the next response loads. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Loads again, because a person asked. */
  reload(): void;
  /** Loads again in the background, unless it is being loaded. Never rejects. */
  refresh(): Promise<void>;
  /** Replaces what was loaded with the response of a write. */
  set(data: T): void;
}

/**
 * Loads something, and keeps it for the next page that asks with the same key. The key begins with the kind of the data and names
 * everything that it depends on. After a write to that kind, and when a page shows it again, it is loaded again in the background.
 * Leaving the page ends the request.
 *
 *     const event = useQuery((signal) => client.events.get(workspace.id, id, { signal }), ['events', workspace.id, id]);
 */
export function useQuery<T>(load: (signal: AbortSignal) => PromiseLike<T>, key: Key): Query<T> {
  const query = useCachedQuery(load, key);
  return {
    get data() {
      return query.data.value;
    },
    get error() {
      return query.error.value;
    },
    get loading() {
      return query.loading.value;
    },
    reload: () => void query.retry(),
    refresh: () => query.refresh(),
    set: (data) => query.set(data),
  };
}

/** The query of a key, kept up to date for as long as the component is mounted. */
export function useCachedQuery<T>(load: (signal: AbortSignal) => PromiseLike<T>, key: Key): CachedQuery<T> {
  const name = JSON.stringify(key);
  const query = useMemo(() => cache.query<T>(key), [name]);
  const newest = useRef(load);
  useEffect(() => {
    newest.current = load;
  });
  useEffect(() => query.watch((signal) => newest.current(signal)), [query]);
  return query;
}
