import { chaos } from '#chaos';
import type { Answer } from '../../core/queries/prepared-query.ts';
import type { Tx } from '../../core/schema.ts';
import { currentUnit } from '../../core/store.ts';
import type { Gate } from './gate.ts';
import { type Connection, RunningUnit, type Turn } from './connection.ts';

/** Work for a transaction. */
export type Unit<Result> = (tx: Tx) => Answer<Result>;

/** A unit that has ended. */
export type Ended =
  | { ok: true; value: unknown }
  /** `late`: it had written, or a statement has failed. What it did can only be undone with everything else. */
  | { ok: false; error: unknown; late: boolean };

// In the order of the array, which is that of the names: so two units that lock several never deadlock. Locks come before
// anything else of their transaction, and what it sees after them is what others have committed.
const LOCK = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`;

/** The failure of a unit that swallowed that of a statement. */
export const ABORTED = 'A statement of the unit failed: nothing of it is committed.';

/** The unit has come to a lock that another has. */
class Busy extends Error {
  readonly lock: string;

  constructor(lock: string) {
    super(`Another unit has the lock of ${lock}.`);
    this.lock = lock;
  }
}

/** A transaction on a connection, with the units that run in it. */
export class Transaction {
  readonly #connection: Connection;
  readonly #locked: ReadonlySet<string> | null;
  readonly #turn: Turn;

  private constructor(
    connection: Connection,
    { locked, turn }: { locked: ReadonlySet<string> | null; turn: Turn },
  ) {
    this.#connection = connection;
    this.#locked = locked;
    this.#turn = turn;
  }

  /** Begins one for a unit that locks what it has to. */
  static async begin(connection: Connection, turn: Turn): Promise<Transaction> {
    connection.hasFailed = false;
    connection.cache.begin(false);
    await connection.query('begin');
    return new Transaction(connection, { locked: null, turn });
  }

  /** Begins one with the locks that its units need, and with a cache that is true under them: one round trip. */
  static async beginLocked(connection: Connection, turn: Turn): Promise<Transaction> {
    const names = turn.entered;
    connection.hasFailed = false;
    connection.cache.begin(true);
    await Promise.all([
      connection.query('begin'),
      connection.query(LOCK, [[...names].sort()]),
      connection.catchUp(),
    ]);
    return new Transaction(connection, { locked: names, turn });
  }

  async run(unit: Unit<unknown>): Promise<Ended> {
    const running = new RunningUnit(this.#connection, { locked: this.#locked, turn: this.#turn });
    try {
      const value = await currentUnit.run(running, () => unit(this.#connection.tx));
      if (running.waitsFor !== null) throw new Busy(running.waitsFor);
      return { ok: true, value };
    } catch (cause) {
      const error = running.waitsFor === null ? cause : new Busy(running.waitsFor);
      return { ok: false, error, late: running.wrote || this.#connection.hasFailed };
    } finally {
      running.ended = true;
    }
  }

  /** Commits. `onSent` is told when the database has been asked to, and not yet answered. */
  async commit(onSent = () => {}): Promise<void> {
    const connection = this.#connection;
    await connection.cache.tellChanges(connection.ask);
    chaos.reach('commit.begun');
    const committing = connection.commit();
    onSent();
    const command = await committing;
    // PostgreSQL answers this when a statement has failed and nobody noticed.
    if (command === 'ROLLBACK') throw new Error(ABORTED);
    chaos.reach('commit.done');
    connection.cache.committed();
  }

  async rollBack(): Promise<void> {
    await this.#connection.query('rollback');
  }
}

/** Runs a unit in a transaction of its own. One that comes to a lock which another has waits for it without a connection, and runs again. */
export async function runAlone<Result>(
  { connect, gate }: { connect: () => Promise<Connection>; gate: Gate },
  unit: Unit<Result>,
): Promise<Result> {
  const entered = new Set<string>();
  try {
    for (;;) {
      try {
        return await runOn(await connect(), unit, { gate, entered });
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        await gate.enter(error.lock);
        entered.add(error.lock);
      }
    }
  } finally {
    for (const name of entered) gate.leave(name);
  }
}

/** Runs a unit on a connection, and gives that back. */
async function runOn<Result>(connection: Connection, unit: Unit<Result>, turn: Turn): Promise<Result> {
  let broken = true;
  try {
    const transaction = await Transaction.begin(connection, turn);
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
