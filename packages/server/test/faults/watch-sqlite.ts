import SQLite from 'better-sqlite3';

/** Runs in place of a statement; `run` is the statement itself. */
type Instead = (run: () => SQLite.RunResult) => SQLite.RunResult;

/** The SQLite of this process, which tests can make fail beneath every layer of the server. */
export interface WatchedSqlite {
  /** Keeps a database file from growing, like a full disk. */
  fill(file: string): void;
  /** Lets database files grow again. */
  free(): void;
  /** Runs something in place of every later execution of this SQL. */
  instead(sql: string, run: Instead): void;
  restore(): void;
}

// The default of SQLite.
const UNLIMITED = 0xffff_fffe;

/** Watches the databases that are opened and the statements that are prepared, from now on. */
export function watchSqlite(): WatchedSqlite {
  const { pragma, prepare } = SQLite.prototype;
  const opened = new Set<SQLite.Database>();
  const replaced = new Map<string, Instead>();
  SQLite.prototype.pragma = function (this: SQLite.Database, ...parameters: Parameters<typeof pragma>) {
    opened.add(this);
    return pragma.apply(this, parameters);
  };
  SQLite.prototype.prepare = function (this: SQLite.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement) as (...parameters: unknown[]) => SQLite.RunResult;
    statement.run = (...parameters: unknown[]) => {
      const instead = replaced.get(sql);
      return instead ? instead(() => run(...parameters)) : run(...parameters);
    };
    return statement;
  } as typeof prepare;
  const each = (change: (database: SQLite.Database) => void): void => {
    for (const database of opened) if (database.open) change(database);
  };
  return {
    fill: (file) =>
      each((database) => {
        if (database.name !== file) return;
        const pages = Number(pragma.call(database, 'page_count', { simple: true }));
        pragma.call(database, `max_page_count = ${pages}`);
      }),
    free: () => each((database) => void pragma.call(database, `max_page_count = ${UNLIMITED}`)),
    instead: (sql, run) => void replaced.set(sql, run),
    restore: () => void Object.assign(SQLite.prototype, { pragma, prepare }),
  };
}
