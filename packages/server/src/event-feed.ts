/** Tells streams that a workspace has news. It carries no events: those are read from the database. */
export class EventFeed {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();

  /** Aborts when the server stops, so that streams end. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Wakes everybody who waits for news of a workspace. */
  announce(workspaceId: string): void {
    const waiting = this.#waiting.get(workspaceId);
    this.#waiting.delete(workspaceId);
    for (const wake of waiting ?? []) wake();
  }

  /** Waits for news: `true`, or `false` after `timeoutMs` or an abort. */
  next(workspaceId: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(workspaceId) ?? new Set();
      this.#waiting.set(workspaceId, waiting);
      const done = (news: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(workspaceId) === waiting)
          this.#waiting.delete(workspaceId);
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
