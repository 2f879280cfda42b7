import {
  type EndpointInput,
  type EndpointOutput,
  STATS_FAILURES_MAX,
  STATS_WINDOWS,
} from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { countOpen } from '../../db/webhooks/open-counts.ts';
import { findWebhook } from '../../db/webhooks/webhooks.ts';
import { listStatsGroups } from '../../db/workspaces/stats-groups.ts';
import { listStats, type StatsRow } from '../../db/workspaces/workspace-stats.ts';
import { BUCKETS_A_PART, bucketsOf } from '../../domain/stats/stats-window.ts';
import { failuresOf } from '../workspaces/failure-groups.ts';
import { addUpStats } from '../workspaces/add-up-stats.ts';
import { found } from './webhooks.ts';
import { boundsOf, type Health, healthOf, partsOf, pointOf, totalsOf } from '../workspaces/stats-parts.ts';

type WebhookStats = EndpointOutput<'webhooks.stats'>;

/** The recent statistics of a webhook. */
export async function stats(
  context: WorkspaceContext,
  { params: { webhookId }, query: { window } }: Pick<EndpointInput<'webhooks.stats'>, 'params' | 'query'>,
): Promise<WebhookStats> {
  const { read } = context.store;
  const { workspaceId } = context.access;
  const webhook = found(await findWebhook(read, workspaceId, webhookId));
  await addUpStats(context);
  const buckets = bucketsOf(window, context.now);
  const part = { workspaceId, resolution: STATS_WINDOWS[window].bucketSeconds, buckets };
  const rows = await listStats(read, part, webhookId);
  const before = { ...part, buckets: bucketsOf(window, context.now, 1) };
  const rowAt = new Map(rows.map((row) => [row.at, row]));
  const partOf = partsOf(buckets, BUCKETS_A_PART[window]);
  const health = filled(healthOf(buckets, BUCKETS_A_PART[window]), rows, partOf);
  const groups = await listStatsGroups(read, part, [webhookId]);
  return {
    webhook_id: webhookId,
    workspace_id: workspaceId,
    ...boundsOf(window, context.now),
    ...totalsOf(rows),
    previous: totalsOf(await listStats(read, before, webhookId)),
    queue: await countOpen(read, [webhook]),
    health,
    series: buckets.map((at) => pointOf(at, rowAt.get(at) ?? {})),
    failures: failuresOf(groups, partOf)
      .slice(0, STATS_FAILURES_MAX)
      .map(({ webhook_id: _, ...failure }) => failure),
  };
}

function filled(health: Health, rows: readonly StatsRow[], partOf: ReadonlyMap<string, number>): Health {
  for (const { at, attempts_succeeded, attempts_failed } of rows) {
    const cell = health[partOf.get(at) ?? -1];
    if (!cell) continue;
    cell.succeeded += attempts_succeeded;
    cell.failed += attempts_failed;
  }
  return health;
}
