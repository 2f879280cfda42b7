import { type Answer, type Build, prepared, type Run, andThen } from '../queries/prepared-query.ts';
import type { Db, Tx } from '../schema.ts';

/**
 * Something that cached rows are read from. A function that changes its row calls `changed`, and the commit
 * drops every entry that was read from it.
 */
export interface Source {
  readonly of:
    | 'everything'
    | 'workspace'
    | 'webhooks of workspace'
    | 'automations of workspace'
    | 'rules of workspace'
    | 'member'
    | 'user'
    | 'api key';
  readonly id: string;
}

/** For a change of rows that cannot be named one by one. */
export const EVERYTHING: Source = { of: 'everything', id: '' };
export const workspace = (id: string): Source => ({ of: 'workspace', id });
export const webhooksOf = (workspaceId: string): Source => ({ of: 'webhooks of workspace', id: workspaceId });
export const automationsOf = (workspaceId: string): Source => ({
  of: 'automations of workspace',
  id: workspaceId,
});
export const rulesOf = (workspaceId: string): Source => ({ of: 'rules of workspace', id: workspaceId });
export const member = (workspaceId: string, userId: string): Source => ({
  of: 'member',
  id: `${workspaceId} ${userId}`,
});
export const user = (id: string): Source => ({ of: 'user', id });
export const apiKey = (id: string): Source => ({ of: 'api key', id });

/** A source as text, for the cache and for other processes. */
export const nameOf = ({ of, id }: Source): string => `${of} ${id}`;

type Rows = readonly unknown[];

/** The cache, as the queries of one handle use it. Each database has its own way to know what is still valid. */
export interface CacheUse {
  /** Brings the cache up to date if it may be too old; a promise if that takes a query. */
  refresh(forGood: boolean): Promise<void> | undefined;
  /** The rows of an entry, if this handle may use them. */
  find(key: string, forGood: boolean): Rows | undefined;
  /** Begins to read a missing entry. Pass the rows to the function that it returns, which may keep them. */
  reading(key: string, forGood: boolean): (rows: Rows, sources: readonly Source[]) => void;
  /** Notes what the open transaction has changed. */
  change(source: Source): void;
}

const uses = new WeakMap<Db, CacheUse>();

/** Lets queries on `db` keep rows. */
export function useCache(db: Db, use: CacheUse): void {
  uses.set(db, use);
}

/** Notes that a unit has changed something that cached rows are read from. */
export function changed(tx: Tx, source: Source): void {
  uses.get(tx)?.change(source);
}

/** Names the sources of a row. */
type SourcesOf<Row> = (row: Row) => Source[];

/**
 * A prepared query whose rows are kept until one of their sources changes. An empty result is not kept:
 * callers could fill the cache with made-up ids. The rows are shared, and must not be changed.
 */
export function cached<Parameters extends Record<string, string>, Row>(
  name: string,
  sourcesOf: SourcesOf<Row>,
  build: Build<Parameters, Row>,
): Run<Parameters, readonly Row[]> {
  return cachedOnce({ name, sourcesOf, forGood: false }, build);
}

/** `cached`, for a query that finds one row or none. */
export function cachedRow<Parameters extends Record<string, string>, Row>(
  name: string,
  sourcesOf: SourcesOf<Row>,
  build: Build<Parameters, Row>,
): Run<Parameters, Row | undefined> {
  const run = cachedOnce({ name, sourcesOf, forGood: false }, build);
  return (db, parameters) => andThen(run(db, parameters), first);
}

/** `cachedRow`, for a row that never changes once it is committed: every unit may use it. */
export function cachedForGood<Parameters extends Record<string, string>, Row>(
  name: string,
  sourcesOf: SourcesOf<Row>,
  build: Build<Parameters, Row>,
): Run<Parameters, Row | undefined> {
  const run = cachedOnce({ name, sourcesOf, forGood: true }, build);
  return (db, parameters) => andThen(run(db, parameters), first);
}

const first = <Row>(rows: readonly Row[]): Row | undefined => rows[0];

function cachedOnce<Parameters extends Record<string, string>, Row>(
  { name, sourcesOf, forGood }: { name: string; sourcesOf: SourcesOf<Row>; forGood: boolean },
  build: Build<Parameters, Row>,
): Run<Parameters, readonly Row[]> {
  const run = prepared(build);
  // Consecutive lookups are mostly about the same workspace: its key is built and hashed once.
  let last: { parameters: Parameters; key: string } | undefined;

  function keyOf(parameters: Parameters): string {
    if (last && isSame(last.parameters, parameters)) return last.key;
    let key = name;
    for (const parameter of Object.values(parameters)) key += ` ${parameter}`;
    last = { parameters, key };
    return key;
  }

  function read(db: Db, parameters: Parameters, use: CacheUse): Answer<readonly Row[]> {
    const key = keyOf(parameters);
    const known = use.find(key, forGood);
    if (known) return known as readonly Row[];
    const tell = use.reading(key, forGood);
    return andThen(run(db, parameters), (rows: readonly Row[]) => {
      if (rows.length > 0) tell(rows, rows.flatMap(sourcesOf));
      return rows;
    });
  }

  return (db, parameters) => {
    const use = uses.get(db);
    if (!use) return run(db, parameters);
    const refreshing = use.refresh(forGood);
    return refreshing ? refreshing.then(() => read(db, parameters, use)) : read(db, parameters, use);
  };
}

/** Reports whether two calls of one query have the same values. The names are the same. */
function isSame<Parameters extends Record<string, string>>(one: Parameters, other: Parameters): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  return true;
}
