import { AsyncLocalStorage } from 'node:async_hooks';
import type { Counted } from '../../domain/stats/tally.ts';
import type { Dialect } from './dialect.ts';
import type { Peers } from './peers.ts';
import type { Awaitable } from './awaitable.ts';
import type { Db, Tx } from './schema.ts';

/** The kind of a unit. */
export interface UnitOptions {
  /**
   * The workspace that the unit locks and adds rows to. Such a unit decides nothing by rows that others of
   * its kind add, except through a unique index: on PostgreSQL they share a transaction and run side by side
   * in it.
   */
  addsTo?: string;
  /**
   * True if the unit belongs to a delivery that is under way, such as a claim or the result of an attempt. On SQLite, where units wait in
   * line, it goes before others, for at most half of the time: the results of calls must not wait behind all the writes of new requests.
   */
  urgent?: boolean;
}

/** The database: one handle for reading, one method for writing. */
export interface Store {
  /** The name of the database, for people. Code asks `dialectOf` for what differs. */
  readonly dialect: Dialect['name'];
  /** True if other processes may work on this database at the same time, as on PostgreSQL. SQLite has one server at a time. */
  readonly shared: boolean;
  /** The other processes on this database; `null` where there is one only. */
  readonly peers: Peers | null;
  /** Counts the commits of other programs, absent where those send hints. */
  foreignVersion?(): number;
  /**
   * Rises when another database server has taken over, as after a failover: the last commits may be gone, and their
   * places in the order given to others. Absent where that cannot happen. A request has learned of it once it is admitted.
   */
  timeline?(): number;
  /** Sees what is committed. Refused inside a unit, which must read through its own `tx`. */
  readonly read: Db;
  /**
   * Runs `unit` in a transaction and resolves after it is durably committed. What the unit throws rolls back
   * the unit alone. A unit awaits nothing but its `tx`: no network, no timer, no other unit. It may run more
   * than once before it is committed, because another unit failed: its effects outside the database must
   * tolerate that.
   */
  write<Result>(unit: (tx: Tx) => Awaitable<Result>, options?: UnitOptions): Promise<Result>;
  /** Waits for units under way, then closes. */
  close(): Promise<void>;
}

/** A run of a unit. */
export class UnitRun {
  /** Its counts for the statistics, to be stored in its transaction. */
  readonly counted: Counted[] = [];
  /** The number of rows that it has reserved room for. */
  rows = 0;
}

/** The unit that the running code belongs to, if any. */
export const currentUnit = new AsyncLocalStorage<UnitRun>();

/** Counts in the transaction of the unit that the running code belongs to. */
export function countInUnit(counted: readonly Counted[]): void {
  const unit = currentUnit.getStore();
  if (!unit) throw new Error('Counted outside a unit of Store.write: it would be lost in a crash.');
  unit.counted.push(...counted);
}

/** Reserves room for `wanted` rows in the running unit, which may have `most` in total. Returns the number of rows that fit. */
export function takeRoom(wanted: number, most: number): number {
  const unit = currentUnit.getStore();
  if (!unit) throw new Error('Took room for rows outside a unit of Store.write.');
  const taken = Math.min(wanted, Math.max(0, most - unit.rows));
  unit.rows += taken;
  return taken;
}

/** Throws inside a unit, where another unit would deadlock, and the outer handle would read stale rows. */
export function refuseInsideUnit(what: string): void {
  if (currentUnit.getStore() !== undefined) {
    throw new Error(`${what} inside a unit of Store.write: use the unit's own tx.`);
  }
}
