import type {
  ColumnType,
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  InsertQueryBuilder,
  InsertResult,
  SelectType,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Database, Tx } from '../schema.ts';
import { cacheUseOf } from './cache.ts';
import {
  type CachedTable,
  EVERYTHING,
  type Source,
  type SourceColumns,
  SOURCES,
  type Uncached,
} from './sources.ts';

/** For `changing`: rows that cannot be named one by one. It drops the whole cache. */
export const ANY_ROWS = Symbol('any rows');

/** The statements that change a cached table. */
interface Changing<Table extends CachedTable> {
  insert(row: Insertable<Database[Table]>): InsertQueryBuilder<Database, Table, InsertResult>;
  update(): UpdateQueryBuilder<Database, Table, Table, UpdateResult>;
  delete(): DeleteQueryBuilder<Database, Table, DeleteResult>;
}

/**
 * Changes rows of a cached table. This is the only way to do so (sources.test.ts): it names the sources of the rows, so that the
 * commit drops the entries that were read from them. `row` holds the columns that name them.
 */
export function changing<Table extends CachedTable>(
  tx: Tx,
  table: Table,
  row: SourceColumns<Table> | typeof ANY_ROWS,
): Changing<Table> {
  const sourcesOf = SOURCES[table] as (row: SourceColumns<Table>) => [Source, ...Source[]];
  cacheUseOf(tx)?.change(row === ANY_ROWS ? EVERYTHING : sourcesOf(row)[0]);
  return {
    insert: (values) => tx.insertInto(table).values(values),
    update: () => tx.updateTable<CachedTable>(table) as never,
    delete: () => tx.deleteFrom<CachedTable>(table),
  };
}

/** A table of which only the uncached columns can be changed. */
type UncachedPart<Table extends keyof Uncached> = {
  [Column in keyof Database[Table]]: Column extends Uncached[Table]
    ? Database[Table][Column]
    : ColumnType<SelectType<Database[Table][Column]>, never, never>;
};

/** Updates columns that no cached query reads. It drops nothing. */
export const updatingUncached = <Table extends keyof Uncached>(
  tx: Tx,
  table: Table,
): UpdateQueryBuilder<{ [Name in Table]: UncachedPart<Table> }, Table, Table, UpdateResult> =>
  tx.updateTable<CachedTable>(table) as never;
