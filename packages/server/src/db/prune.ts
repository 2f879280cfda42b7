import { sql } from 'kysely';
import type { CachedTable } from './core/cache/sources.ts';
import type { Database, Db, Tx } from './core/schema.ts';

/** Tables whose rows are in the order of another key than their age, with that key and the time that makes a row old. */
const PRUNED = {
  jobs: { key: 'seq', time: 'failed_at' },
  sessions: { key: 'token_hash', time: 'expires_at' },
  oauth_flows: { key: 'id', time: 'created_at' },
  recoveries: { key: 'id', time: 'completed_at' },
} as const satisfies { [Table in Exclude<keyof Database, CachedTable>]?: object };

export type PrunedTable = keyof typeof PRUNED;
type Key = string | number;

interface Prune {
  /** The key to continue after; `null` at the beginning. */
  after: Key | null;
  /** A time as the table stores it: rows with an earlier one are removed, and never those without one. */
  before: Key;
  limit: number;
}

/** Rows that may be removed, and the key to continue after; `null` at the end. */
interface Prunable {
  keys: Key[];
  next: Key | null;
}

/** Reads the next rows of a table by its primary key: none of these tables has a suitable index by time. */
export async function listPrunable(
  db: Db,
  table: PrunedTable,
  { after, before, limit }: Prune,
): Promise<Prunable> {
  const { key, time } = PRUNED[table];
  const { rows } = await sql<{ key: Key; old: boolean | number | null }>`
    select ${sql.ref(key)} as "key", ${sql.ref(time)} < ${before} as "old" from ${sql.table(table)}
    ${after === null ? sql`` : sql`where ${sql.ref(key)} > ${after}`}
    order by ${sql.ref(key)} limit ${limit}`.execute(db);
  return {
    // SQLite returns 1 and 0.
    keys: rows.filter(({ old }) => Boolean(old)).map((row) => row.key),
    next: rows.length < limit ? null : (rows.at(-1)?.key ?? null),
  };
}

/** Removes rows that `listPrunable` has found, unless they are in use again, such as a failed job that was restarted. */
export async function prune(
  tx: Tx,
  table: PrunedTable,
  { keys, before }: { keys: readonly Key[]; before: Key },
): Promise<void> {
  const { key, time } = PRUNED[table];
  await sql`delete from ${sql.table(table)}
    where ${sql.ref(key)} in (${sql.join(keys)}) and ${sql.ref(time)} < ${before}`.execute(tx);
}
