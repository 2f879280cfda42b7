import { STATS_WINDOWS } from '@hubline/contract';
import type { WebhookFailureRow } from '../../db/webhooks/webhook-failures.ts';
import type { StatsGroupRow } from '../../db/workspaces/stats-groups.ts';
import type { StatsRow } from '../../db/workspaces/workspace-stats.ts';
import { bucketOf, STATS_WINDOW_NAMES } from '../../domain/stats/stats-window.ts';
import { type LastFailure, STATS_COUNTS, type StatsCount, type Tally } from '../../domain/stats/tally.ts';
import { isoTime } from '../../domain/time.ts';

const NOTHING = Object.fromEntries(STATS_COUNTS.map((count) => [count, 0])) as Record<StatsCount, number>;

/** The counts of each webhook and of its workspace, for each resolution. */
export function statsRows(tally: Tally): StatsRow[] {
  const rows = new Map<string, StatsRow>();
  for (const { workspaceId, webhookId, minute, counts } of tally.parts) {
    const ids = webhookId === '' ? [''] : [webhookId, ''];
    const added = countsByName(counts);
    for (const { resolution, at } of bucketsAt(minute))
      for (const id of ids) {
        const name = `${resolution} ${at} ${workspaceId} ${id}`;
        let row = rows.get(name);
        if (!row) {
          row = { resolution, at, workspace_id: workspaceId, webhook_id: id, ...NOTHING };
          rows.set(name, row);
        }
        for (const [count, value] of added) row[count] += value;
      }
  }
  return [...rows.values()];
}

/** The counts of a part that are not zero: mostly three of fifty. */
const countsByName = (counts: readonly number[]): [StatsCount, number][] =>
  STATS_COUNTS.flatMap((name, index) => (counts[index] ? [[name, counts[index]]] : []));

/** The counts by name, for each resolution. */
export const groupRows = (tally: Tally): StatsGroupRow[] =>
  tally.parts.flatMap(({ workspaceId, webhookId, minute, names }) =>
    names.flatMap(({ name, count, first, last, message }) =>
      bucketsAt(minute).map((bucket) => ({
        ...bucket,
        workspace_id: workspaceId,
        webhook_id: webhookId,
        name,
        count,
        first_at: isoTime(first),
        last_at: isoTime(last),
        message,
      })),
    ),
  );

/**
 * The last failed attempt of each webhook, once: PostgreSQL looks for the webhook when a transaction changes a row for the second time, and
 * would then wait for a transaction that deletes the webhook, which itself waits for this row: a deadlock.
 */
export function failureRows(tally: Tally): WebhookFailureRow[] {
  const latest = new Map<string, LastFailure>();
  for (const { webhookId, failure } of tally.parts)
    if (failure && failure.startedAt >= (latest.get(webhookId)?.startedAt ?? 0))
      latest.set(webhookId, failure);
  return [...latest].map(([webhookId, { startedAt, responseStatus, errorKind, durationMs }]) => ({
    webhook_id: webhookId,
    at: isoTime(startedAt),
    response_status: responseStatus,
    error_kind: errorKind,
    duration_ms: durationMs,
  }));
}

const bucketsAt = (minute: number): Pick<StatsRow, 'resolution' | 'at'>[] =>
  STATS_WINDOW_NAMES.map((window) => {
    const { bucketSeconds: resolution } = STATS_WINDOWS[window];
    return { resolution, at: bucketOf(resolution, minute) };
  });
