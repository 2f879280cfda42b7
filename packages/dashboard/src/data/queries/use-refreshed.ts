import type { Key } from './query-cache.ts';
import { usePoll } from './use-poll.ts';
import { type Query, useQuery } from './use-query.ts';

/** A list of at most this many items is read again at each interval. */
const ITEMS = 500;

interface Refreshing<T> {
  /** The interval, in milliseconds. A longer list is read less often: its requests count toward the rate limit. */
  readonly everyMs: number;
  /** Reports whether the data will not change anymore. */
  readonly isDone?: (data: T) => boolean;
}

/**
 * `useQuery`, kept up to date while the window is visible.
 *
 *     const recovery = useRefreshed((signal) => client.recoveries.get(ID, { signal }), ['recoveries', id], {
 *       everyMs: 1_000,
 *       isDone: ({ completed_at }) => completed_at !== null,
 *     });
 */
export function useRefreshed<T>(
  load: (signal: AbortSignal) => PromiseLike<T>,
  key: Key,
  { everyMs, isDone }: Refreshing<T>,
): Query<T> {
  const query = useQuery(load, key);
  const { data } = query;
  const goesOn = data !== undefined && isDone?.(data) !== true;
  const length = Array.isArray(data) ? data.length : 0;
  usePoll(query.refresh, goesOn ? everyMs * Math.max(1, length / ITEMS) : undefined);
  return query;
}
