import { type SeenOptions, type SeenStore, seenTimes } from './seen.ts';

/**
 * The methods of a database handle that are used: `node:sqlite`, `better-sqlite3` and `bun:sqlite` have them.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { sqliteSeen, type SqliteDatabase } from '@hubline/webhooks/sqlite';
 *
 * const open = (file: string): SqliteDatabase => new DatabaseSync(file); // or new Database(file) of better-sqlite3 or bun:sqlite
 * const seen = sqliteSeen(open(':memory:'));
 * ```
 */
export interface SqliteDatabase {
  /** Runs statements that return no rows. */
  exec(sql: string): unknown;
  /** Compiles one statement; `get` returns its first row, if there is one. */
  prepare(sql: string): {
    get(...values: (string | number)[]): unknown;
    run(...values: (string | number)[]): unknown;
  };
}

/**
 * Options of {@link sqliteSeen}.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { sqliteSeen } from '@hubline/webhooks/sqlite';
 *
 * const seen = sqliteSeen(new DatabaseSync(':memory:'), { table: 'hubline_orders', ttl: 7 * 86_400 });
 * console.log(await seen.claim('dlv_01')); // new
 * ```
 */
export interface SqliteSeenOptions extends SeenOptions {
  /**
   * The table to use. It is created if it does not exist.
   *
   * @default 'hubline_seen'
   */
  table?: string | undefined;
}

/**
 * A `SeenStore` in SQLite. It survives restarts, and serves all processes that open the same file.
 *
 * @param database - An open handle. It stays yours: nothing here closes it, or changes its settings, with one exception: a handle that
 * does not wait for a locked file will wait up to 5 seconds.
 * @throws RangeError when a number is not positive, or `table` is not a plain name.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { webhook } from '@hubline/webhooks/node';
 * import { sqliteSeen } from '@hubline/webhooks/sqlite';
 *
 * const seen = sqliteSeen(new DatabaseSync('webhooks.db'));
 * export const receive = webhook({ secret: process.env.HUBLINE_WEBHOOK_SECRET, seen }, (event) => console.log(event.id));
 * ```
 */
export function sqliteSeen(database: SqliteDatabase, options: SqliteSeenOptions = {}): SeenStore {
  const { ttl, lease } = seenTimes(options);
  const { table = 'hubline_seen' } = options;
  if (!/^[A-Za-z_]\w*$/.test(table))
    throw new RangeError('table must be a plain name: letters, digits and _.');
  // node:sqlite and bun:sqlite fail at once when another process writes, unless they are told to wait; better-sqlite3 waits 5 seconds.
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number | bigint };
  if (!timeout) database.exec('PRAGMA busy_timeout = 5000');
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, done INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${table}_until ON ${table} (until);
  `);
  // One statement decides, so two processes cannot both claim a delivery: its row is new, or has expired.
  const take = database.prepare(`
    INSERT INTO ${table} (id, done, until) VALUES (?, 0, ?)
    ON CONFLICT (id) DO UPDATE SET done = 0, until = excluded.until WHERE until <= ?
    RETURNING id
  `);
  const read = database.prepare(`SELECT id FROM ${table} WHERE id = ? AND done = 1`);
  const finish = database.prepare(`
    INSERT INTO ${table} (id, done, until) VALUES (?, 1, ?)
    ON CONFLICT (id) DO UPDATE SET done = 1, until = excluded.until
  `);
  const forget = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
  const sweep = database.prepare(`DELETE FROM ${table} WHERE until <= ?`);

  return {
    claim(id) {
      const now = Date.now();
      if (take.get(id, now + lease, now)) {
        sweep.run(now);
        return 'new';
      }
      return read.get(id) ? 'done' : 'processing';
    },
    complete: (id) => finish.run(id, Date.now() + ttl),
    release: (id) => forget.run(id),
  };
}
