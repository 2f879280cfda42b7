import { STATS_WINDOWS } from '@hubline/contract';

/** A window of statistics, such as `24h`. */
export type StatsWindow = keyof typeof STATS_WINDOWS;

export const STATS_WINDOW_NAMES = Object.keys(STATS_WINDOWS) as readonly StatsWindow[];

/** The beginning of the bucket of that many seconds in which a moment lies. Buckets are aligned to UTC. */
export function bucketOf(resolution: number, at: number): string {
  const length = resolution * 1_000;
  return new Date(Math.floor(at / length) * length).toISOString();
}

/** The number of buckets in one part of a webhook's health, which has 20 or 24 parts. */
export const BUCKETS_A_PART = { '1h': 3, '24h': 4, '7d': 7 } as const satisfies Record<StatsWindow, number>;

/** The beginnings of the buckets of a window, oldest first. It ends now, or `back` windows earlier. */
export function bucketsOf(window: StatsWindow, now: Date, back = 0): string[] {
  const { bucketSeconds, buckets } = STATS_WINDOWS[window];
  return Array.from({ length: buckets }, (_, index) =>
    bucketOf(bucketSeconds, now.getTime() - (buckets * (back + 1) - 1 - index) * bucketSeconds * 1_000),
  );
}
