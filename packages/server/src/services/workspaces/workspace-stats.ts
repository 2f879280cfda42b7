import {
  type EndpointInput,
  type EndpointOutput,
  STATS_WEBHOOKS_MAX,
  STATS_WINDOWS,
} from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import type { Db, StatsCount } from '../../db/core/schema.ts';
import { listSubscribers } from '../../db/webhooks/webhooks.ts';
import { LATENCY_COUNTS, STATS_COUNTS } from '../../db/workspaces/stats-columns.ts';
import { countAttempts, listStats, sumLatencies } from '../../db/workspaces/workspace-stats.ts';
import { latencyQuantile } from '../../domain/latency.ts';
import { BUCKETS_A_PART, bucketsOf } from '../../domain/stats-window.ts';

type WorkspaceStats = EndpointOutput<'workspaces.stats'>;
type Counts = Partial<Record<StatsCount, number>>;

// Reading a slice takes 3 ms (measured); then everybody else has a turn.
const ROWS_AT_ONCE = { counts: 8_000, latencies: 1_500 };

/** The recent statistics of a workspace. */
export async function stats(
  context: WorkspaceContext,
  { query: { window } }: Pick<EndpointInput<'workspaces.stats'>, 'query'>,
): Promise<WorkspaceStats> {
  // Whoever asks sees what this process has done until now.
  await context.stats.flush();
  const { workspaceId } = context.access;
  const buckets = bucketsOf(window, context.now);
  const { bucketSeconds } = STATS_WINDOWS[window];
  const part = { workspaceId, resolution: bucketSeconds, buckets };
  const rows = await listStats(context.store.read, part);
  const rowAt = new Map(rows.map((row) => [row.at, row]));
  const before = await listStats(context.store.read, {
    ...part,
    buckets: bucketsOf(window, context.now, 1),
  });
  return {
    workspace_id: workspaceId,
    window,
    since: buckets[0] ?? context.now.toISOString(),
    until: context.now.toISOString(),
    bucket_seconds: bucketSeconds,
    ...totalsOf(rows),
    previous: totalsOf(before),
    series: buckets.map((at) => {
      const row: Counts = rowAt.get(at) ?? {};
      return {
        at,
        events: row.events ?? 0,
        succeeded: row.attempts_succeeded ?? 0,
        failed: row.attempts_failed ?? 0,
        ...latencies(row),
      };
    }),
    webhooks: await ofWebhooks(context.store.read, { ...part, bucketsAPart: BUCKETS_A_PART[window] }),
  };
}

/** The numbers of all buckets together. */
function totalsOf(rows: readonly Counts[]): WorkspaceStats['previous'] {
  const total = rows.reduce<Counts>(addCounts, {});
  const { attempts_succeeded: succeeded = 0, attempts_failed: failed = 0 } = total;
  const { p50_ms, p95_ms } = latencies(total);
  return {
    events: total.events ?? 0,
    attempts: { succeeded, failed },
    deliveries: { delivered: total.deliveries_delivered ?? 0, failed: total.deliveries_failed ?? 0 },
    success_rate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    latency: p50_ms === null || p95_ms === null ? null : { p50_ms, p95_ms },
  };
}

interface Part {
  workspaceId: string;
  resolution: number;
  buckets: readonly string[];
}

/** The webhooks that are still there, those with the most failures first. */
async function ofWebhooks(
  db: Db,
  { bucketsAPart, ...part }: Part & { bucketsAPart: number },
): Promise<WorkspaceStats['webhooks']> {
  const known = new Map((await listSubscribers(db, part.workspaceId)).map(({ id, url }) => [id, url]));
  const health = new Map<string, Health>();
  const partOf = new Map(part.buckets.map((at, index) => [at, Math.floor(index / bucketsAPart)]));
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
  // Their ids only where others would be read for nothing: each number of ids is a statement of its own.
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

type Health = { at: string; succeeded: number; failed: number }[];

/** The parts of a window in which nothing has been counted yet. */
const healthOf = (buckets: readonly string[], bucketsAPart: number): Health =>
  buckets.filter((_, index) => index % bucketsAPart === 0).map((at) => ({ at, succeeded: 0, failed: 0 }));

/** A few buckets at a time: others come in between, however many webhooks there are. */
function slicesOf(part: Part, bucketsAtOnce: number): Part[] {
  const length = Math.ceil(Math.min(bucketsAtOnce, part.buckets.length));
  return Array.from({ length: Math.ceil(part.buckets.length / length) }, (_, index) => ({
    ...part,
    buckets: part.buckets.slice(index * length, (index + 1) * length),
  }));
}

/** The counts that `read` finds of each webhook in all slices. */
async function sumUp(
  slices: readonly Part[],
  read: (slice: Part) => Promise<({ webhook_id: string } & Counts)[]>,
): Promise<Map<string, Counts>> {
  const sums = new Map<string, Counts>();
  for (const slice of slices) {
    for (const { webhook_id: id, ...counts } of await read(slice))
      sums.set(id, addCounts(sums.get(id) ?? {}, counts));
    if (slices.length > 1) await new Promise<void>((done) => setImmediate(done));
  }
  return sums;
}

/** Adds to `sums`. */
function addCounts(sums: Counts, counts: Counts): Counts {
  for (const name of STATS_COUNTS) {
    const count = counts[name];
    if (count !== undefined) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

function latencies(counts: Counts): { p50_ms: number | null; p95_ms: number | null } {
  const histogram = LATENCY_COUNTS.map((count) => counts[count] ?? 0);
  return { p50_ms: latencyQuantile(histogram, 0.5), p95_ms: latencyQuantile(histogram, 0.95) };
}
