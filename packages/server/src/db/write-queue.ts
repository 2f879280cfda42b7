import type SQLite from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { chaos } from '#chaos';
import { currentUnit } from './store.ts';
import { isBusy, sqliteError } from './storage-errors.ts';

interface Queued {
  run: (id: object) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

// A commit at FULL costs a disk flush, some hundred microseconds; a unit costs ten. Grouping pays for the flush once.
// 200 units keep a group's transaction under 10 ms, so that a lone request behind it does not wait long.
const GROUP_MAX = 200;

// When a group had this many units, others are on their way: waiting this long for them saves their commits.
const CROWD = 4;
const COLLECT_MS = 2;

// A unit only ever waits for microtasks. One that is still running after this long awaits something else, and
// everybody else waits for it.
const UNIT_DEADLINE_MS = 2_000;

// How long a lock held by another process is waited for, in small steps that leave the loop free, before 503.
const BUSY_DEADLINE_MS = 5_000;
const BUSY_STEP_MS = 20;

/**
 * Group commit: the units of concurrent requests run one after another in one transaction, each in a savepoint, and
 * each is answered after the commit that holds it. A unit that throws is rolled back alone.
 */
export class WriteQueue {
  readonly #database: SQLite.Database;
  readonly #onCommit: (units: number) => void;
  readonly #statements: ReturnType<typeof prepare>;
  #queued: Queued[] = [];
  #flushing: Promise<void> | null = null;
  #current: object | null = null;

  /** `onCommit` is told how many units shared a commit. */
  constructor(database: SQLite.Database, onCommit: (units: number) => void = () => {}) {
    this.#database = database;
    this.#onCommit = onCommit;
    this.#statements = prepare(database);
  }

  add<Result>(run: (id: object) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queued.push({ run, resolve, reject });
      // The end of this turn of the loop: what other sockets brought in the same turn joins the group.
      this.#flushing ??= new Promise<void>((done) => setImmediate(done)).then(() => this.#flushAll());
    });
  }

  /** Waits until nothing is queued or under way. */
  async drain(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  /** Refuses a query that does not belong to the unit whose savepoint is open: it was not awaited, or came too late. */
  assertCurrent(): void {
    if (this.#current === null || currentUnit.getStore() !== this.#current) {
      throw new Error(
        'A query ran outside the unit of Store.write that it belongs to: await it inside the unit.',
      );
    }
  }

  async #flushAll(): Promise<void> {
    while (this.#queued.length > 0) {
      const size = Math.min(this.#queued.length, GROUP_MAX);
      await this.#flushGroup();
      // Sockets get their turn between two groups, and fill the next one. A lone unit is not made to wait for others.
      await new Promise<void>((done) => (size < CROWD ? setImmediate(done) : setTimeout(done, COLLECT_MS)));
    }
    this.#flushing = null;
  }

  async #flushGroup(): Promise<void> {
    const group = this.#queued.splice(0, GROUP_MAX);
    const answers: (() => void)[] = [];
    const watchdog = new Watchdog();
    let begun = 0;
    try {
      await this.#begin();
      watchdog.start();
      for (const unit of group) {
        begun += 1;
        answers.push(await this.#runInSavepoint(unit, watchdog));
        if (watchdog.fired) break;
      }
      chaos.reach('commit.begun');
      this.#statements.commit.run();
      chaos.reach('commit.done');
      this.#onCommit(begun);
      for (const answer of answers) answer();
    } catch (error) {
      if (this.#database.inTransaction) this.#statements.rollback.run();
      // A transaction that did not even begin takes nobody along but those who would have been in it.
      begun ||= group.length;
      for (const unit of group.slice(0, begun)) unit.reject(sqliteError(error));
    } finally {
      watchdog.stop();
      this.#queued.unshift(...group.slice(begun));
    }
  }

  /** Runs one unit and says how to answer it after the commit. Throws when the whole transaction is gone. */
  async #runInSavepoint(unit: Queued, watchdog: Watchdog): Promise<() => void> {
    this.#statements.savepoint.run();
    const id = {};
    this.#current = id;
    try {
      const value = await Promise.race([unit.run(id), watchdog.late]);
      this.#current = null;
      this.#statements.release.run();
      return () => unit.resolve(value as never);
    } catch (error) {
      this.#current = null;
      // A full disk or an I/O error ends the transaction, not only the savepoint: nothing of the group is left.
      if (!this.#database.inTransaction) throw error;
      this.#statements.rollbackTo.run();
      this.#statements.release.run();
      return () => unit.reject(sqliteError(error));
    }
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + BUSY_DEADLINE_MS;
    for (;;) {
      try {
        this.#statements.begin.run();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(BUSY_STEP_MS);
      }
    }
  }
}

/** Held, because parsing them would cost as much as a unit does. */
function prepare(database: SQLite.Database) {
  return {
    // IMMEDIATE: a deferred transaction that reads first fails at its first write if another process wrote between.
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    savepoint: database.prepare('SAVEPOINT unit'),
    release: database.prepare('RELEASE unit'),
    rollbackTo: database.prepare('ROLLBACK TO unit'),
  };
}

/** Catches the unit of a group that awaits something other than its queries. One timer for the group, not one for each. */
class Watchdog {
  readonly late: Promise<never>;
  fired = false;
  readonly #reject: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    const { promise, reject } = Promise.withResolvers<never>();
    // Nobody waits for it when the group is done in time.
    promise.catch(() => {});
    this.late = promise;
    this.#reject = reject;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.fired = true;
      this.#reject(
        new Error(`A unit of Store.write awaited something other than its tx for ${UNIT_DEADLINE_MS} ms.`),
      );
    }, UNIT_DEADLINE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
