import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { onScroll, scrolled, scrollPage } from '../../shell/scroller.ts';

/** Items that arrive while a list is open, newest first. */
export interface Arrivals<Item> {
  /** The loaded list together with the arrivals that are shown, newest first, each once. */
  readonly items: readonly Item[] | undefined;
  /** The number of arrivals held back, since they would move the list under its reader. */
  readonly waiting: number;
  readonly paused: boolean;
  /** Reports whether to mark an item as new: it arrived with few others, so that the mark means something. */
  isNew(item: Item): boolean;
  add(item: Item): void;
  /** Changes arrivals in place. */
  update(change: (item: Item) => Item): void;
  pause(): void;
  /** Shows the arrivals that were held back, and ends a pause. */
  show(): void;
}

interface ArrivalsOptions<Item> {
  readonly idOf: (item: Item) => string;
  /** Compares two items; the result is negative when the first is newer. */
  readonly compare: (a: Item, b: Item) => number;
  /** The list that was loaded. */
  readonly loaded: readonly Item[] | undefined;
  /** Loads the list again; called when more items have arrived than are kept here. */
  readonly reload: () => void;
  /** All arrivals are forgotten when the key changes. */
  readonly key: string;
}

/** Items arrive one by one; the page changes at most this often, and less often while there are more than anybody can read. */
const BATCH_MS = 250;
const FLOOD_MS = 500;
/** With more arrivals than this, the list is loaded again. */
const KEPT_MAX = 200;
/** With more arrivals than this, none are shown until the list has been loaded again. */
const SHOWN_MAX = 300;
/** More arrivals at once get no marks: marking all of them would say nothing, and cost painting in every frame. */
const MARKED_MAX = 8;
/** A person who has scrolled further than this is reading. */
const TOP_PX = 120;

/** The arrivals since a list was opened. */
interface ArrivalState<Item> {
  readonly shown: Signal<readonly Item[]>;
  /** Those that are held back: the newest of them, and the number of all. */
  readonly waiting: Signal<{ readonly items: readonly Item[]; readonly count: number }>;
  readonly batch: Item[];
  /** The IDs of those that are marked as new. */
  readonly marked: Set<string>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** True after more items arrived at once than can be marked. */
  isFlood: boolean;
}

const NONE = { items: [], count: 0 } as const;

/** Adds arrivals at the top of a list, unless somebody is reading it or has paused it. */
export function useArrivals<Item>({
  idOf,
  compare,
  loaded,
  reload,
  key,
}: ArrivalsOptions<Item>): Arrivals<Item> {
  const state = useMemo<ArrivalState<Item>>(
    () => ({
      shown: signal([]),
      waiting: signal(NONE),
      batch: [],
      marked: new Set(),
      timer: undefined,
      isFlood: false,
    }),
    [key],
  );
  const paused = useSignal(false);
  const { shown, waiting } = state;
  const known = useMemo(() => new Set(loaded?.map(idOf)), [loaded]);
  const items = useMemo(
    () => loaded && withArrivals(loaded, shown.value, { idOf, compare }),
    [loaded, shown.value],
  );
  const isUnknown = (item: Item): boolean => !known.has(idOf(item));
  // The list may have been loaded again since they arrived.
  const held = waiting.value.count - waiting.value.items.filter((item) => !isUnknown(item)).length;

  function put({ items: next, count }: { readonly items: readonly Item[]; readonly count: number }): void {
    waiting.value = NONE;
    if (count > MARKED_MAX) state.marked.clear();
    else for (const item of next) state.marked.add(idOf(item));
    const all = [...next, ...newerThan(loaded ?? [], shown.value, { idOf, compare })];
    const isWhole = count === next.length && all.length <= SHOWN_MAX;
    // They stay until the list is loaded again: rows that leave and return would flicker.
    shown.value = isWhole ? all : [];
    if (isWhole && all.length <= KEPT_MAX) return;
    state.marked.clear();
    reload();
  }
  function flush(): void {
    const fresh = state.batch.splice(0).toReversed();
    state.timer = undefined;
    const next = {
      items: [...fresh, ...waiting.value.items].slice(0, SHOWN_MAX),
      count: fresh.length + waiting.value.count,
    };
    state.isFlood = fresh.length > MARKED_MAX;
    if (next.count === 0) return;
    if (paused.value || isReading()) waiting.value = next;
    else put(next);
  }
  const newest = useRef(flush);
  useEffect(() => {
    newest.current = flush;
  });
  useEffect(
    () =>
      onScroll(() => {
        if (waiting.value.count > 0) newest.current();
      }),
    [state],
  );
  useEffect(() => () => clearTimeout(state.timer), [state]);

  return {
    items,
    waiting: held,
    get paused() {
      return paused.value;
    },
    isNew: (item) => state.marked.has(idOf(item)),
    add(item) {
      const id = idOf(item);
      const has = (others: readonly Item[]): boolean => others.some((other) => idOf(other) === id);
      if (known.has(id) || has(state.batch) || has(waiting.value.items) || has(shown.value)) return;
      state.batch.push(item);
      state.timer ??= setTimeout(() => newest.current(), state.isFlood ? FLOOD_MS : BATCH_MS);
    },
    update(change) {
      const { items: held, count } = waiting.peek();
      shown.value = shown.peek().map(change);
      waiting.value = { items: held.map(change), count };
    },
    pause() {
      paused.value = true;
    },
    show() {
      paused.value = false;
      scrollPage(0);
      put(waiting.value);
    },
  };
}

/** A list with arrivals in their places, each once. Arrivals older than the whole loaded list belong to a page that is not loaded. */
export function withArrivals<Item>(
  loaded: readonly Item[],
  arrived: readonly Item[],
  { idOf, compare }: Pick<ArrivalsOptions<Item>, 'idOf' | 'compare'>,
): readonly Item[] {
  const more = newerThan(loaded, arrived, { idOf, compare });
  return more.length === 0 ? loaded : [...more, ...loaded].toSorted(compare);
}

/** The arrivals that a loaded list does not have, and that do not belong to a page after it. */
function newerThan<Item>(
  loaded: readonly Item[],
  arrived: readonly Item[],
  { idOf, compare }: Pick<ArrivalsOptions<Item>, 'idOf' | 'compare'>,
): readonly Item[] {
  const known = new Set(loaded.map(idOf));
  const last = loaded.at(-1);
  return arrived.filter((item) => !known.has(idOf(item)) && (last === undefined || compare(item, last) < 0));
}

/** Reports whether moving rows would disturb the reader. */
function isReading(): boolean {
  if (scrolled() > TOP_PX || getSelection()?.isCollapsed === false) return true;
  return document.activeElement?.closest('tbody, .ev') != null;
}
