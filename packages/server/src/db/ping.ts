import { sql } from 'kysely';
import type { Db } from './core/schema.ts';

/** Waits until the database responds, whatever it holds. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
