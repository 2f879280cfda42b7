import { isAbortError, isAPIError } from '@hubline/sdk';
import { batch, type ReadonlySignal, signal } from '@preact/signals';

/** The kinds of answers. A change to one invalidates every answer of its kind. */
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

/** The key of an answer: everything that it depends on. Two queries with one key are the same. */
export type Key = readonly [Subject, ...(string | number | boolean | null | undefined)[]];

type Load<T> = (signal: AbortSignal) => PromiseLike<T>;

/** An answer younger than this is not asked for again when another part of the page shows it too. */
const FRESH_MS = 1_000;
/** The number of answers that are kept; those of the open page are never dropped. */
const KEPT = 80;
/** The pauses before a server that cannot answer is asked again. */
const AGAIN_MS = [2_000, 5_000, 15_000] as const;

/** One answer of the server, and the state of asking for it. */
export class Answer<T> {
  readonly #data = signal<T | undefined>(undefined);
  readonly #error = signal<unknown>(undefined);
  readonly #loading = signal(true);
  readonly #watchers: Load<T>[] = [];
  #readAt = -Infinity;
  #reading: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The newest answer; it stays while the next one loads. */
  get data(): ReadonlySignal<T | undefined> {
    return this.#data;
  }
  /** A failure to show. A short outage of the server is none while an older answer is shown. */
  get error(): ReadonlySignal<unknown> {
    return this.#error;
  }
  get loading(): ReadonlySignal<boolean> {
    return this.#loading;
  }
  get isWatched(): boolean {
    return this.#watchers.length > 0;
  }

  /** Keeps the answer up to date until the returned function is called. The last watcher to leave ends the request. */
  watch(load: Load<T>): () => void {
    const isShared = this.isWatched && Date.now() - this.#readAt < FRESH_MS;
    this.#watchers.push(load);
    if (!isShared) void this.refresh();
    return () => {
      this.#watchers.splice(this.#watchers.indexOf(load), 1);
      if (this.isWatched) return;
      this.#stop();
    };
  }

  /** Reads the answer; joins a request that is under way. Never rejects. */
  refresh(): Promise<void> {
    return this.#reading?.done ?? this.#read(false);
  }

  /** Reads the answer after a change; ends a request under way, which may be older. Never rejects. */
  reload(): Promise<void> {
    return this.#read(false);
  }

  /** Reads the answer because a person asked, and shows them every failure. Never rejects. */
  retry(): Promise<void> {
    return this.#read(true);
  }

  /** Replaces the answer with that of a write. */
  set(data: T): void {
    this.#data.value = data;
  }

  /** Reads the answer again because it may have changed: now if it is shown, otherwise when it is shown next. */
  invalidate(): void {
    this.#readAt = -Infinity;
    if (this.isWatched) void this.reload();
  }

  #stop(): void {
    this.#reading?.abort.abort();
    this.#reading = undefined;
    clearTimeout(this.#timer);
  }

  #read(asked: boolean): Promise<void> {
    this.#stop();
    const load = this.#watchers.at(-1);
    if (!load) return Promise.resolve();
    const abort = new AbortController();
    this.#loading.value = true;
    this.#reading = { abort, done: this.#run(load, abort.signal, asked) };
    return this.#reading.done;
  }

  async #run(load: Load<T>, ends: AbortSignal, asked: boolean): Promise<void> {
    try {
      // A query that throws is treated like one that rejects.
      const data = await Promise.resolve().then(() => load(ends));
      if (ends.aborted) return;
      this.#readAt = Date.now();
      this.#failures = 0;
      batch(() => {
        this.#data.value = data;
        this.#error.value = undefined;
      });
    } catch (reason) {
      if (ends.aborted || isAbortError(reason)) return;
      const passes = isPassing(reason);
      if (asked || !passes || this.#data.peek() === undefined) this.#error.value = reason;
      if (passes) {
        const pause = AGAIN_MS[Math.min(this.#failures++, AGAIN_MS.length - 1)];
        this.#timer = setTimeout(() => void this.refresh(), pause);
      }
    }
    this.#reading = undefined;
    this.#loading.value = false;
  }
}

/** A POST to these paths changes no list, or only a row that the page updates itself: the other rows must not move. */
const ASKS = /\/(?:preview|test|test-filters)$|\/deliveries\/[^/]+\/retry$/;

/** Reports whether the same query may succeed soon. */
const isPassing = (reason: unknown): boolean =>
  !isAPIError(reason) || reason.status >= 500 || reason.status === 429;

/** The answers of the server by their keys, kept from page to page. */
export class QueryCache {
  readonly #answers = new Map<string, Answer<unknown>>();

  /** The answer of a key, which may not be loaded yet. All callers with one key share it, so the key must imply its type. */
  answer<T>(key: Key): Answer<T> {
    const name = JSON.stringify(key);
    const answer = this.#answers.get(name) ?? new Answer<unknown>();
    // Keeps the answers in the order of their last use.
    this.#answers.delete(name);
    this.#answers.set(name, answer);
    this.#trim();
    return answer as Answer<T>;
  }

  /** Invalidates the answers of these kinds. */
  invalidate(...subjects: readonly Subject[]): void {
    for (const [name, answer] of this.#answers)
      if (subjects.some((subject) => name.startsWith(`["${subject}"`))) answer.invalidate();
  }

  /** Invalidates the answers of the kinds in the path of a write. */
  written(path: string): void {
    if (ASKS.test(path)) return;
    const parts = new Set(path.split('/'));
    for (const [name, answer] of this.#answers) {
      const [subject] = JSON.parse(name) as Key;
      if (parts.has(subject)) answer.invalidate();
    }
  }

  /** Invalidates every answer: the server is back, and anything may have changed. */
  invalidateAll(): void {
    for (const answer of this.#answers.values()) answer.invalidate();
  }

  /** Forgets the answers of an earlier user or role; those on the page are read again. */
  clear(): void {
    const answers = [...this.#answers.values()];
    this.forget();
    for (const answer of answers) answer.invalidate();
  }

  /** Forgets every answer after a logout; the page that shows them is about to close. */
  forget(): void {
    this.#answers.clear();
  }

  #trim(): void {
    for (const [name, answer] of this.#answers) {
      if (this.#answers.size <= KEPT) return;
      if (!answer.isWatched) this.#answers.delete(name);
    }
  }
}

/** The cache of this page. */
export const cache = new QueryCache();
