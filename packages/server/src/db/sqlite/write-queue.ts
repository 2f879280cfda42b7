import type SQLite from 'better-sqlite3';
import { chaos } from '#chaos';
import { nextTurn, pause } from '../../clock/timer.ts';
import type { Awaitable } from '../core/awaitable.ts';
import type { Counted } from '../../domain/stats/tally.ts';
import { currentUnit, type UnitOptions, UnitRun } from '../core/store.ts';
import { EventLoopYield } from '../../clock/event-loop-yield.ts';
import { DiskFailure, isBusy, isUnconfirmed, sqliteError } from './sqlite-error.ts';
import { WaitingUnits, UnitOrder } from './waiting-units.ts';

interface Queued {
  readonly urgent: boolean;
  run: () => Awaitable<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  /** Its result or its failure, reported after the commit. */
  outcome: { value: unknown } | { error: unknown } | null;
}

/** Callbacks about commits. */
interface Listeners {
  /** Called at the end of a transaction with the counts of its units, to store them there. */
  onCounted?: (counted: readonly Counted[]) => void;
  /** Called with the number of units that shared a commit. */
  onCommit?: (units: number) => void;
  /** Called when the disk did not confirm a commit: every unit is refused from then on. */
  onFailure?: (failure: DiskFailure) => void;
}

// A commit at FULL costs a disk flush, a few hundred microseconds; a unit costs ten. Grouping pays for the flush once.
// At most this many urgent units and as many others form a group: a lone request behind it does not wait long.
const GROUP_MAX = 200;
// A unit may have to store a thousand deliveries. Once a group has taken this long, it is committed, and the rest of it is the next group:
// the results of attempts wait for the commit. With 50 ms, batches of events had a tenth less throughput (measured).
const GROUP_MS = 15;

// After a turn of the event loop that brings many units, more are on their way, and waiting for them saves commits. The wait ends after
// QUIET_TURNS without a new unit, and after COLLECT_MS at the latest. A lone unit does not wait. A timer of 2 ms instead
// gave a tenth less throughput, and delayed every unit by 1.4 ms (measured).
const CROWD = 2;
const QUIET_TURNS = 3;
const COLLECT_MS = 5;

// A unit may only wait for its queries. A unit that makes none for this long is waiting for something else, and holds up all others. Its
// total time says nothing: a batch may store a hundred thousand deliveries.
const UNIT_DEADLINE_MS = 2_000;

// The longest wait for a lock of another process, in small steps that leave the loop free. Then 503.
const BUSY_DEADLINE_MS = 5_000;
const BUSY_STEP_MS = 20;

/**
 * Group commit: the units of concurrent requests run one after another in one transaction, and each is settled after the
 * commit that holds it. A unit that throws is rolled back alone.
 */
export class WriteQueue {
  readonly #database: SQLite.Database;
  readonly #listeners: Listeners;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #waiting = new WaitingUnits<Queued>();
  /** The lead of urgent units at the end of the last transaction. */
  #urgentLeadMs = 0;
  #flushing: Promise<void> | null = null;
  #current: UnitRun | null = null;
  #wrote = false;
  /** The number of queries that units have made. */
  #queries = 0;
  #failure: DiskFailure | null = null;
  #writing = false;

  constructor(database: SQLite.Database, listeners: Listeners = {}) {
    this.#database = database;
    this.#listeners = listeners;
    this.#statements = prepare(database);
  }

  add<Result>(run: () => Awaitable<Result>, { urgent = false }: UnitOptions = {}): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.add({ urgent, run, resolve, reject, outcome: null });
      this.#flushing ??= this.#flushAll();
    });
  }

  /** True while a group has a transaction. Asking the connection instead costs a tenth of a lookup by key (measured). */
  get isWriting(): boolean {
    return this.#writing;
  }

  /** Waits until nothing is queued or under way. */
  async drain(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  /**
   * Notes that the current unit is about to read or write. Refuses a query that does not belong to it: it was not awaited,
   * or came too late.
   */
  enter(writes: boolean): void {
    if (this.#current === null || currentUnit.getStore() !== this.#current) {
      throw new Error(
        'A query ran outside the unit of Store.write that it belongs to: await it inside the unit.',
      );
    }
    this.#wrote ||= writes;
    this.#queries += 1;
  }

  /** Flushes until the queue is empty. Nothing is awaited between the last check of the queue and the end, so no unit is left behind. */
  async #flushAll(): Promise<void> {
    try {
      do {
        await this.#collect();
        await this.#flushGroup();
      } while (this.#waiting.length > 0);
    } finally {
      this.#flushing = null;
    }
  }

  /** Lets units of the same turn of the event loop join the group, and if there are many, those of the next turns. */
  async #collect(): Promise<void> {
    await nextTurn();
    if (this.#waiting.length < CROWD) return;
    const deadline = performance.now() + COLLECT_MS;
    let quiet = 0;
    while (quiet < QUIET_TURNS && this.#waiting.length < GROUP_MAX && performance.now() < deadline) {
      const before = this.#waiting.length;
      await nextTurn();
      quiet = this.#waiting.length > before ? 0 : quiet + 1;
    }
  }

  async #flushGroup(): Promise<void> {
    const group = this.#waiting.take(GROUP_MAX);
    let committed = 0;
    try {
      if (this.#failure) throw this.#failure.cause;
      const ended = await this.#commit(group);
      committed = ended.length;
      // Units behind one that timed out, or behind long ones, have not run.
      if (committed < group.length) this.#waiting.putBack(without(group, ended));
      for (const unit of ended) settle(unit);
    } catch (error) {
      for (const unit of group) unit.reject(sqliteError(error));
      if (isUnconfirmed(error)) this.#fail(error);
      this.#rollBack();
    } finally {
      this.#writing = false;
    }
    if (committed > 0) this.#listeners.onCommit?.(committed);
  }

  /** Leaves no transaction open. One that cannot be ended would absorb later units and never commit them. */
  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.#statements.rollback.run();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(cause: unknown): void {
    if (this.#failure) return;
    this.#failure = new DiskFailure({ cause });
    this.#listeners.onFailure?.(this.#failure);
  }

  /** Runs a group in a transaction; returns its units that have an outcome. */
  async #commit(group: readonly Queued[]): Promise<readonly Queued[]> {
    await this.#begin();
    let ended = await this.#runAll(group, false);
    if (ended === null) {
      this.#statements.rollback.run();
      await this.#begin();
      ended = (await this.#runAll(group, true)) ?? [];
    }
    chaos.reach('commit.begun');
    this.#statements.commit.run();
    chaos.reach('commit.done');
    return ended;
  }

  /**
   * Runs units, up to one that times out or the end of the group's time, and returns them; `null` if one failed after it had written, so
   * that all must be rolled back and run again, guarded by savepoints. Such failures are rare, and inside a savepoint SQLite copies every
   * page before it changes it: an insert costs twice as much there (measured).
   */
  async #runAll(group: readonly Queued[], guarded: boolean): Promise<readonly Queued[] | null> {
    const watchdog = new Watchdog(() => this.#queries);
    const run: GroupRun = { guarded, watchdog, running: null, ended: [], counted: [] };
    try {
      // One race for the group: a race for each unit left 1 KB of garbage (measured).
      const isDone = await Promise.race([this.#runEach(group, run), watchdog.fires]);
      const late = watchdog.fired ? run.running : null;
      const isKept = isDone && (!late || this.#failed(late, lateError(), run));
      if (!isKept) return null;
      if (run.counted.length > 0) this.#listeners.onCounted?.(run.counted);
      return run.ended;
    } finally {
      this.#current = null;
      watchdog.stop();
    }
  }

  /**
   * Runs units one after another, as many as the time of a group allows; `false` when all must be rolled back. Changes nothing more once
   * the watchdog has fired.
   */
  async #runEach(group: readonly Queued[], run: GroupRun): Promise<boolean> {
    const { guarded, watchdog } = run;
    const loop = new EventLoopYield();
    const order = new UnitOrder(group, this.#urgentLeadMs);
    const end = performance.now() + GROUP_MS;
    for (let unit = order.next(); unit; unit = order.next()) {
      if (loop.isDue) {
        if (run.ended.length > 0 && performance.now() > end) return true;
        await loop.yield();
      }
      if (watchdog.fired) return true;
      if (guarded) this.#statements.savepoint.run();
      // Identifies this run: queries left over from an earlier run are refused.
      const current = new UnitRun();
      this.#current = current;
      this.#wrote = false;
      run.running = unit;
      const begun = performance.now();
      try {
        const running = currentUnit.run(current, unit.run);
        const value = running instanceof Promise ? await running : running;
        if (watchdog.fired) return true;
        if (guarded) this.#statements.release.run();
        unit.outcome = { value };
        run.ended.push(unit);
        if (current.counted.length > 0) run.counted.push(...current.counted);
      } catch (error) {
        if (watchdog.fired) return true;
        if (!this.#failed(unit, error, run)) return false;
      }
      this.#current = null;
      run.running = null;
      order.spend(unit, performance.now() - begun);
      this.#urgentLeadMs = order.urgentLeadMs;
    }
    // The commit of megabytes takes as long as storing them.
    if (loop.isLate) await loop.yield();
    return true;
  }

  /** Notes that a unit has failed; `false` if it has written. Throws when the whole transaction is gone. */
  #failed(unit: Queued, error: unknown, run: GroupRun): boolean {
    // A full disk or an I/O error ends the transaction, not only the savepoint: nothing of the group is left.
    if (!this.#database.inTransaction) throw error;
    if (run.guarded) {
      this.#statements.rollbackTo.run();
      this.#statements.release.run();
    } else if (this.#wrote) {
      return false;
    }
    unit.outcome = { error };
    run.ended.push(unit);
    return true;
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + BUSY_DEADLINE_MS;
    for (;;) {
      try {
        this.#statements.begin.run();
        this.#writing = true;
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await pause(BUSY_STEP_MS);
      }
    }
  }
}

/** Prepares the statements of transactions once: parsing them would cost as much as a unit does. */
function prepare(database: SQLite.Database) {
  return {
    // IMMEDIATE: a deferred transaction that reads first fails at its first write if another process wrote in
    // between.
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    savepoint: database.prepare('SAVEPOINT unit'),
    release: database.prepare('RELEASE unit'),
    rollbackTo: database.prepare('ROLLBACK TO unit'),
  };
}

/** A run of a group. */
interface GroupRun {
  readonly guarded: boolean;
  readonly watchdog: Watchdog;
  /** The unit that runs now. */
  running: Queued | null;
  /** The units that have an outcome, in the order in which they ran. */
  readonly ended: Queued[];
  /** The counts of the units that succeeded. */
  readonly counted: Counted[];
}

const without = (group: readonly Queued[], ended: readonly Queued[]): Queued[] => {
  const gone = new Set(ended);
  return group.filter((unit) => !gone.has(unit));
};

/** Settles the promise of a unit with its outcome. */
function settle({ outcome, resolve, reject }: Queued): void {
  if (outcome && 'value' in outcome) resolve(outcome.value as never);
  else reject(sqliteError(outcome?.error));
}

const lateError = () =>
  new Error(`A unit of Store.write awaited something other than its tx for ${UNIT_DEADLINE_MS} ms.`);

/** Catches the unit of a group that awaits something other than its queries. One timer for the group, not one for each. */
class Watchdog {
  readonly fires: Promise<true>;
  fired = false;
  #timer: NodeJS.Timeout;

  /** `progress` counts the queries. */
  constructor(progress: () => number) {
    const { promise, resolve } = Promise.withResolvers<true>();
    this.fires = promise;
    let seen = progress();
    const look = () => {
      const now = progress();
      this.fired = now === seen;
      if (this.fired) return resolve(true);
      seen = now;
      this.#timer = setTimeout(look, UNIT_DEADLINE_MS);
    };
    this.#timer = setTimeout(look, UNIT_DEADLINE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
