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
  /** Makes units about one thing run one after another, where the rule that they check spans rows. */
  lock(tx: Tx, name: string): Answer<void>;
  /** Locks the rows that a query finds until this unit ends. */
  lockRows<Q extends Query>(query: Q): Q;
  /** `lockRows`, for those that no other unit has locked. */
  lockFreeRows<Q extends Query>(query: Q): Q;
}
