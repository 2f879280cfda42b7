import {
  type EndpointInput,
  type EndpointOutput,
  STATS_FAILURES_MAX,
  STATS_SOURCES_MAX,
  STATS_WEBHOOKS_MAX,
  STATS_WINDOWS,
} from '@hubline/contract';
import { nextTurn } from '../../clock/timer.ts';
import type { WorkspaceContext } from '../../context.ts';
import type { Db } from '../../db/core/schema.ts';
import { countOpen } from '../../db/webhooks/open-counts.ts';
import { listAllWebhooks } from '../../db/webhooks/webhooks.ts';
import { listStatsGroups, sumFailures } from '../../db/workspaces/stats-groups.ts';
import { countAttempts, listStats, sumLatencies } from '../../db/workspaces/workspace-stats.ts';
import { BUCKETS_A_PART, bucketsOf } from '../../domain/stats/stats-window.ts';
import { causeKey, failuresOf } from './failure-groups.ts';
import { addUpStats } from './add-up-stats.ts';
import {
  addCounts,
  boundsOf,
  type Counts,
  type Health,
  healthOf,
  latencies,
  partsOf,
  pointOf,
  totalsOf,
} from './stats-parts.ts';

type WorkspaceStats = EndpointOutput<'workspaces.stats'>;

// Reading a slice takes 3 ms (measured); then other work gets a turn.
const ROWS_AT_ONCE = { counts: 8_000, latencies: 1_500 };

/** The recent statistics of a workspace. */
export async function stats(
  context: WorkspaceContext,
  { query: { window } }: Pick<EndpointInput<'workspaces.stats'>, 'query'>,
): Promise<WorkspaceStats> {
  await addUpStats(context);
  const { workspaceId } = context.access;
  const buckets = bucketsOf(window, context.now);
  const { bucketSeconds } = STATS_WINDOWS[window];
  const part = { workspaceId, resolution: bucketSeconds, buckets };
  const inParts = { ...part, bucketsAPart: BUCKETS_A_PART[window] };
  const known = await listAllWebhooks(context.store.read, workspaceId);
  const rows = await listStats(context.store.read, part);
  const rowAt = new Map(rows.map((row) => [row.at, row]));
  const before = await listStats(context.store.read, {
    ...part,
    buckets: bucketsOf(window, context.now, 1),
  });
  return {
    workspace_id: workspaceId,
    ...boundsOf(window, context.now),
    events: eventsOf(rows),
    ...totalsOf(rows),
    previous: { events: eventsOf(before), ...totalsOf(before) },
    queue: await countOpen(context.store.read, known),
    sources: await sourcesOf(context.store.read, part),
    series: buckets.map((at) => {
      const row = rowAt.get(at);
      return { events: row?.events ?? 0, ...pointOf(at, row ?? {}) };
    }),
    webhooks: await ofWebhooks(context.store.read, inParts, known),
    failures: await failuresByCause(context.store.read, inParts, known),
  };
}

const eventsOf = (rows: readonly Counts[]): number => rows.reduce((sum, { events = 0 }) => sum + events, 0);

/** The number of events by source, highest first. */
async function sourcesOf(db: Db, part: Part): Promise<WorkspaceStats['sources']> {
  const counts = new Map<string, number>();
  for (const { name, count } of await listStatsGroups(db, part, ['']))
    counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts]
    .map(([source, events]) => ({ source, events }))
    .sort((a, b) => b.events - a.events || (a.source < b.source ? -1 : 1))
    .slice(0, STATS_SOURCES_MAX);
}

interface Part {
  workspaceId: string;
  resolution: number;
  buckets: readonly string[];
}

/** The parts in which the window of a webhook is shown. */
interface InParts extends Part {
  bucketsAPart: number;
}

type Known = readonly { readonly id: string; readonly url: string }[];

/** The webhooks that are still there, those with the most failures first. */
async function ofWebhooks(db: Db, inParts: InParts, webhooks: Known): Promise<WorkspaceStats['webhooks']> {
  const { bucketsAPart, ...part } = inParts;
  const known = new Map(webhooks.map(({ id, url }) => [id, url]));
  const health = new Map<string, Health>();
  const partOf = partsOf(part.buckets, bucketsAPart);
  const counts = await sumUp(slicesOf(part, ROWS_AT_ONCE.counts / known.size), async (slice) => {
    const rows = await countAttempts(db, slice);
    for (const row of rows) {
      const parts = health.get(row.webhook_id) ?? healthOf(part.buckets, bucketsAPart);
      health.set(row.webhook_id, parts);
      const cell = parts[partOf.get(row.at) ?? -1];
      if (!cell) continue;
      cell.succeeded += row.attempts_succeeded;
      cell.failed += row.attempts_failed;
    }
    return rows;
  });
  const worst = [...counts]
    .flatMap(([id, { attempts_succeeded: succeeded = 0, attempts_failed: failed = 0 }]) => {
      const url = known.get(id);
      return url === undefined ? [] : { webhook_id: id, url, attempts: succeeded + failed, failed };
    })
    .sort((a, b) => b.failed - a.failed || b.attempts - a.attempts || (a.webhook_id < b.webhook_id ? -1 : 1))
    .slice(0, STATS_WEBHOOKS_MAX);
  if (worst.length === 0) return [];
  // Names IDs only if that saves reading many others: each number of IDs is a separate statement.
  const ids = counts.size > STATS_WEBHOOKS_MAX ? worst.map((webhook) => webhook.webhook_id) : null;
  const busy = Math.min(counts.size, STATS_WEBHOOKS_MAX);
  const sums = await sumUp(slicesOf(part, ROWS_AT_ONCE.latencies / busy), (slice) =>
    sumLatencies(db, slice, ids),
  );
  return worst.map((webhook) => {
    const { p50_ms, p95_ms } = latencies(sums.get(webhook.webhook_id) ?? {});
    return {
      ...webhook,
      failure_rate: webhook.failed / webhook.attempts,
      p50_ms,
      p95_ms,
      health: health.get(webhook.webhook_id) ?? [],
    };
  });
}

/** The causes of failed attempts at webhooks that are still there, the most frequent first. */
async function failuresByCause(
  db: Db,
  inParts: InParts,
  webhooks: Known,
): Promise<WorkspaceStats['failures']> {
  const known = new Set(webhooks.map(({ id }) => id));
  const sums = new Map<string, { webhook_id: string; name: string; count: number }>();
  await inTurns(slicesOf(inParts, ROWS_AT_ONCE.counts / known.size), async (slice) => {
    for (const row of await sumFailures(db, slice)) {
      if (!known.has(row.webhook_id)) continue;
      const sum = sums.get(causeKey(row))?.count ?? 0;
      sums.set(causeKey(row), { ...row, count: sum + row.count });
    }
  });
  const most = [...sums.values()].sort((a, b) => b.count - a.count).slice(0, STATS_FAILURES_MAX);
  if (most.length === 0) return [];
  const keys = new Set(most.map(causeKey));
  const ids = [...new Set(most.map((row) => row.webhook_id))];
  const groups = (await listStatsGroups(db, inParts, ids)).filter((row) => keys.has(causeKey(row)));
  return failuresOf(groups, partsOf(inParts.buckets, inParts.bucketsAPart)).map(
    ({ message: _, ...failure }) => failure,
  );
}

/**
 * Splits the window into slices of a few buckets: other work gets a turn in between, however many webhooks there are.
 */
function slicesOf(part: Part, bucketsAtOnce: number): Part[] {
  const length = Math.ceil(Math.min(bucketsAtOnce, part.buckets.length));
  return Array.from({ length: Math.ceil(part.buckets.length / length) }, (_, index) => ({
    ...part,
    buckets: part.buckets.slice(index * length, (index + 1) * length),
  }));
}

/** Sums the counts that `read` finds for each webhook over all slices. */
async function sumUp(
  slices: readonly Part[],
  read: (slice: Part) => Promise<({ webhook_id: string } & Counts)[]>,
): Promise<Map<string, Counts>> {
  const sums = new Map<string, Counts>();
  await inTurns(slices, async (slice) => {
    for (const { webhook_id: id, ...counts } of await read(slice))
      sums.set(id, addCounts(sums.get(id) ?? {}, counts));
  });
  return sums;
}

/** Reads slice after slice, and lets other work have a turn in between. */
async function inTurns(slices: readonly Part[], read: (slice: Part) => Promise<void>): Promise<void> {
  for (const slice of slices) {
    await read(slice);
    if (slices.length > 1) await nextTurn();
  }
}
