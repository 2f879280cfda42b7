import {
  type Compilable,
  type Kysely,
  type OperationNodeSource,
  OperationNodeTransformer,
  type RawNode,
} from 'kysely';
import { type Awaitable, andThen } from '../awaitable.ts';
import { type Build, prepared, type Placeholder, type Run } from '../queries/prepared-query.ts';
import type { Db } from '../schema.ts';
import {
  type CachedDatabase,
  type CachedTable,
  type Source,
  type SourceColumns,
  SOURCES,
} from './sources.ts';

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

/** The cache of a handle; `undefined` for one without. */
export const cacheUseOf = (db: Db): CacheUse | undefined => uses.get(db);

/** A handle for cached queries on these tables, which it refuses to read beyond. */
export type Reading<Tables extends CachedTable> = Kysely<Pick<CachedDatabase, Tables>>;

type BuildCached<Parameters, Row, Tables extends CachedTable> = (
  db: Reading<Tables>,
  placeholder: Placeholder<Parameters>,
) => ReturnType<Build<Parameters, Row>> & OperationNodeSource;

/** Names, for a row of a query, the row of each table that it was read from; `null` for none. */
type RowsBehind<Row, Tables extends CachedTable> = (row: Row) => {
  [Table in Tables]: SourceColumns<Table> | null;
};

/**
 * A prepared query whose rows are kept until a row that they were read from changes. An empty result is not kept:
 * callers could fill the cache with made-up IDs. The rows are shared, and must not be changed.
 */
export function cached<Parameters extends Record<string, string>, Row, Tables extends CachedTable>(
  name: string,
  rowsBehind: RowsBehind<Row, Tables>,
  build: BuildCached<Parameters, Row, Tables>,
): Run<Parameters, readonly Row[]> {
  return cachedOnce({ name, rowsBehind, forGood: false }, build);
}

/** `cached`, for a query that finds one row or none. */
export function cachedRow<Parameters extends Record<string, string>, Row, Tables extends CachedTable>(
  name: string,
  rowsBehind: RowsBehind<Row, Tables>,
  build: BuildCached<Parameters, Row, Tables>,
): Run<Parameters, Row | undefined> {
  const run = cachedOnce({ name, rowsBehind, forGood: false }, build);
  return (db, parameters) => andThen(run(db, parameters), first);
}

/** `cachedRow`, for a row that never changes once it is committed: every unit may use it. */
export function cachedForGood<Parameters extends Record<string, string>, Row, Tables extends CachedTable>(
  name: string,
  rowsBehind: RowsBehind<Row, Tables>,
  build: BuildCached<Parameters, Row, Tables>,
): Run<Parameters, Row | undefined> {
  const run = cachedOnce({ name, rowsBehind, forGood: true }, build);
  return (db, parameters) => andThen(run(db, parameters), first);
}

const first = <Row>(rows: readonly Row[]): Row | undefined => rows[0];

function cachedOnce<Parameters extends Record<string, string>, Row, Tables extends CachedTable>(
  { name, rowsBehind, forGood }: { name: string; rowsBehind: RowsBehind<Row, Tables>; forGood: boolean },
  build: BuildCached<Parameters, Row, Tables>,
): Run<Parameters, readonly Row[]> {
  const run = prepared<Parameters, Row>((db, p) => readable(build(db as unknown as Reading<Tables>, p)));
  // Consecutive lookups are mostly about the same workspace: its key is built and hashed once.
  let last: { parameters: Parameters; key: string } | undefined;

  function keyOf(parameters: Parameters): string {
    if (last && isSame(last.parameters, parameters)) return last.key;
    let key = name;
    for (const parameter of Object.values(parameters)) key += ` ${parameter}`;
    last = { parameters, key };
    return key;
  }

  function read(db: Db, parameters: Parameters, use: CacheUse): Awaitable<readonly Row[]> {
    const key = keyOf(parameters);
    const known = use.find(key, forGood);
    if (known) return known as readonly Row[];
    const keep = use.reading(key, forGood);
    return andThen(run(db, parameters), (rows: readonly Row[]) => {
      if (rows.length > 0) keep(rows, sourcesOf(rows, rowsBehind));
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

const noText = new (class extends OperationNodeTransformer {
  override transformRaw(): RawNode {
    throw new Error('A cached query may have no SQL as text: the types do not see which tables that reads.');
  }
})();

/** Refuses a query with SQL as text. */
function readable<Row>(query: Compilable<Row> & OperationNodeSource): Compilable<Row> {
  noText.transformNode(query.toOperationNode());
  return query;
}

function sourcesOf<Row, Tables extends CachedTable>(
  rows: readonly Row[],
  rowsBehind: RowsBehind<Row, Tables>,
): Source[] {
  const sources = new Set<Source>();
  for (const row of rows) {
    for (const [table, behind] of Object.entries(rowsBehind(row))) {
      if (behind === null) continue;
      for (const source of SOURCES[table as CachedTable](behind as never)) sources.add(source);
    }
  }
  return [...sources];
}

/** Reports whether two calls of one query have the same values. The names are the same. */
function isSame<Parameters extends Record<string, string>>(one: Parameters, other: Parameters): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  return true;
}
