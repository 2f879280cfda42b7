import { isAbortError, type Page } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

/** A list that grows page by page. Reading a field subscribes the component to it. */
export interface Pages<Item> {
  /** The items so far; `undefined` before the first page. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  readonly hasMore: boolean;
  /** Reads the next page. */
  loadMore(): void;
  /** Begins anew; the items stay until the first page has come. */
  reload(): void;
  /** Changes the items here, after a write or for an event that has just come. */
  update(change: (items: readonly Item[]) => readonly Item[]): void;
}

/**
 * Pages of a list of the SDK, from the first again whenever one of `inputs` changes.
 *
 *     const members = usePages((signal) => client.members.list(workspace.id, { limit: 50 }, { signal }), [workspace.id]);
 */
export function usePages<Item>(
  list: (signal: AbortSignal) => PromiseLike<Page<Item>>,
  inputs: readonly (string | number | boolean | null | undefined)[],
): Pages<Item> {
  const items = useSignal<readonly Item[] | undefined>(undefined);
  const last = useSignal<Page<Item> | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const loading = useSignal(true);
  const round = useSignal(0);
  const abort = useRef(new AbortController());
  const key = JSON.stringify(inputs);

  useMemo(() => {
    items.value = undefined;
    last.value = undefined;
    error.value = undefined;
  }, [key]);

  async function read(next: PromiseLike<Page<Item> | null>, signal: AbortSignal): Promise<void> {
    loading.value = true;
    try {
      let page = await next;
      const begins = page?.cursor === null;
      // A page can be empty though there is more: the server looks at a part of a long history for each request.
      while (page?.data.length === 0 && page.nextCursor !== null && !signal.aborted)
        page = await page.nextPage();
      if (signal.aborted) return;
      error.value = undefined;
      if (page) {
        items.value = begins ? page.data : [...(items.value ?? []), ...page.data];
        last.value = page;
      }
    } catch (reason) {
      if (signal.aborted || isAbortError(reason)) return;
      error.value = reason;
    }
    loading.value = false;
  }

  useEffect(() => {
    const current = new AbortController();
    abort.current = current;
    void read(list(current.signal), current.signal);
    return () => current.abort();
  }, [key, round.value]);

  return {
    get items() {
      return items.value;
    },
    get error() {
      return error.value;
    },
    get loading() {
      return loading.value;
    },
    get hasMore() {
      return last.value?.nextCursor != null;
    },
    loadMore: () => {
      if (last.value && !loading.value) void read(last.value.nextPage(), abort.current.signal);
    },
    reload: () => {
      round.value++;
    },
    update: (change) => {
      if (items.value) items.value = change(items.value);
    },
  };
}

/** `24`, and `50+` where there is more: the number beside the title of a list. */
export const countNote = ({
  items,
  hasMore,
}: Pick<Pages<unknown>, 'items' | 'hasMore'>): string | undefined =>
  items?.length ? `${items.length}${hasMore ? '+' : ''}` : undefined;
