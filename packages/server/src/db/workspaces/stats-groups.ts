import { type Selectable, sql } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';
import type { StatsPart } from './workspace-stats.ts';

export type StatsGroupRow = Selectable<Database['stats_groups']>;

/** Adds counts by name to those that are stored, by whichever process. */
export async function addStatsGroups(tx: Tx, rows: readonly StatsGroupRow[]): Promise<void> {
  const isLater = sql`excluded.last_at >= stats_groups.last_at`;
  for (const row of rows)
    await tx
      .insertInto('stats_groups')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['resolution', 'at', 'workspace_id', 'webhook_id', 'name']).doUpdateSet({
          count: sql`stats_groups.count + excluded.count`,
          last_at: sql`case when ${isLater} then excluded.last_at else stats_groups.last_at end`,
          message: sql`case when ${isLater} then excluded.message else stats_groups.message end`,
        }),
      )
      .execute();
}

const rowsOf = (db: Db, { workspaceId, resolution, buckets }: StatsPart) =>
  db
    .selectFrom('stats_groups')
    .where('resolution', '=', resolution)
    .where('at', 'in', buckets)
    .where('workspace_id', '=', workspaceId);

/** Lists the counts by name: of webhooks, or, with an empty ID, of the workspace. Oldest first. */
export const listStatsGroups = (
  db: Db,
  part: StatsPart,
  webhookIds: readonly string[],
): Promise<StatsGroupRow[]> =>
  rowsOf(db, part).selectAll().where('webhook_id', 'in', webhookIds).orderBy('at').execute();

/** Counts the failed attempts, by webhook and cause. */
export const sumFailures = (
  db: Db,
  part: StatsPart,
): Promise<Pick<StatsGroupRow, 'webhook_id' | 'name' | 'count'>[]> =>
  rowsOf(db, part)
    .select(['webhook_id', 'name'])
    .select(({ fn }) => fn.sum<number>('count').as('count'))
    .where('webhook_id', '!=', '')
    .groupBy(['webhook_id', 'name'])
    .execute();

/** Removes up to `limit` rows of buckets that began before a moment; returns how many. */
export async function removeStatsGroups(
  tx: Tx,
  { resolution, before, limit }: { resolution: number; before: string; limit: number },
): Promise<number> {
  const key = sql.raw('resolution, at, workspace_id, webhook_id, name');
  const { numAffectedRows } = await sql`
    delete from stats_groups where (${key}) in (
      select ${key} from stats_groups where resolution = ${resolution} and at < ${before}
      order by at limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
