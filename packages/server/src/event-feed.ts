/** Tells whoever follows a workspace or a user that there is news. It carries none: that is read from the database. */
export class EventFeed {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();

  /** Aborts when the server stops, so that streams end. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Wakes everybody who waits for news of a workspace or a user. */
  announce(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }

  /** Waits for news: `true`, or `false` after `timeoutMs` or an abort. */
  next(id: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = (news: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve(news);
      };
      const wake = () => done(true);
      const abort = () => done(false);
      const timer = setTimeout(abort, timeoutMs);
      waiting.add(wake);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  close(): void {
    this.#closing.abort();
  }
}
