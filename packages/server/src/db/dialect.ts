import { PostgresAdapter, sql } from 'kysely';
import type { Db, Tx } from './schema.ts';

/** A query whose rows can be locked. */
interface Query {
  forUpdate(): { skipLocked(): unknown };
}

/** The differences between the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The driver answers at once: many small statements cost less than a large one. */
  readonly isDirect: boolean;
  /** Makes units about one thing run one after another, where the rule that they check spans rows. */
  lock(tx: Tx, name: string): Promise<void>;
  /** Keeps the rows that a query finds from other units until this one ends. */
  lockRows<Q extends Query>(query: Q): Q;
  /** `lockRows`, for those that no other unit has locked. */
  lockFreeRows<Q extends Query>(query: Q): Q;
}

/** Units run one after another: there is nothing to lock. */
const sqlite: Dialect = {
  name: 'sqlite',
  isDirect: true,
  lock: () => Promise.resolve(),
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
};

/** Every unit is a transaction beside others. Who locks several rows does it in the order of `seq`: nobody waits in a ring. */
const postgres: Dialect = {
  name: 'postgres',
  isDirect: false,
  async lock(tx, name) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  },
  lockRows: (query) => query.forUpdate() as unknown as typeof query,
  lockFreeRows: (query) => query.forUpdate().skipLocked() as typeof query,
};

/** The dialect of the database behind a handle. */
export const dialectOf = (db: Db): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
