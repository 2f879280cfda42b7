import SQLite from 'better-sqlite3';

/** Counts the successful attempts that a Hubline database holds, from outside the server. */
export function openAttemptCounter(database: string) {
  const db = new SQLite(database, { readonly: true });
  const count = db.prepare('select count(*) from deliveries where last_status = 200').pluck();
  return {
    recorded: async () => Number(count.get()),
    [Symbol.dispose]: () => void db.close(),
  };
}
