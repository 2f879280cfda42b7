import { isAbortError, type Page } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Key } from './query-cache.ts';
import { useCachedQuery } from './use-query.ts';

/** A list that grows page by page. Reading a field subscribes the component to it. */
export interface Pages<Item> {
  /** The items so far; `undefined` before the first page. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  /** The next page is on its way. While the list is only read again, one can ask for it. */
  readonly loading: boolean;
  readonly hasMore: boolean;
  /** The number of requests so far: more than one for each page if some were empty. */
  readonly requests: number;
  /** Reads the next page. */
  loadMore(): void;
  /** Starts over, because a person asked; the items stay until the first page has loaded. */
  reload(): void;
  /** Reads all loaded pages again in the background, unless they are being read. Never rejects. */
  refresh(): Promise<void>;
  /** Changes the loaded items, after a write or when an event has just arrived. */
  update(change: (items: readonly Item[]) => readonly Item[]): void;
}

/** The pages that were read so far. */
interface Read<Item> {
  readonly items: readonly Item[];
  readonly last: Page<Item>;
  readonly pages: number;
  readonly requests: number;
}

/**
 * Loads a list of the SDK page by page, and keeps it for the next view that asks with the same key. All loaded pages are read again
 * when the list may have changed.
 *
 *     const members = usePages(
 *       (signal) => client.members.list(workspace.id, { limit: 50 }, { signal }),
 *       ['members', workspace.id],
 *     );
 */
export function usePages<Item>(
  list: (signal: AbortSignal) => PromiseLike<Page<Item>>,
  key: Key,
): Pages<Item> {
  const startsOver = useRef(false);
  const query = useCachedQuery<Read<Item>>(
    async (signal) => {
      const isNew = startsOver.current;
      startsOver.current = false;
      // Somebody may load more meanwhile.
      const wanted = () => (isNew ? 1 : (query.data.peek()?.pages ?? 1));
      let read = await readOn(undefined, list(signal), signal);
      while (read.pages < wanted() && read.last.nextCursor !== null && !signal.aborted)
        read = await readOn(read, read.last.nextPage(), signal);
      return read;
    },
    [...key, 'pages'],
  );
  const more = useSignal<{ readonly loading: boolean; readonly error: unknown }>(IDLE);
  const leaving = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    leaving.current = abort;
    more.value = IDLE;
    return () => abort.abort();
  }, [query]);

  async function loadMore(): Promise<void> {
    const signal = leaving.current?.signal;
    if (!signal || more.peek().loading) return;
    more.value = { loading: true, error: undefined };
    try {
      for (let before = query.data.peek(); before;) {
        const read = await readOn(before, before.last.nextPage(), signal);
        if (signal.aborted) return;
        const now = query.data.peek();
        if (now?.last === before.last) {
          query.set({ ...read, items: [...now.items, ...read.items.slice(before.items.length)] });
          break;
        }
        // The list was read again in the meantime, and this page may not follow it.
        before = now;
      }
      more.value = IDLE;
    } catch (error) {
      if (!signal.aborted && !isAbortError(error)) more.value = { loading: false, error };
    }
  }

  return {
    get items() {
      return query.data.value?.items;
    },
    get error() {
      return query.error.value ?? more.value.error;
    },
    get loading() {
      return more.value.loading;
    },
    get requests() {
      return query.data.value?.requests ?? 0;
    },
    get hasMore() {
      return query.data.value?.last.nextCursor != null;
    },
    loadMore: () => void loadMore(),
    reload: () => {
      startsOver.current = true;
      more.value = IDLE;
      void query.retry();
    },
    refresh: () => query.refresh(),
    update: (change) => {
      const now = query.data.peek();
      if (now) query.set({ ...now, items: change(now.items) });
    },
  };
}

const IDLE = { loading: false, error: undefined } as const;

/** Requests for one page: about a second. To look further back, people press a button. */
const REQUESTS_MAX = 20;

/** Reads one page more than `before`. */
async function readOn<Item>(
  before: Read<Item> | undefined,
  next: PromiseLike<Page<Item> | null>,
  signal: AbortSignal,
): Promise<Read<Item>> {
  let page = await next;
  let requests = 1;
  // A page can be empty though there is more: the server looks at a part of a long history for each request.
  for (; page?.data.length === 0 && page.nextCursor !== null && requests < REQUESTS_MAX; requests++) {
    if (signal.aborted) break;
    page = await page.nextPage();
  }
  if (!page) {
    if (!before) throw new Error('A list has a first page.');
    return before;
  }
  const { items = [], pages = 0, requests: asked = 0 } = before ?? {};
  return { items: [...items, ...page.data], last: page, pages: pages + 1, requests: asked + requests };
}

/** `24`, and `50+` where there is more: the number beside the title of a list. */
export const countNote = ({
  items,
  hasMore,
}: Pick<Pages<unknown>, 'items' | 'hasMore'>): string | undefined =>
  items?.length ? `${items.length}${hasMore ? '+' : ''}` : undefined;
