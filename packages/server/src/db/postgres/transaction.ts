import { chaos } from '#chaos';
import type { Tx } from '../core/schema.ts';
import { currentUnit } from '../core/store.ts';
import { type Connection, RunningUnit } from './connection.ts';

/** Work for a transaction. */
export type Unit<Result> = (tx: Tx) => Promise<Result>;

/** A unit that has ended. */
export type Ended =
  | { ok: true; value: unknown }
  /** `late`: it had written, or a statement has failed. What it did can only be undone with everything else. */
  | { ok: false; error: unknown; late: boolean };

// In the order of the array, which is that of the names: whoever locks several waits for nobody who waits for him. Locks come before
// anything else of their transaction, and what it sees after them is what others have committed.
const LOCK = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`;

/** The failure of a unit that swallowed that of a statement. */
export const ABORTED = 'A statement of the unit failed: nothing of it is committed.';

/** A transaction on a connection, with the units that run in it. */
export class Transaction {
  readonly #connection: Connection;
  readonly #locked: ReadonlySet<string> | null;

  private constructor(connection: Connection, locked: ReadonlySet<string> | null) {
    this.#connection = connection;
    this.#locked = locked;
  }

  /** Begins one for a unit that locks what it has to. */
  static async begin(connection: Connection): Promise<Transaction> {
    connection.hasFailed = false;
    connection.cache.begin(false);
    await connection.query('begin');
    return new Transaction(connection, null);
  }

  /** Begins one with the locks that its units need, and with a cache that is true under them: one round trip. */
  static async beginLocked(connection: Connection, names: ReadonlySet<string>): Promise<Transaction> {
    connection.hasFailed = false;
    connection.cache.begin(true);
    await Promise.all([
      connection.query('begin'),
      connection.query(LOCK, [[...names].sort()]),
      connection.catchUp(),
    ]);
    return new Transaction(connection, names);
  }

  async run(unit: Unit<unknown>): Promise<Ended> {
    const running = new RunningUnit(this.#connection, this.#locked);
    try {
      return { ok: true, value: await currentUnit.run(running, () => unit(this.#connection.tx)) };
    } catch (error) {
      return { ok: false, error, late: running.wrote || this.#connection.hasFailed };
    } finally {
      running.ended = true;
    }
  }

  async commit(): Promise<void> {
    const connection = this.#connection;
    await connection.cache.tellChanges(connection.ask);
    chaos.reach('commit.begun');
    const { command } = await connection.query('commit');
    // PostgreSQL answers so when a statement has failed, and nobody noticed.
    if (command === 'ROLLBACK') throw new Error(ABORTED);
    chaos.reach('commit.done');
    connection.cache.committed();
  }

  async rollBack(): Promise<void> {
    await this.#connection.query('rollback');
  }
}

/** Runs a unit in a transaction of its own, and gives the connection back. */
export async function runAlone<Result>(connection: Connection, unit: Unit<Result>): Promise<Result> {
  let broken = true;
  try {
    const transaction = await Transaction.begin(connection);
    const ended = await transaction.run(unit);
    const isWhole = ended.ok && !connection.hasFailed;
    if (isWhole) await transaction.commit();
    else await transaction.rollBack();
    broken = false;
    if (!ended.ok) throw ended.error;
    if (!isWhole) throw new Error(ABORTED);
    return ended.value as Result;
  } finally {
    connection.release({ broken });
  }
}
