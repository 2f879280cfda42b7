import type pg from 'pg';

// A unit may wait for locks of other units. This is longer than PostgreSQL lets a frozen process keep its locks (10 s), and short enough
// that a request is answered before its client gives up.
const OF_UNIT = '15s';
// A migration may wait for that of another process, which may be changing a large table.
const OF_MIGRATION = '10min';
// A statement outside a unit never waits for a unit, only for a table that somebody has locked. This is shorter than the wait for a
// connection: many such statements may have all connections, and the requests behind them still get one.
const OF_READ = '4s';

// A unit sees what others have committed while it waited for its locks. The level is repeated here, because behind a pooler a transaction
// may run in a session that lacks the settings of its connection.
const BEGIN = 'begin isolation level read committed';

// An administrator may set lock_timeout for the database, the user, the server or in the URL. Then it has another source, even if the value
// is 0.
const IS_DEFAULT = `from pg_settings where name = 'lock_timeout' and source = 'default'`;

// While a connection is being set up, its session may have our limit of reads already.
const IS_OURS = `${IS_DEFAULT} or name = 'lock_timeout' and current_setting(name) = '${OF_READ}'`;

/** Gives migrations more time for their locks; an administrator's setting stays, unless it is the same as our own for units. */
export const ALLOW_LONG_MIGRATION = `
  select set_config('lock_timeout', '${OF_MIGRATION}', true) where current_setting('lock_timeout') = '${OF_UNIT}'`;

/** Shortens the waits of a unit whose caller needs an answer soon, even without the lock. */
export const WAIT_BRIEFLY = `set local lock_timeout = '1s'`;

/**
 * Limits waits for locks, unless an administrator does: otherwise a table that somebody has locked would keep all connections waiting, and
 * the server would respond to nothing. A connection with a session of its own sets the limit of reads once. A pooler may run every
 * transaction in another session, so there a statement outside a unit gets a transaction that begins with it.
 */
export class LockTimeout {
  /** Begins a transaction for units. Until a connection has been set up, PostgreSQL decides about the limit each time. */
  begin = `${BEGIN}; select set_config('lock_timeout', '${OF_UNIT}', true) ${IS_OURS}`;
  /** Begins a transaction for a statement outside a unit; `null` if it needs none. */
  #beginRead: string | null = null;

  /**
   * Sets up a new connection, before anything else is sent on it. Reports whether a pooler is in between: it numbers sessions by itself.
   */
  async setUp(client: pg.ClientBase): Promise<boolean> {
    const own = (client as unknown as { processID: number | null }).processID ?? 0;
    const { rows } = await client.query<{ pid: number; limits: boolean }>(
      `select pid, exists (select ${IS_DEFAULT}) as limits,
        (select set_config('lock_timeout', '${OF_READ}', false) ${IS_DEFAULT} and pid = $1) as limit
      from pg_backend_pid() as pid`,
      [own],
    );
    const isPooled = rows[0]?.pid !== own;
    const limits = rows[0]?.limits === true;
    this.begin = limits ? `${BEGIN}; set local lock_timeout = '${OF_UNIT}'` : BEGIN;
    this.#beginRead = limits && isPooled ? `${BEGIN}; set local lock_timeout = '${OF_READ}'` : null;
    return isPooled;
  }

  /** Runs a statement outside a unit. */
  async run<Result>(client: pg.ClientBase, send: () => Promise<Result>): Promise<Result> {
    if (this.#beginRead === null) return send();
    // Sent together. If the statement fails, the commit is a rollback.
    const results = await Promise.allSettled([client.query(this.#beginRead), send(), client.query('commit')]);
    for (const one of results) if (one.status === 'rejected') throw one.reason;
    return (results[1] as PromiseFulfilledResult<Result>).value;
  }
}
