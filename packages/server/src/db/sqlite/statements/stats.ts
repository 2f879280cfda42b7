import { type Selectable, sql } from 'kysely';
import { type Changed, preparedChange, type Run } from '../../core/queries/prepared-query.ts';
import type { Database, Tx } from '../../core/schema.ts';
import { STATS_COUNTS, type StatsCount } from '../../../domain/stats/tally.ts';
import { added, STATS_KEY } from '../../workspaces/stats-columns.ts';

type StatsRow = Selectable<Database['workspace_stats']>;
type Add = Run<StatsRow, Changed>;

/** Makes the statement for rows that count nothing but this. */
const adding = (counts: readonly StatsCount[]): Add =>
  preparedChange<StatsRow>((db, p) =>
    db
      .insertInto('workspace_stats')
      .values(
        Object.fromEntries([
          ...STATS_KEY.map((column) => [column, p(column)]),
          ...STATS_COUNTS.map((count) => [count, counts.includes(count) ? p(count) : sql.lit(0)]),
        ]) as StatsRow,
      )
      .onConflict((conflict) => conflict.columns(STATS_KEY).doUpdateSet(added(counts))),
  );

const addAny = adding(STATS_COUNTS);
// Most rows are of a webhook that was called once: three counts of forty-eight. Binding the zeros and adding them took a quarter of the
// time of a row (measured). There are some 50 such statements; the rest is for rows of the same kind with several outcomes.
const FEW = 3;
const STATEMENTS_MAX = 100;
const addFew = new Map<string, Add>();

function addOf(row: StatsRow): Add {
  const counts = STATS_COUNTS.filter((count) => row[count] !== 0);
  if (counts.length === 0 || counts.length > FEW) return addAny;
  const name = counts.join();
  let add = addFew.get(name);
  if (!add) {
    if (addFew.size >= STATEMENTS_MAX) return addAny;
    addFew.set(name, (add = adding(counts)));
  }
  return add;
}

export async function addStats(tx: Tx, rows: readonly StatsRow[]): Promise<void> {
  for (const row of rows) {
    const done = addOf(row)(tx, row);
    if (done instanceof Promise) await done;
  }
}
