import type { RawBuilder } from 'kysely';
import type { Awaitable } from './awaitable.ts';
import type { Tx } from './schema.ts';
import type { Statements } from './statements.ts';

/** A query whose rows can be locked. */
interface Query {
  forUpdate(): { skipLocked(): unknown };
}

/** The differences between the two databases. */
export interface Dialect extends Statements {
  /**
   * The name, for people and for the steps of the schema. No other code may branch on it: each difference is a member here
   * (dialect.test.ts).
   */
  readonly name: 'sqlite' | 'postgres';
  /** True if a unit finds a stored outcome more cheaply than `Store.read` does. */
  readonly findsOutcomeInUnit: boolean;
  /** Serializes units that lock the same name, for rules that span rows. */
  lock(tx: Tx, name: string): Awaitable<void>;
  /** Locks the rows that a query finds until this unit ends. */
  lockRows<Q extends Query>(query: Q): Q;
  /** `lockRows`, without rows that another unit has locked. */
  lockFreeRows<Q extends Query>(query: Q): Q;
  /** Makes processes that migrate one database at the same time wait for each other. */
  lockForMigration(tx: Tx): Promise<void>;
  /** Lets this unit wait for a lock of another session for a second at most, whatever the limit is elsewhere. */
  waitBriefly(tx: Tx): Promise<void>;
  /** Yields to the event loop in the middle of a long unit, where statements do not. */
  yieldToEventLoop(): Awaitable<void>;
  /** The time in a column of text, moved by milliseconds. */
  moved(column: string, ms: number): RawBuilder<string>;
  /** Reports whether a unique constraint refused the row; `column` narrows to one, such as `workspaces.slug`. */
  isUniqueViolation(error: unknown, column?: string): boolean;
}
