import { type Selectable, sql } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';
import { NAMES_A_MINUTE } from '../../domain/stats/tally.ts';
import type { StatsPart } from './workspace-stats.ts';

export type StatsGroupRow = Selectable<Database['stats_groups']>;

const MINUTE = 60;
// A read brings all names of its window into memory: at most 16,800 of seven days.
const NAMES_MAX = 100;

/**
 * Adds counts by name to those that are stored, by whichever process. A bucket that has reached its maximum of names takes no others:
 * counts are added up every few seconds, and each time brings new names.
 */
export async function addStatsGroups(tx: Tx, rows: readonly StatsGroupRow[]): Promise<void> {
  for (const { resolution, at, workspace_id, webhook_id, name, count, first_at, last_at, message } of rows)
    await sql`
      insert into stats_groups (resolution, at, workspace_id, webhook_id, name, count, first_at, last_at, message)
      select ${resolution}, ${at}, ${workspace_id}, ${webhook_id}, ${name}, ${count}, ${first_at}, ${last_at}, ${message}
      where (
        select count(*) from stats_groups
        where resolution = ${resolution} and at = ${at} and workspace_id = ${workspace_id} and webhook_id = ${webhook_id}
          and name <> ${name}
      ) < ${sql.lit(resolution === MINUTE ? NAMES_A_MINUTE : NAMES_MAX)}
      on conflict (resolution, at, workspace_id, webhook_id, name) do update set
        count = stats_groups.count + excluded.count,
        message = case when excluded.last_at >= stats_groups.last_at then excluded.message else stats_groups.message end,
        last_at = case when excluded.last_at >= stats_groups.last_at then excluded.last_at else stats_groups.last_at end`.execute(
      tx,
    );
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
