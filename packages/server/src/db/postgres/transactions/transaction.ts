import { chaos } from '#chaos';
import type { Awaitable } from '../../core/awaitable.ts';
import type { Tx } from '../../core/schema.ts';
import type { Counted } from '../../../domain/stats/tally.ts';
import { currentUnit } from '../../core/store.ts';
import { tallyTexts } from '../../workspaces/stats-tallies.ts';
import type { Gate } from './gate.ts';
import type { Connection } from './connection.ts';
import { type GatePass, RunningUnit } from './running-unit.ts';

/** Work for a transaction. */
export type Unit<Result> = (tx: Tx) => Awaitable<Result>;

/** A unit that has ended. */
export type Ended =
  | { ok: true; value: unknown }
  /** `late`: it had written, or a statement had failed. It can only be undone with the whole transaction. */
  | { ok: false; error: unknown; late: boolean };

// Locks are taken in the order of the array, which is sorted, so that two units that lock several never
// deadlock. They come first in their transaction, which then sees everything that others have committed.
const LOCK = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`;

const STORE_TALLIES = 'insert into stats_tallies (counts) select unnest($1::text[])';

/** The error of a unit that swallowed the error of a statement. */
export const ABORTED = 'A statement of the unit failed: nothing of it is committed.';

/** The unit needs a lock that another unit holds. */
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
  readonly #pass: GatePass;
  /** The counts of the units that succeeded. */
  readonly #counted: Counted[] = [];

  private constructor(
    connection: Connection,
    { locked, pass }: { locked: ReadonlySet<string> | null; pass: GatePass },
  ) {
    this.#connection = connection;
    this.#locked = locked;
    this.#pass = pass;
  }

  /** Begins a transaction for a unit that takes its own locks. */
  static async begin(connection: Connection, pass: GatePass): Promise<Transaction> {
    connection.cache.begin(false);
    await connection.begin();
    return new Transaction(connection, { locked: null, pass });
  }

  /**
   * Begins a transaction with the locks of its units, and a cache that is current under them, in one round
   * trip.
   */
  static async beginLocked(connection: Connection, pass: GatePass): Promise<Transaction> {
    const names = pass.entered;
    connection.cache.begin(true);
    await Promise.all([
      connection.begin(),
      connection.query(LOCK, [[...names].sort()]),
      connection.catchUp(),
    ]);
    return new Transaction(connection, { locked: names, pass });
  }

  async run(unit: Unit<unknown>): Promise<Ended> {
    const running = new RunningUnit(this.#connection, { locked: this.#locked, pass: this.#pass });
    try {
      const value = await currentUnit.run(running, () => unit(this.#connection.tx));
      if (running.waitsFor !== null) throw new Busy(running.waitsFor);
      this.#counted.push(...running.counted);
      return { ok: true, value };
    } catch (cause) {
      const error = running.waitsFor === null ? cause : new Busy(running.waitsFor);
      return { ok: false, error, late: running.wrote || this.#connection.hasFailed };
    } finally {
      running.ended = true;
    }
  }

  /** Commits. `onSent` is called when the commit is sent, before the database has confirmed it. */
  async commit(onSent = () => {}): Promise<void> {
    const connection = this.#connection;
    await connection.cache.logChanges(connection.ask);
    // Sent together: an insert that fails turns the commit into a rollback.
    const storing = this.#storeCounted();
    chaos.reach('commit.begun');
    const committing = connection.commit();
    onSent();
    const [command] = await Promise.all([committing, storing]);
    // PostgreSQL reports this when a statement has failed and nobody noticed.
    if (command === 'ROLLBACK') throw new Error(ABORTED);
    chaos.reach('commit.done');
    connection.cache.committed();
  }

  async #storeCounted(): Promise<void> {
    if (this.#counted.length > 0) await this.#connection.query(STORE_TALLIES, [tallyTexts(this.#counted)]);
  }

  async rollBack(): Promise<void> {
    await this.#connection.query('rollback');
  }
}

/**
 * Runs a unit in its own transaction. If it needs a lock that another holds, it waits for it without a
 * connection, and runs again.
 */
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

/** Runs a unit on a connection, then releases the connection. */
async function runOn<Result>(connection: Connection, unit: Unit<Result>, pass: GatePass): Promise<Result> {
  let broken = true;
  try {
    const transaction = await Transaction.begin(connection, pass);
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
