import { sql } from 'kysely';
import type { Tx } from './schema.ts';
import type { Dialect } from './store.ts';

/**
 * Makes units about one thing run one after another, where the rule that they check spans rows. SQLite runs all units so;
 * PostgreSQL takes a lock until the commit.
 */
export async function lock(tx: Tx, dialect: Dialect, name: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
