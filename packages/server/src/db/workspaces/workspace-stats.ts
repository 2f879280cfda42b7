import { type Selectable, sql } from 'kysely';
import { dialectOf } from '../dialect-of.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import { LATENCY_COUNTS } from '../../domain/stats/tally.ts';
import { STATS_KEY } from './stats-columns.ts';

export type StatsRow = Selectable<Database['workspace_stats']>;

/** Adds counts to those that are stored, by whichever process. Rows come in one order everywhere, so that writers never deadlock. */
export const addStats = (tx: Tx, rows: readonly StatsRow[]): Promise<void> =>
  dialectOf(tx).addStats(tx, rows);

/** The rows of a workspace to read: those of some buckets. */
export interface StatsPart {
  workspaceId: string;
  resolution: number;
  buckets: readonly string[];
}

const rowsOf = (db: Db, { workspaceId, resolution, buckets }: StatsPart) =>
  db
    .selectFrom('workspace_stats')
    .where('resolution', '=', resolution)
    .where('at', 'in', buckets)
    .where('workspace_id', '=', workspaceId);

/** Lists the counts of a workspace, or of one of its webhooks, bucket by bucket. */
export async function listStats(db: Db, part: StatsPart, webhookId = ''): Promise<StatsRow[]> {
  return rowsOf(db, part).selectAll().where('webhook_id', '=', webhookId).execute();
}

/** Counts attempts, webhook by webhook and bucket by bucket. */
export async function countAttempts(
  db: Db,
  part: StatsPart,
): Promise<Pick<StatsRow, 'webhook_id' | 'at' | 'attempts_succeeded' | 'attempts_failed'>[]> {
  return rowsOf(db, part)
    .select(['webhook_id', 'at', 'attempts_succeeded', 'attempts_failed'])
    .where('webhook_id', '!=', '')
    .execute();
}

/** Sums up how long attempts took, webhook by webhook: for these webhooks, or, with `null`, for all. */
export async function sumLatencies(
  db: Db,
  part: StatsPart,
  webhookIds: readonly string[] | null,
): Promise<Pick<StatsRow, 'webhook_id' | `latency_${number}`>[]> {
  const query = rowsOf(db, part)
    .select('webhook_id')
    .select(({ fn }) => LATENCY_COUNTS.map((count) => fn.sum<number>(count).as(count)))
    .groupBy('webhook_id');
  return (
    webhookIds === null ? query.where('webhook_id', '!=', '') : query.where('webhook_id', 'in', webhookIds)
  ).execute();
}

/** Removes up to `limit` rows of buckets that began before a moment; returns how many. */
export async function removeStats(
  tx: Tx,
  { resolution, before, limit }: { resolution: number; before: string; limit: number },
): Promise<number> {
  const key = sql.join(STATS_KEY.map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`
    delete from workspace_stats where (${key}) in (
      select ${key} from workspace_stats where resolution = ${resolution} and at < ${before}
      order by at limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
