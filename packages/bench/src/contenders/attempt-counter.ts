import SQLite from 'better-sqlite3';

/** Counts the successful attempts that a Hubline database holds, from outside of the server. */
export function openAttemptCounter(database: string) {
  const db = new SQLite(database, { readonly: true });
  // An attempt and its delivery's state are one transaction. To count deliveries would read their bodies.
  const count = db.prepare('select count(*) from attempts where response_status = 200').pluck();
  return {
    recorded: async () => Number(count.get()),
    [Symbol.dispose]: () => void db.close(),
  };
}
