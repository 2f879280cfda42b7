import type { Answer } from './queries/prepared-query.ts';
import type { Tx } from './schema.ts';
import type { Statements } from './statements.ts';

/** A query whose rows can be locked. */
interface Query {
  forUpdate(): { skipLocked(): unknown };
}

/** The differences between the two databases. */
export interface Dialect extends Statements {
  readonly name: 'sqlite' | 'postgres';
  /** Makes units that lock the same name run one after another, for rules that span rows. */
  lock(tx: Tx, name: string): Answer<void>;
  /** Locks the rows that a query finds until this unit ends. */
  lockRows<Q extends Query>(query: Q): Q;
  /** `lockRows`, without rows that another unit has locked. */
  lockFreeRows<Q extends Query>(query: Q): Q;
}
