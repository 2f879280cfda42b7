import type { Key } from './query-cache.ts';
import { usePoll } from './use-poll.ts';
import { type Query, useQuery } from './use-query.ts';

interface Refreshing<T> {
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
  usePoll(query.refresh, goesOn ? everyMs : undefined);
  return query;
}
