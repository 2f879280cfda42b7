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
  /** A failure to show. While an older answer is shown, a server that is away for a moment is not one. */
  get error(): ReadonlySignal<unknown> {
    return this.#error;
  }
  get loading(): ReadonlySignal<boolean> {
    return this.#loading;
  }
  get isWatched(): boolean {
    return this.#watchers.length > 0;
  }

  /** Keeps it up to date until the function that it returns is called. The last one who leaves ends the request. */
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

  /** Reads it; joins a reading that is under way. Never rejects. */
  refresh(): Promise<void> {
    return this.#reading?.done ?? this.#read(false);
  }

  /** Reads it after a change: a reading under way may be older. Never rejects. */
  reload(): Promise<void> {
    return this.#read(false);
  }

  /** Reads it for somebody who asked: they hear of every failure. Never rejects. */
  retry(): Promise<void> {
    return this.#read(true);
  }

  /** Puts the answer of a write in its place. */
  set(data: T): void {
    this.#data.value = data;
  }

  /** It may have changed: reads it again now if it is shown, otherwise when it is shown next. */
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
      // A query that throws at once counts as one that fails later.
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

/** A POST to these paths changes no list, or only a row that the page already knows: others must not move. */
const ASKS = /\/(?:preview|test|test-filters)$|\/deliveries\/[^/]+\/retry$/;

/** Reports whether the same query may succeed in a moment. */
const isPassing = (reason: unknown): boolean =>
  !isAPIError(reason) || reason.status >= 500 || reason.status === 429;

/** The answers of the server by their keys, kept from page to page. */
export class QueryCache {
  readonly #answers = new Map<string, Answer<unknown>>();

  /** The answer of a key, which may be still to come. All who ask for one key share it, so its type goes with its key. */
  answer<T>(key: Key): Answer<T> {
    const name = JSON.stringify(key);
    const answer = this.#answers.get(name) ?? new Answer<unknown>();
    // The one that was used last is the last.
    this.#answers.delete(name);
    this.#answers.set(name, answer);
    this.#trim();
    return answer as Answer<T>;
  }

  /** Something changed: answers of these kinds are asked for again. */
  invalidate(...subjects: readonly Subject[]): void {
    for (const [name, answer] of this.#answers)
      if (subjects.some((subject) => name.startsWith(`["${subject}"`))) answer.invalidate();
  }

  /** A write reached the server: answers of the kinds in its path are asked for again. */
  written(path: string): void {
    if (ASKS.test(path)) return;
    const parts = new Set(path.split('/'));
    for (const [name, answer] of this.#answers) {
      const [subject] = JSON.parse(name) as Key;
      if (parts.has(subject)) answer.invalidate();
    }
  }

  /** The server is back, and anything may have changed. */
  invalidateAll(): void {
    for (const answer of this.#answers.values()) answer.invalidate();
  }

  /** The user or the role has changed: what the page shows is read again, the rest is forgotten. */
  clear(): void {
    const answers = [...this.#answers.values()];
    this.forget();
    for (const answer of answers) answer.invalidate();
  }

  /** Nobody is logged in anymore: the page that showed them is about to close. */
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

/** The one of this page. */
export const cache = new QueryCache();
