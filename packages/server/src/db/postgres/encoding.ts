import { sql } from 'kysely';
import type { Db } from '../core/schema.ts';

/** The encoding in which a database stores texts, such as `UTF8`. */
export async function encodingOf(db: Db): Promise<string> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  return rows[0]?.server_encoding ?? '';
}
