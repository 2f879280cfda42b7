import type { Db, Tx } from '../core/schema.ts';
import { type Counted, Tally } from '../../domain/stats/tally.ts';

// Adding up a row changes a few rows for each of its parts, and must stay a small step.
const PARTS_MAX = 50;
// A text has some hundred bytes and takes a microsecond to read.
const ROWS_AT_ONCE = 500;

/** The counts of a transaction, as the texts of the rows to store in it. */
export function tallyTexts(counted: readonly Counted[]): string[] {
  const tally = new Tally();
  for (const one of counted) tally.count(one);
  return tally.texts(PARTS_MAX);
}

/** True while counts wait to be added up. */
export const hasTallies = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('stats_tallies').select('seq').limit(1).executeTakeFirst()) !== undefined;

/** Takes rows out of the table until their counts have `parts` parts; `isLast` when none are left. */
export async function takeTallies(tx: Tx, parts: number): Promise<{ tally: Tally; isLast: boolean }> {
  const tally = new Tally();
  const rows = await tx.selectFrom('stats_tallies').selectAll().orderBy('seq').limit(ROWS_AT_ONCE).execute();
  const added = new Set<number>();
  for (const { seq, counts } of rows) {
    if (tally.parts.length >= parts) break;
    tally.add(counts);
    added.add(seq);
  }
  if (added.size > 0) {
    // On PostgreSQL, lower numbers than those it has read may have been committed since.
    const removed = await tx
      .deleteFrom('stats_tallies')
      .where('seq', '<=', Math.max(...added))
      .returningAll()
      .execute();
    for (const { seq, counts } of removed) if (!added.has(seq)) tally.add(counts);
  }
  return { tally, isLast: added.size === rows.length && rows.length < ROWS_AT_ONCE };
}
