import { type EndpointOutput, STATS_WINDOWS } from '@hubline/contract';
import { LATENCY_COUNTS, STATS_COUNTS, type StatsCount } from '../../domain/stats/tally.ts';
import { latencyQuantile } from '../../domain/stats/latency.ts';
import { bucketsOf, type StatsWindow } from '../../domain/stats/stats-window.ts';

/** Counts of a bucket, or of several. */
export type Counts = Partial<Record<StatsCount, number>>;

/** The bounds of a window that ends now. */
export function boundsOf(window: StatsWindow, now: Date) {
  const buckets = bucketsOf(window, now);
  return {
    window,
    since: buckets[0] ?? now.toISOString(),
    until: now.toISOString(),
    bucket_seconds: STATS_WINDOWS[window].bucketSeconds,
  };
}

/** The numbers of all buckets together. */
export function totalsOf(rows: readonly Counts[]): EndpointOutput<'webhooks.stats'>['previous'] {
  const total = rows.reduce<Counts>(addCounts, {});
  const { attempts_succeeded: succeeded = 0, attempts_failed: failed = 0 } = total;
  const { p50_ms, p95_ms } = latencies(total);
  return {
    attempts: { succeeded, failed },
    deliveries: { delivered: total.deliveries_delivered ?? 0, failed: total.deliveries_failed ?? 0 },
    success_rate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    latency: p50_ms === null || p95_ms === null ? null : { p50_ms, p95_ms },
  };
}

/** One bucket of a chart. */
export const pointOf = (at: string, counts: Counts) => ({
  at,
  succeeded: counts.attempts_succeeded ?? 0,
  failed: counts.attempts_failed ?? 0,
  ...latencies(counts),
});

/** The parts of a webhook's window, each with its counts. */
export type Health = { at: string; succeeded: number; failed: number }[];

/** The part of a window in which each of its buckets is. */
export const partsOf = (buckets: readonly string[], bucketsAPart: number): ReadonlyMap<string, number> =>
  new Map(buckets.map((at, index) => [at, Math.floor(index / bucketsAPart)]));

/** The parts of a window, all with zero counts. */
export const healthOf = (buckets: readonly string[], bucketsAPart: number): Health =>
  buckets.filter((_, index) => index % bucketsAPart === 0).map((at) => ({ at, succeeded: 0, failed: 0 }));

/** Adds `counts` to `sums`, and returns `sums`. */
export function addCounts(sums: Counts, counts: Counts): Counts {
  for (const name of STATS_COUNTS) {
    const count = counts[name];
    if (count !== undefined) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/** The percentiles of a histogram. */
export function latencies(counts: Counts): { p50_ms: number | null; p95_ms: number | null } {
  const histogram = LATENCY_COUNTS.map((count) => counts[count] ?? 0);
  return { p50_ms: latencyQuantile(histogram, 0.5), p95_ms: latencyQuantile(histogram, 0.95) };
}
