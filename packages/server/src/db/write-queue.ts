import type SQLite from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentUnit } from './store.ts';
import { isBusy, storageError } from './storage-errors.ts';

interface Queued {
  run: (id: object) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

// A commit at FULL costs a disk flush, some hundred microseconds; a unit costs ten. Grouping pays for the flush once.
// 200 units keep a group's transaction under 10 ms, so that a lone request behind it does not wait long.
const GROUP_MAX = 200;

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
  #queued: Queued[] = [];
  #flushing: Promise<void> | null = null;
  #current: object | null = null;

  constructor(database: SQLite.Database) {
    this.#database = database;
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
      await this.#flushGroup();
      // Sockets get their turn between two groups, and fill the next one.
      await new Promise<void>((done) => setImmediate(done));
    }
    this.#flushing = null;
  }

  async #flushGroup(): Promise<void> {
    const answers: (() => void)[] = [];
    const begun: Queued[] = [];
    try {
      await this.#begin();
      for (let unit = this.#queued.shift(); unit; unit = this.#queued.shift()) {
        begun.push(unit);
        answers.push(await this.#runInSavepoint(unit));
        if (begun.length === GROUP_MAX) break;
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      const lost = begun.length > 0 ? begun : this.#queued.splice(0);
      for (const unit of lost) unit.reject(storageError(error));
      return;
    }
    for (const answer of answers) answer();
  }

  /** Runs one unit and says how to answer it after the commit. Throws when the whole transaction is gone. */
  async #runInSavepoint(unit: Queued): Promise<() => void> {
    this.#database.exec('SAVEPOINT unit');
    const id = {};
    this.#current = id;
    try {
      const value = await withDeadline(unit.run(id));
      this.#current = null;
      this.#database.exec('RELEASE unit');
      return () => unit.resolve(value as never);
    } catch (error) {
      this.#current = null;
      // A full disk or an I/O error ends the transaction, not only the savepoint: nothing of the group is left.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec('ROLLBACK TO unit; RELEASE unit');
      return () => unit.reject(storageError(error));
    }
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + BUSY_DEADLINE_MS;
    for (;;) {
      try {
        // IMMEDIATE: a deferred transaction that reads first fails at its first write if another process wrote between.
        this.#database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(BUSY_STEP_MS);
      }
    }
  }
}

async function withDeadline<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new Error(`A unit of Store.write awaited something other than its tx for ${UNIT_DEADLINE_MS} ms.`),
      );
    }, UNIT_DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
