import {
  type EndpointInput,
  type EndpointOutput,
  STATS_FAILURES_MAX,
  STATS_WINDOWS,
} from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { countOpen } from '../../db/webhooks/open-counts.ts';
import { findWebhook } from '../../db/webhooks/webhooks.ts';
import { listStatsGroups, type StatsGroupRow } from '../../db/workspaces/stats-groups.ts';
import { listStats, type StatsRow } from '../../db/workspaces/workspace-stats.ts';
import { BUCKETS_A_PART, bucketsOf } from '../../domain/stats-window.ts';
import { found } from './webhooks.ts';
import { boundsOf, type Health, healthOf, pointOf, totalsOf } from '../workspaces/stats-parts.ts';

type WebhookStats = EndpointOutput<'webhooks.stats'>;
type Failure = WebhookStats['failures'][number];

/** The recent statistics of a webhook. */
export async function stats(
  context: WorkspaceContext,
  { params: { webhookId }, query: { window } }: Pick<EndpointInput<'webhooks.stats'>, 'params' | 'query'>,
): Promise<WebhookStats> {
  const { read } = context.store;
  const { workspaceId } = context.access;
  const webhook = found(await findWebhook(read, workspaceId, webhookId));
  // Whoever asks sees what this process has done until now.
  await context.stats.flush();
  const buckets = bucketsOf(window, context.now);
  const part = { workspaceId, resolution: STATS_WINDOWS[window].bucketSeconds, buckets };
  const rows = await listStats(read, part, webhookId);
  const before = { ...part, buckets: bucketsOf(window, context.now, 1) };
  const rowAt = new Map(rows.map((row) => [row.at, row]));
  const partOf = new Map(buckets.map((at, index) => [at, Math.floor(index / BUCKETS_A_PART[window])]));
  const health = filled(healthOf(buckets, BUCKETS_A_PART[window]), rows, partOf);
  const groups = await listStatsGroups(read, { ...part, webhookId });
  return {
    webhook_id: webhookId,
    workspace_id: workspaceId,
    ...boundsOf(window, context.now),
    ...totalsOf(rows),
    previous: totalsOf(await listStats(read, before, webhookId)),
    queue: await countOpen(read, [webhook]),
    health,
    series: buckets.map((at) => pointOf(at, rowAt.get(at) ?? {})),
    failures: failuresOf(groups, partOf, health.length),
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

/** Failed attempts by their cause, the most frequent first. The groups come oldest first, so that the last words stay. */
function failuresOf(
  groups: readonly StatsGroupRow[],
  partOf: ReadonlyMap<string, number>,
  parts: number,
): Failure[] {
  const failures = new Map<string, Failure>();
  for (const group of groups) {
    const failure = failures.get(group.name) ?? {
      ...causeOf(group.name),
      message: null,
      attempts: 0,
      parts: Array.from({ length: parts }, () => 0),
      first_at: group.first_at,
      last_at: group.last_at,
    };
    failures.set(group.name, failure);
    const part = partOf.get(group.at) ?? 0;
    failure.parts[part] = (failure.parts[part] ?? 0) + group.count;
    failure.attempts += group.count;
    failure.last_at = group.last_at;
    failure.message = group.message;
  }
  return [...failures.values()].sort((a, b) => b.attempts - a.attempts).slice(0, STATS_FAILURES_MAX);
}

/** A status, or a kind of error. */
const causeOf = (name: string): Pick<Failure, 'response_status' | 'error_kind'> =>
  /^\d+$/.test(name)
    ? { response_status: Number(name), error_kind: null }
    : { response_status: null, error_kind: name as Failure['error_kind'] };
