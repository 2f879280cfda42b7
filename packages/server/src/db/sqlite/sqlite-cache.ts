import type { CacheUse } from '../core/cache/cache.ts';
import { CachedRows, isAmong } from '../core/cache/cached-rows.ts';

// The commits of another process, such as `hubline server bootstrap --new-key`, are noticed after this long. Asking SQLite
// each time would cost as much as a lookup by key.
const FOREIGN_MS = 20;

/** Caches rows of a database with one writing connection, whose transactions follow one another. */
export class SqliteCache {
  readonly #rows = new CachedRows();
  /** Sources that the open transaction has changed. */
  #changed = new Set<string>();
  readonly #foreignVersion: () => number;
  #version = 0;
  #askedAt = 0;

  /** `foreignVersion` counts the commits of other connections. */
  constructor(foreignVersion: () => number) {
    this.#foreignVersion = foreignVersion;
  }

  /** Drops the entries that the transaction has changed, before anybody reads the committed rows. */
  committed(): void {
    if (this.#changed.size === 0) return;
    this.#rows.drop(this.#changed);
    this.#changed = new Set();
  }

  /** The cache for a handle. One in a unit sees what the open transaction has changed. */
  use({ inUnit }: { inUnit: boolean }): CacheUse {
    return {
      refresh: () => undefined,
      find: (key) => {
        this.#dropForeign();
        const entry = this.#rows.find(key);
        return entry && inUnit && isAmong(this.#changed, entry.sources) ? undefined : entry?.rows;
      },
      // Rows are read at once: nothing has changed in the meantime.
      reading: (key) => (rows, sources) => {
        if (!inUnit || !isAmong(this.#changed, sources)) this.#rows.keep(key, rows, sources);
      },
      // If the transaction is rolled back, rows are read once more for nothing.
      change: (source) => void this.#changed.add(source),
    };
  }

  #dropForeign(): void {
    const now = performance.now();
    if (now - this.#askedAt <= FOREIGN_MS) return;
    this.#askedAt = now;
    const version = this.#foreignVersion();
    if (version !== this.#version) this.#rows.clear();
    this.#version = version;
  }
}
