import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { onScroll, scrolled, scrollPage } from '../shell/scroller.ts';

/** Items that come while a list is open, newest first. */
export interface Arrivals<Item> {
  /** The arrivals that are shown above the list that was loaded. */
  readonly shown: readonly Item[];
  /** The number of arrivals held back, since they would move the list under its reader. */
  readonly waiting: number;
  readonly paused: boolean;
  add(item: Item): void;
  pause(): void;
  /** Shows what waits, and ends a pause. */
  show(): void;
}

interface ArrivalsOptions<Item> {
  readonly idOf: (item: Item) => string;
  /** The list that was loaded. */
  readonly loaded: readonly Item[] | undefined;
  /** Loads it anew: called when more has come than is kept here. */
  readonly reload: () => void;
  /** Everything is forgotten when it changes. */
  readonly key: string;
}

/** Things come one by one; the page changes this often at most. */
const BATCH_MS = 250;
const KEPT_MAX = 300;
/** Scrolled further than this, the person is reading. */
const TOP_PX = 120;

/** Adds arrivals at the top of a list, unless somebody is reading it or has paused it. */
export function useArrivals<Item>({ idOf, loaded, reload, key }: ArrivalsOptions<Item>): Arrivals<Item> {
  const shown = useSignal<readonly Item[]>([]);
  const waiting = useSignal<readonly Item[]>([]);
  const paused = useSignal(false);
  const batch = useRef<{ items: Item[]; timer?: ReturnType<typeof setTimeout> | undefined }>({ items: [] });
  const known = useMemo(() => new Set(loaded?.map(idOf)), [loaded]);

  useMemo(() => {
    shown.value = [];
    waiting.value = [];
    batch.current.items = [];
  }, [key]);
  const head = loaded?.[0] && idOf(loaded[0]);
  const before = useRef(head);
  // A list that was loaded anew has them, or goes on from later ones; one that has grown at its end leaves them alone.
  useMemo(() => {
    const anew = before.current !== undefined && before.current !== head;
    before.current = head;
    const newer = (items: readonly Item[]): readonly Item[] => {
      const end = items.findIndex((item) => known.has(idOf(item)));
      if (end === -1) return anew ? [] : items;
      return items.slice(0, end);
    };
    shown.value = newer(shown.value);
    waiting.value = newer(waiting.value);
  }, [known]);

  function put(items: readonly Item[]): void {
    waiting.value = [];
    if (items.length + shown.value.length <= KEPT_MAX) {
      shown.value = [...items, ...shown.value];
      return;
    }
    shown.value = [];
    reload();
  }
  function flush(): void {
    const { items } = batch.current;
    batch.current = { items: [] };
    const next = [...items.toReversed(), ...waiting.value];
    if (next.length === 0) return;
    if (paused.value || isReading()) waiting.value = next;
    else put(next);
  }
  const newest = useRef(flush);
  newest.current = flush;
  useEffect(() => {
    const stop = onScroll(() => {
      if (waiting.value.length > 0) newest.current();
    });
    return () => {
      stop();
      clearTimeout(batch.current.timer);
    };
  }, []);

  return {
    get shown() {
      return shown.value;
    },
    get waiting() {
      return waiting.value.length;
    },
    get paused() {
      return paused.value;
    },
    add(item) {
      const id = idOf(item);
      const has = (items: readonly Item[]): boolean => items.some((other) => idOf(other) === id);
      if (known.has(id) || has(batch.current.items) || has(waiting.value) || has(shown.value)) return;
      batch.current.items.push(item);
      batch.current.timer ??= setTimeout(() => newest.current(), BATCH_MS);
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

/** Reports whether rows that move would be in somebody's way. */
function isReading(): boolean {
  if (scrolled() > TOP_PX || getSelection()?.isCollapsed === false) return true;
  return document.activeElement?.closest('tbody, .ev') != null;
}
