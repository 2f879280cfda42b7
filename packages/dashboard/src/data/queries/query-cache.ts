import { isAbortError, isAPIError } from '@hubline/sdk';
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { visible } from '../live/use-visible.ts';

/** The kinds of data. A change to one invalidates every query of its kind. */
export type Subject =
  | 'api-keys'
  | 'audit-log'
  | 'automations'
  | 'backups'
  | 'deliveries'
  | 'events'
  | 'health'
  | 'integrations'
  | 'members'
  | 'me'
  | 'notification-log'
  | 'notification-rules'
  | 'notification-templates'
  | 'notifications'
  | 'oauth-apps'
  | 'providers'
  | 'recoveries'
  | 'stats'
  | 'webhooks'
  | 'workspaces';

/** The key of a query: its kind, and everything that its data depends on. Two queries with one key are the same. */
export type Key = readonly [Subject, ...(string | number | boolean | null | undefined)[]];

type Load<T> = (signal: AbortSignal) => PromiseLike<T>;

/** Data younger than this is not loaded again when another part of the page shows it, too. */
const FRESH_MS = 1_000;
/** The number of queries that are kept; those of the open page are never dropped. */
const KEPT = 80;
/** The pauses between retries while the server does not respond. */
const RETRY_MS = [2_000, 5_000, 15_000] as const;

/** A query whose data is kept, and the state of loading it. */
export class CachedQuery<T> {
  readonly #data = signal<T | undefined>(undefined);
  readonly #error = signal<unknown>(undefined);
  readonly #loading = signal(true);
  readonly #watchers: Load<T>[] = [];
  #loadedAt = -Infinity;
  #request: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #failures = 0;
  /** The data is that of an earlier user or role. */
  #isForeign = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The newest data; it stays while the next response loads. */
  get data(): ReadonlySignal<T | undefined> {
    return this.#data;
  }
  /** A failure to show. While older data is shown, a short outage of the server is not a failure. */
  get error(): ReadonlySignal<unknown> {
    return this.#error;
  }
  get loading(): ReadonlySignal<boolean> {
    return this.#loading;
  }
  get isWatched(): boolean {
    return this.#watchers.length > 0;
  }

  /** Keeps the data up to date until the returned function is called. The last watcher to leave ends the request. */
  watch(load: Load<T>): () => void {
    const isShared = this.isWatched && Date.now() - this.#loadedAt < FRESH_MS;
    this.#watchers.push(load);
    if (!isShared) void this.refresh();
    return () => {
      this.#watchers.splice(this.#watchers.indexOf(load), 1);
      if (this.isWatched) return;
      this.#stop();
      if (this.#isForeign) this.#data.value = this.#error.value = undefined;
    };
  }

  /** Loads the data; joins a request that is under way. Never rejects. */
  refresh(): Promise<void> {
    return this.#request?.done ?? this.#load(false);
  }

  /** Loads the data after a change; ends a request under way, whose response may be older. Never rejects. */
  reload(): Promise<void> {
    return this.#load(false);
  }

  /** Loads the data because a person asked, and shows them every failure. Never rejects. */
  retry(): Promise<void> {
    return this.#load(true);
  }

  /** Replaces the data with the response of a write. */
  set(data: T): void {
    this.#data.value = data;
  }

  /** Loads the data again because it may have changed: now if it is shown, otherwise when it is shown next. */
  invalidate(): void {
    this.#loadedAt = -Infinity;
    if (this.isWatched) void this.reload();
  }

  /** Loads the data of another user or role. The page keeps the earlier data until then; no other page shows it. */
  renew(): void {
    this.disown();
    this.invalidate();
  }

  /** Keeps the data for the open page alone: no other page shows it. */
  disown(): void {
    this.#isForeign = true;
  }

  #stop(): void {
    this.#request?.abort.abort();
    this.#request = undefined;
    clearTimeout(this.#timer);
  }

  #load(byPerson: boolean): Promise<void> {
    this.#stop();
    const load = this.#watchers.at(-1);
    if (!load) return Promise.resolve();
    const abort = new AbortController();
    this.#loading.value = true;
    this.#request = { abort, done: this.#run(load, abort.signal, byPerson) };
    return this.#request.done;
  }

  async #run(load: Load<T>, ends: AbortSignal, byPerson: boolean): Promise<void> {
    try {
      // A query that throws is treated like one that rejects.
      const data = await Promise.resolve().then(() => load(ends));
      if (ends.aborted) return;
      this.#loadedAt = Date.now();
      this.#failures = 0;
      this.#isForeign = false;
      batch(() => {
        this.#data.value = data;
        this.#error.value = undefined;
      });
    } catch (reason) {
      if (ends.aborted || isAbortError(reason)) return;
      const isTransient = mayPass(reason);
      if (byPerson || !isTransient || this.#data.peek() === undefined) this.#error.value = reason;
      if (isTransient) {
        const pause = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)];
        this.#timer = setTimeout(() => void this.refresh(), pause);
      }
    }
    this.#request = undefined;
    this.#loading.value = false;
  }
}

/** A POST to these paths changes no list, or only a row that the page updates itself: the other rows must not move. */
const ASKS = /\/(?:preview|test|test-filters)$|\/deliveries\/[^/]+\/retry$/;

/** Reports whether the same query may succeed soon. */
const mayPass = (reason: unknown): boolean =>
  !isAPIError(reason) || reason.status >= 500 || reason.status === 429;

/** The queries by their keys, kept from page to page. */
export class QueryCache {
  readonly #queries = new Map<string, CachedQuery<unknown>>();

  /** The query of a key, which may not be loaded yet. All callers with one key share it, so the key must imply its type. */
  query<T>(key: Key): CachedQuery<T> {
    const name = JSON.stringify(key);
    const query = this.#queries.get(name) ?? new CachedQuery<unknown>();
    // Keeps the queries in the order of their last use.
    this.#queries.delete(name);
    this.#queries.set(name, query);
    this.#trim();
    return query as CachedQuery<T>;
  }

  /** Invalidates the queries of these kinds. */
  invalidate(...subjects: readonly Subject[]): void {
    for (const [name, query] of this.#queries)
      if (subjects.some((subject) => name.startsWith(`["${subject}"`))) query.invalidate();
  }

  /** Invalidates the queries of the kinds in the path of a write. */
  written(path: string): void {
    if (ASKS.test(path)) return;
    const parts = new Set(path.split('/'));
    for (const [name, query] of this.#queries) {
      const [subject] = JSON.parse(name) as Key;
      if (parts.has(subject)) query.invalidate();
    }
  }

  /** Invalidates every query, as anything may have changed: the server is back, or the reader is. */
  invalidateAll(except?: Subject): void {
    for (const [name, query] of this.#queries) if (!name.startsWith(`["${except}"`)) query.invalidate();
  }

  /** Forgets the data of an earlier user or role; what is on the page is loaded again. */
  clear(): void {
    for (const [name, query] of this.#queries) {
      if (query.isWatched) query.renew();
      else this.#queries.delete(name);
    }
  }

  /** Forgets everything after a logout. The page that shows it is about to close, or waits for the next login. */
  forget(): void {
    for (const [name, query] of this.#queries) {
      if (query.isWatched) query.disown();
      else this.#queries.delete(name);
    }
  }

  #trim(): void {
    for (const [name, query] of this.#queries) {
      if (this.#queries.size <= KEPT) return;
      if (!query.isWatched) this.#queries.delete(name);
    }
  }
}

/** The cache of this page. What a hidden page shows grows old, and is loaded again when somebody comes back. */
export const cache = new QueryCache();
visible.subscribe((isVisible) => {
  // The list of events catches up by its stream, which holds new rows back from somebody who has scrolled.
  if (isVisible) cache.invalidateAll('events');
});
