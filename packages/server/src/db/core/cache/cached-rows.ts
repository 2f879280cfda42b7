import { EVERYTHING, isKnown } from './sources.ts';

/** Rows, and the names of the sources that they were read from. */
interface Entry {
  readonly rows: readonly unknown[];
  readonly sources: readonly string[];
}

// Enough for every key and webhook in use at a time. Beyond it, the oldest entries are dropped.
const ENTRIES_MAX = 20_000;

/** Rows by key. An entry is dropped with any of its sources. */
export class CachedRows {
  readonly #entries = new Map<string, Entry>();
  /** The keys of the entries that were read from a source. */
  readonly #readFrom = new Map<string, Set<string>>();

  find(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  keep(key: string, rows: readonly unknown[], sources: readonly string[]): void {
    if (this.#entries.size >= ENTRIES_MAX) this.#forgetOldest();
    this.#entries.set(key, { rows, sources });
    for (const source of sources) {
      const keys = this.#readFrom.get(source);
      if (keys) keys.add(key);
      else this.#readFrom.set(source, new Set([key]));
    }
  }

  /** Drops every entry that was read from one of these; all for a source that only another version knows. */
  drop(sources: Iterable<string>): void {
    for (const source of sources) {
      if (source === EVERYTHING || !isKnown(source)) this.clear();
      for (const key of this.#readFrom.get(source) ?? []) this.#forget(key);
      this.#readFrom.delete(source);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#readFrom.clear();
  }

  #forgetOldest(): void {
    for (const key of this.#entries.keys()) return this.#forget(key);
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    for (const source of entry?.sources ?? []) {
      const keys = this.#readFrom.get(source);
      keys?.delete(key);
      if (keys?.size === 0) this.#readFrom.delete(source);
    }
  }
}

/** Reports whether one of these sources is among those that have changed. */
export const isAmong = (changed: ReadonlySet<string>, sources: readonly string[]): boolean =>
  changed.size > 0 && (changed.has(EVERYTHING) || sources.some((source) => changed.has(source)));
