import { type Build, compiledOnce, firstOf, type Run, type RunNow } from './prepared-query.ts';
import type { Db, Tx } from './schema.ts';

/**
 * Things that cached rows are read from. Who changes one says so with `changed`, in the function that changes its row: then every
 * entry that was read from it is dropped with the commit.
 */
export interface Source {
  readonly of: 'everything' | 'workspace' | 'webhooks of workspace' | 'member' | 'user' | 'api key';
  readonly id: string;
}

/** For a change of rows that are not known one by one. */
export const EVERYTHING: Source = { of: 'everything', id: '' };
export const workspace = (id: string): Source => ({ of: 'workspace', id });
export const webhooksOf = (workspaceId: string): Source => ({ of: 'webhooks of workspace', id: workspaceId });
export const member = (workspaceId: string, userId: string): Source => ({
  of: 'member',
  id: `${workspaceId} ${userId}`,
});
export const user = (id: string): Source => ({ of: 'user', id });
export const apiKey = (id: string): Source => ({ of: 'api key', id });

const nameOf = ({ of, id }: Source): string => `${of} ${id}`;

interface Entry {
  readonly rows: readonly unknown[];
  readonly sources: readonly string[];
}

// Enough for every key and webhook that is in use at a time; beyond, all are read anew.
const ENTRIES_MAX = 10_000;

// The commits of another process, such as `hubline server bootstrap --new-key`, are noticed after this long. To ask SQLite
// each time costs as much as a look-up by key.
const FOREIGN_MS = 20;

/** Rows that were read from a database with one writing connection. */
export class Cache {
  readonly #entries = new Map<string, Entry>();
  /** The keys of the entries that were read from a source. */
  readonly #readFrom = new Map<string, Set<string>>();
  /** Sources that the open transaction has changed. */
  readonly #changed = new Set<string>();
  readonly #foreignVersion: () => number;
  #version = 0;
  #askedAt = 0;

  /** `foreignVersion` counts the commits of other connections. */
  constructor(foreignVersion: () => number) {
    this.#foreignVersion = foreignVersion;
  }

  /** Notes what the open transaction has changed. When that is rolled back, rows are read once more for nothing. */
  change(source: Source): void {
    this.#changed.add(nameOf(source));
  }

  /** Drops what the transaction has changed, before anybody reads what is committed. */
  committed(): void {
    if (this.#changed.has(nameOf(EVERYTHING))) this.#clear();
    for (const source of this.#changed) {
      for (const key of this.#readFrom.get(source) ?? []) this.#drop(key);
      this.#readFrom.delete(source);
    }
    this.#changed.clear();
  }

  /** The rows of an entry; in a unit, which sees what it has changed, not those of a changed source. */
  find(key: string, inUnit: boolean): readonly unknown[] | undefined {
    this.#dropForeign();
    const entry = this.#entries.get(key);
    return entry && inUnit && this.#isChanged(entry.sources) ? undefined : entry?.rows;
  }

  keep(
    key: string,
    rows: readonly unknown[],
    { sources, inUnit }: { sources: Source[]; inUnit: boolean },
  ): void {
    const names = sources.map(nameOf);
    if (inUnit && this.#isChanged(names)) return;
    if (this.#entries.size >= ENTRIES_MAX) this.#clear();
    this.#entries.set(key, { rows, sources: names });
    for (const name of names) {
      const keys = this.#readFrom.get(name);
      if (keys) keys.add(key);
      else this.#readFrom.set(name, new Set([key]));
    }
  }

  #isChanged(sources: readonly string[]): boolean {
    if (this.#changed.size === 0) return false;
    return this.#changed.has(nameOf(EVERYTHING)) || sources.some((source) => this.#changed.has(source));
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    for (const source of entry?.sources ?? []) {
      const keys = this.#readFrom.get(source);
      keys?.delete(key);
      if (keys?.size === 0) this.#readFrom.delete(source);
    }
  }

  #dropForeign(): void {
    const now = performance.now();
    if (now - this.#askedAt <= FOREIGN_MS) return;
    this.#askedAt = now;
    const version = this.#foreignVersion();
    if (version !== this.#version) this.#clear();
    this.#version = version;
  }

  #clear(): void {
    this.#entries.clear();
    this.#readFrom.clear();
  }
}

interface Use {
  /** It sees what the open transaction has changed. */
  inUnit: boolean;
  /** Other processes write: only rows that never change are kept. */
  shared: boolean;
}

const caches = new WeakMap<Db, Use & { cache: Cache; unconfirmed: (() => void)[] }>();

/**
 * Lets queries on `db` keep rows. Answers what the owner of a shared database calls after a commit: what a unit has read may be
 * its own until then.
 */
export function useCache(db: Db, cache: Cache, use: Use): () => void {
  const unconfirmed: (() => void)[] = [];
  caches.set(db, { cache, ...use, unconfirmed });
  return () => {
    for (const keep of unconfirmed) keep();
  };
}

/** Tells that a unit has changed something that cached rows are read from. */
export function changed(tx: Tx, source: Source): void {
  const used = caches.get(tx);
  if (used && !used.shared) used.cache.change(source);
}

/** Names the sources of a row. */
type SourcesOf<Row> = (row: Row) => Source[];

/**
 * A prepared query whose rows are kept until one of their sources changes. PostgreSQL, where other processes write, is always
 * asked. What is not there is not kept: names can be made up. The rows are shared.
 */
export function cached<Parameters extends Record<string, string>, Row>(
  name: string,
  sourcesOf: SourcesOf<Row>,
  build: Build<Parameters, Row>,
): Run<Parameters, readonly Row[]> {
  const run = cachedOnce({ name, sourcesOf, forGood: false }, build);
  return async (db, parameters) => run(db, parameters);
}

/** `cached`, for a query that finds one row or none. */
export function cachedRow<Parameters extends Record<string, string>, Row>(
  name: string,
  sourcesOf: SourcesOf<Row>,
  build: Build<Parameters, Row>,
): Run<Parameters, Row | undefined> {
  return firstOf(cachedOnce({ name, sourcesOf, forGood: false }, build));
}

/** `cachedRow`, for a row that never changes once it is committed: it is kept on a shared database too. */
export function cachedForGood<Parameters extends Record<string, string>, Row>(
  name: string,
  sourcesOf: SourcesOf<Row>,
  build: Build<Parameters, Row>,
): Run<Parameters, Row | undefined> {
  return firstOf(cachedOnce({ name, sourcesOf, forGood: true }, build));
}

function cachedOnce<Parameters extends Record<string, string>, Row>(
  { name, sourcesOf, forGood }: { name: string; sourcesOf: SourcesOf<Row>; forGood: boolean },
  build: Build<Parameters, Row>,
): RunNow<Parameters, readonly Row[]> {
  const run = compiledOnce(build);
  return (db, parameters) => {
    const used = caches.get(db);
    if (!used || (used.shared && !forGood)) return run(db, parameters);
    const { cache, inUnit } = used;
    let key = name;
    for (const parameter of Object.values(parameters)) key += ` ${parameter}`;
    const known = cache.find(key, inUnit);
    if (known) return known as readonly Row[];
    const rows = run(db, parameters);
    // Rows that can change were read directly: nothing has changed meanwhile.
    const keep = (found: readonly Row[]): readonly Row[] => {
      const sources = found.flatMap(sourcesOf);
      const keepNow = () => cache.keep(key, found, { sources, inUnit });
      if (found.length === 0) return found;
      if (used.shared && inUnit) used.unconfirmed.push(keepNow);
      else keepNow();
      return found;
    };
    return rows instanceof Promise ? rows.then(keep) : keep(rows);
  };
}
