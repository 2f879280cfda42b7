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
  NAMED_BY,
  type SourceColumns,
  SOURCES,
  type Uncached,
} from './sources.ts';

/** For `changing`: rows that cannot be named one by one. It drops the whole cache. */
export const ANY_ROWS = Symbol('any rows');

/** The statements that change a cached table, limited to rows of one source. */
interface Changing<Table extends CachedTable> {
  insert(row: Insertable<Database[Table]>): InsertQueryBuilder<Database, Table, InsertResult>;
  /** Updates the rows of the source, unless a condition is added. */
  update(): UpdateQueryBuilder<Database, Table, Table, UpdateResult>;
  /** Deletes the rows of the source, unless a condition is added. */
  delete(): DeleteQueryBuilder<Database, Table, DeleteResult>;
}

/**
 * Changes rows of a cached table. This is the only way to do so (sources.test.ts). `row` holds the columns that name its source: the
 * commit drops the entries that were read from it, and the statement changes no rows of another source.
 */
export function changing<Table extends CachedTable>(
  tx: Tx,
  table: Table,
  row: SourceColumns<Table> | typeof ANY_ROWS,
): Changing<Table> {
  const sourcesOf = SOURCES[table] as (row: SourceColumns<Table>) => [Source, ...Source[]];
  cacheUseOf(tx)?.change(row === ANY_ROWS ? EVERYTHING : sourcesOf(row)[0]);
  const source = row === ANY_ROWS ? {} : pick(row, NAMED_BY[table]);
  return {
    insert: (values) => tx.insertInto(table).values({ ...values, ...source }),
    update: () => tx.updateTable<CachedTable>(table).where((eb) => eb.and(source)) as never,
    delete: () => tx.deleteFrom<CachedTable>(table).where((eb) => eb.and(source)) as never,
  };
}

const pick = <Row extends object>(row: Row, columns: readonly (keyof Row)[]): Partial<Row> =>
  Object.fromEntries(columns.map((column) => [column, row[column]])) as Partial<Row>;

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
