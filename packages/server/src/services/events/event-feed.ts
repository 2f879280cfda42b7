import { setMaxListeners } from 'node:events';
import { nextTurn } from '../../clock/timer.ts';

// Writing an event to this many streams takes a few milliseconds. For 1,000 at once it took 20 to 60, and all other
// requests waited (measured).
const WOKEN_AT_ONCE = 100;

/** Wakes streams and pages that follow a workspace or a user. It carries no content: they read the database. */
export class EventFeed {
  readonly #shared = new Map<string, Map<string, Promise<unknown>>>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();

  constructor() {
    // Every stream adds a listener.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Aborts when the server stops, so that streams end. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Wakes all waiters of a workspace or a user, some in each turn of the event loop. */
  announce(id: string): void {
    this.#shared.delete(id);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) void wakeInTurns(waiting);
  }

  /** Wakes all waiters: an announcement may have been missed. */
  announceAll(): void {
    this.#shared.clear();
    for (const id of this.#waiting.keys()) this.announce(id);
  }

  /** Waits for the next announcement. Resolves to `true`, or to `false` after `timeoutMs` or an abort. */
  next(id: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = (isWoken: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve(isWoken);
      };
      const wake = () => done(true);
      const abort = () => done(false);
      const timer = setTimeout(abort, timeoutMs);
      waiting.add(wake);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  /**
   * Runs one query for all callers that ask the same at the same moment, as the streams of a workspace do after an
   * announcement. A caller that asks after a later one never gets a result from before it.
   */
  share<Result>(id: string, key: string, ask: () => Promise<Result>): Promise<Result> {
    const asked = this.#shared.get(id) ?? new Map<string, Promise<unknown>>();
    this.#shared.set(id, asked);
    const known = asked.get(key);
    if (known) return known as Promise<Result>;
    const result = ask();
    asked.set(key, result);
    const end = () => {
      asked.delete(key);
      if (asked.size === 0 && this.#shared.get(id) === asked) this.#shared.delete(id);
    };
    result.then(end, end);
    return result;
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Wakes waiters in several turns of the event loop. A waiter that has left in the meantime is no longer in the set. */
async function wakeInTurns(waiting: ReadonlySet<() => void>): Promise<void> {
  let woken = 0;
  for (const wake of waiting) {
    wake();
    woken += 1;
    if (woken % WOKEN_AT_ONCE === 0) await nextTurn();
  }
}
