import type { Db, Tx } from '../core/schema.ts';
import { type Counted, Tally } from '../../domain/stats/tally.ts';

// Adding up a row changes a few rows for each of its parts, and must stay a small step.
const PARTS_MAX = 50;
// Up to 5,000 parts, which are read and merged in a few milliseconds.
const ROWS_AT_ONCE = 100;

/** The counts of a transaction, as the texts of the rows to store in it. */
export function tallyTexts(counted: readonly Counted[]): string[] {
  const tally = new Tally();
  for (const one of counted) tally.count(one);
  return tally.texts(PARTS_MAX);
}

/** The number of the newest row; 0 if no counts wait to be added up. */
export async function newestTally(db: Db): Promise<number> {
  const row = await db
    .selectFrom('stats_tallies')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Rows to read: those after a number, up to another. */
interface Range {
  after: number;
  until: number;
}

/**
 * Merges the first rows of a range: each transaction has a row of its own, most of them about the same webhooks. Sorts their parts, so that
 * a step that adds some up changes a few pages of the table, not one for each webhook. Returns the number after which to continue. The
 * merged rows keep old numbers, so that a reader that adds up to a number includes them.
 */
export async function mergeTallies(tx: Tx, { after, until }: Range): Promise<number> {
  const rows = await rowsIn(tx, { after, until });
  const next = rows.length < ROWS_AT_ONCE ? until : Math.max(...rows.map(({ seq }) => seq));
  const tally = tallyOf(rows);
  tally.sort();
  const texts = tally.texts(PARTS_MAX);
  // Adding up a row that fits one step merges it.
  if (texts.length <= 1) return next;
  for (const [index, { seq }] of rows.slice(0, texts.length).entries())
    await tx
      .updateTable('stats_tallies')
      .set('counts', texts[index] ?? '')
      .where('seq', '=', seq)
      .execute();
  const merged = rows.slice(texts.length).map(({ seq }) => seq);
  if (merged.length > 0) await tx.deleteFrom('stats_tallies').where('seq', 'in', merged).execute();
  return next;
}

/** Takes out the first rows, up to a number, with as many parts as a step adds up; `isLast` when no such rows are left. */
export async function takeTallies(tx: Tx, until: number): Promise<{ tally: Tally; isLast: boolean }> {
  const tally = new Tally();
  const rows = await rowsIn(tx, { after: 0, until });
  const added = new Set<number>();
  for (const { seq, counts } of rows) {
    if (tally.parts.length >= PARTS_MAX) break;
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

const rowsIn = (db: Db, { after, until }: Range) =>
  db
    .selectFrom('stats_tallies')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .orderBy('seq')
    .limit(ROWS_AT_ONCE)
    .execute();

function tallyOf(rows: readonly { counts: string }[]): Tally {
  const tally = new Tally();
  for (const { counts } of rows) tally.add(counts);
  return tally;
}
