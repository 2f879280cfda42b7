import type SQLite from 'better-sqlite3';
import { openFile } from './file/open-file.ts';
import { makePrivate } from './file/private-file.ts';
import { Kysely } from 'kysely';
import { useCache } from '../core/cache/cache.ts';
import { runDirectly } from '../core/queries/prepared-query.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import { PlannedOnceDialect } from './planned-once.ts';
import { SqliteCache } from './sqlite-cache.ts';
import type { DiskFailure } from './sqlite-error.ts';
import { refuseInsideUnit, type Store } from '../core/store.ts';
import { tallyTexts } from '../workspaces/stats-tallies.ts';
import { WriteQueue } from './write-queue.ts';

export interface SqliteOptions {
  /** `FULL` makes an acknowledged write survive a power cut, `NORMAL` only a crash of the process. Default `FULL`. */
  synchronous?: 'FULL' | 'NORMAL';
  /** Called with the number of units that shared a commit. */
  onCommit?: ((units: number) => void) | undefined;
  /** Called when the disk did not confirm a commit: nothing is stored from then on. */
  onFailure?: ((failure: DiskFailure) => void) | undefined;
}

// Statements are few and long-lived: a cache saves the 57 µs that preparing one costs on every call.
const STATEMENTS_MAX = 500;

/**
 * Opens or creates a SQLite database. Writes go through one connection in groups. Reads share it: its page cache is warm, while another
 * connection's is invalid after every commit (a lookup by key takes 6 µs instead of 50, measured). Only while a group is being written do
 * they use a second connection, which sees only committed rows.
 */
export function openSqlite(
  file: string,
  { synchronous = 'FULL', onCommit, onFailure }: SqliteOptions = {},
): Store {
  makePrivate(file);
  const writer = connect(file, synchronous);
  // First, the log of an earlier process is copied into the database and confirmed. If that process ended because the disk did not confirm
  // the log, the log may exist only in the system's memory.
  writer.pragma('wal_checkpoint(TRUNCATE)');
  const reader = connect(file, synchronous);
  reader.pragma('query_only = ON');

  // Counts the commits of all other connections.
  const dataVersion = writer.prepare('PRAGMA data_version').pluck();
  const foreignVersion = () => dataVersion.get() as number;
  const cache = new SqliteCache(foreignVersion);
  const queue = new WriteQueue(writer, {
    onCounted(counted) {
      for (const text of tallyTexts(counted)) warm('insert into stats_tallies (counts) values (?)').run(text);
    },
    onCommit(units) {
      cache.committed();
      onCommit?.(units);
    },
    onFailure: (failure) => onFailure?.(failure),
  });
  const [warm, committed] = [statementsOf(writer), statementsOf(reader)];
  const tx = handle((sql) => {
    const statement = warm(sql);
    const writes = !statement.readonly;
    return () => {
      queue.enter(writes);
      return statement;
    };
  }) as Tx;
  useCache(tx, cache.use({ inUnit: true }));
  const read = handle((sql) => {
    let [onWriter, onReader]: (SQLite.Statement | undefined)[] = [];
    return () => (queue.isWriting ? (onReader ??= committed(sql)) : (onWriter ??= warm(sql)));
  });
  useCache(read, cache.use({ inUnit: false }));

  return {
    dialect: 'sqlite',
    shared: false,
    peers: null,
    foreignVersion,
    get read() {
      refuseInsideUnit('Store.read');
      return read;
    },
    write: (unit, options) => {
      refuseInsideUnit('Store.write');
      return queue.add(() => unit(tx), options);
    },
    async close() {
      await queue.drain();
      await Promise.all([tx.destroy(), read.destroy()]);
      writer.close();
      reader.close();
    },
  };
}

function connect(file: string, synchronous: 'FULL' | 'NORMAL'): SQLite.Database {
  const database = openFile(file);
  database.pragma('journal_mode = WAL');
  // better-sqlite3 opens a new WAL database at FULL and an existing one at NORMAL: set it, and check it.
  database.pragma(`synchronous = ${synchronous}`);
  const level = database.pragma('synchronous', { simple: true });
  if (level !== (synchronous === 'FULL' ? 2 : 1)) {
    throw new Error(`SQLite did not accept synchronous = ${synchronous}; it reports ${String(level)}.`);
  }
  // A checkpoint every 16 MB: pages that are written again and again are copied into the database once (a
  // fifth less time per commit than with SQLite's 4 MB, measured).
  database.pragma('wal_autocheckpoint = 4000');
  // 4 MB. When it commits after splitting a page, SQLite walks through its whole page cache: with 32 MB, writing an event took 4 to 10%
  // longer, for one webhook and for 5,000 (measured). Other pages are still in the system's own cache.
  database.pragma('cache_size = -4000');
  database.pragma('foreign_keys = ON');
  database.pragma('secure_delete = ON');
  // The driver is synchronous: waiting for a lock stops the whole server. The queue retries without blocking.
  database.pragma('busy_timeout = 100');
  return database;
}

type Prepare = (sql: string) => SQLite.Statement;

/** Prepares each statement of a connection once. */
function statementsOf(database: SQLite.Database): Prepare {
  const statements = new Map<string, SQLite.Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      if (statements.size >= STATEMENTS_MAX) statements.clear();
      statements.set(sql, statement);
    }
    return statement;
  };
}

/**
 * A handle for Kysely and for prepared queries. `choose` picks the statement that a call of some SQL runs.
 * The store closes the connections.
 */
function handle(choose: (sql: string) => () => SQLite.Statement): Db {
  const db = new Kysely<Database>({
    dialect: new PlannedOnceDialect({ database: { prepare: (sql) => choose(sql)(), close: () => {} } }),
  });
  runDirectly(db, (sql) => {
    const chosen = choose(sql);
    return {
      all: (values) => chosen().all(...values),
      first: (values) => chosen().get(...values),
      change: (values) => {
        const { changes, lastInsertRowid } = chosen().run(...values);
        return { rows: changes, seq: Number(lastInsertRowid) };
      },
    };
  });
  return db;
}
