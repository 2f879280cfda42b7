import SQLite from 'better-sqlite3';

type Prepare = (sql: string) => SQLite.Statement;

/** Installs a hook between the program and SQLite, which is called with every statement before it is prepared. */
export function onPrepare(
  between: (sql: string, prepare: Prepare, database: SQLite.Database) => unknown,
): void {
  const { prepare } = SQLite.prototype;
  SQLite.prototype.prepare = function (this: SQLite.Database, sql: string) {
    return between(sql, (changed) => prepare.call(this, changed), this) as never;
  };
}
