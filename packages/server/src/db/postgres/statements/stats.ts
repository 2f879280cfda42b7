import type { Selectable } from 'kysely';
import type { Database, Tx } from '../../core/schema.ts';
import { ADDED, STATS_KEY } from '../../workspaces/stats-columns.ts';

export async function addStats(
  tx: Tx,
  rows: readonly Selectable<Database['workspace_stats']>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('workspace_stats')
    .values(rows)
    .onConflict((conflict) => conflict.columns(STATS_KEY).doUpdateSet(ADDED))
    .execute();
}
