import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { useCache } from '../../core/cache/cache.ts';
import type { Database, Tx } from '../../core/schema.ts';
import { isReadOnly, postgresError } from '../postgres-error.ts';
import { StorageLocked, StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import type { Ask, PostgresCache, UnitCache } from '../postgres-cache.ts';
import type { LockTimeout } from './lock-timeout.ts';
import type { StatementNames } from '../statement-names.ts';
import { runningUnit } from './running-unit.ts';

// The function of PostgreSQL that waits for replicas. A wait that an administrator cancels ends in a warning, and the commit succeeds.
const WAIT_FOR_REPLICAS = 'SyncRepWaitForLSN';
const UNREPLICATED = 'The wait for a synchronous replica was cancelled: a failover may lose the commit';

interface ConnectionOptions {
  names: StatementNames;
  cache: PostgresCache;
  lockTimeout: LockTimeout;
  /** Called when nobody knows whether a commit has happened. */
  onDoubt: () => void;
}

/** A connection of the pool, with the handle of the units that run on it. */
export class Connection {
  /** Refuses every query outside a unit of this connection. */
  readonly tx: Tx;
  readonly cache: UnitCache;
  /** True if a statement of the open transaction has failed: the transaction can only be rolled back. */
  hasFailed = false;
  /** The error of a statement of the open transaction that has waited too long for a lock. */
  locked: StorageLocked | undefined;
  /** The number of queries that were sent. */
  queries = 0;
  #isReadOnly = false;
  #isUnreplicated = false;
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #cache: PostgresCache;
  readonly #lockTimeout: LockTimeout;
  readonly #onDoubt: () => void;

  constructor(client: pg.PoolClient, { names, cache, lockTimeout, onDoubt }: ConnectionOptions) {
    this.#client = client;
    client.on('notice', ({ routine }) => {
      this.#isUnreplicated ||= routine === WAIT_FOR_REPLICAS;
    });
    this.#onDoubt = onDoubt;
    this.#names = names;
    this.#lockTimeout = lockTimeout;
    this.#cache = cache;
    this.cache = cache.forUnits();
    const queryOfUnit = (text: string, values: readonly unknown[]) => {
      this.#enter(text);
      return this.query(text, values);
    };
    const only: PostgresPoolClient = {
      // The other form of `query`, with a cursor, needs a cursor in the dialect's options.
      query: queryOfUnit as unknown as PostgresPoolClient['query'],
      release: () => {},
    };
    const pool = { options: {}, connect: () => Promise.resolve(only), end: () => Promise.resolve() };
    this.tx = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }) as Tx;
    useCache(this.tx, this.cache);
  }

  /** Sends a statement at once, behind those whose results have not come yet. */
  query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const name = values.length > 0 ? this.#names.of(text) : undefined;
    this.queries += 1;
    return this.#client.query({ name, text, values: [...values] }).catch((error: unknown) => {
      this.hasFailed = true;
      this.#isReadOnly ||= isReadOnly(error);
      const translated = postgresError(error);
      if (translated instanceof StorageLocked) this.locked = translated;
      throw translated;
    });
  }

  /** Begins a transaction. */
  begin(): Promise<unknown> {
    this.hasFailed = false;
    this.locked = undefined;
    return this.query(this.#lockTimeout.begin);
  }

  /** Commits. Returns the command that PostgreSQL has run: `COMMIT` or `ROLLBACK`. */
  async commit(): Promise<string> {
    try {
      const { command } = await this.query('commit');
      if (this.#isUnreplicated) throw new StorageUnavailable({ cause: new Error(UNREPLICATED) });
      return command;
    } catch (error) {
      this.#onDoubt();
      throw error;
    }
  }

  readonly ask: Ask = async (text, values) => (await this.query(text, values)).rows as unknown[];

  /** Brings the cache of the process up to date. */
  catchUp(): Promise<void> {
    return this.#cache.catchUp(this.ask);
  }

  /** Returns the connection to the pool. One that may be in the middle of something, or that takes no writes, is closed instead. */
  release({ broken }: { broken: boolean }): void {
    this.#client.release(broken || this.#isReadOnly);
  }

  /** Notes that the current unit is about to read or write. Refuses a query that was not awaited, or comes too late. */
  #enter(text: string): void {
    const unit = runningUnit();
    if (unit?.connection !== this || unit.ended) {
      throw new Error(
        'A query ran outside the unit of Store.write that it belongs to: await it inside the unit.',
      );
    }
    unit.wrote ||= !text.startsWith('select');
  }
}
