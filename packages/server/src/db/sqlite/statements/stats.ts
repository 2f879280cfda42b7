import type { Selectable } from 'kysely';
import { preparedChange } from '../../core/queries/prepared-query.ts';
import type { Database, Tx } from '../../core/schema.ts';
import { STATS_COUNTS } from '../../../domain/stats/tally.ts';
import { ADDED, STATS_KEY } from '../../workspaces/stats-columns.ts';

type StatsRow = Selectable<Database['workspace_stats']>;

const add = preparedChange<StatsRow>((db, p) =>
  db
    .insertInto('workspace_stats')
    .values(
      Object.fromEntries([...STATS_KEY, ...STATS_COUNTS].map((column) => [column, p(column)])) as StatsRow,
    )
    .onConflict((conflict) => conflict.columns(STATS_KEY).doUpdateSet(ADDED)),
);

export async function addStats(tx: Tx, rows: readonly StatsRow[]): Promise<void> {
  for (const row of rows) {
    const adding = add(tx, row);
    if (adding instanceof Promise) await adding;
  }
}
