import type { Goal } from '../../report/result.ts';
import { median, robustSlope } from '../../statistics.ts';

/** The server at one moment of a soak. */
export interface SoakSample {
  /** Seconds since the load began. */
  atS: number;
  memoryMb: number;
  descriptors: number;
  threads: number;
  /** SQLite's write-ahead log. */
  walMb: number;
  /** The lag of the event loop since the previous sample: p99 and maximum. */
  lagP99Ms: number;
  lagMaxMs: number;
}

const SECONDS_PER_HOUR = 3_600;
/** Growth compares the first and the last tenth of the second half: enough samples to outweigh short-lived connections. */
const PARTS = 10;

export const SOAK_GOALS: Readonly<Record<string, Goal>> = {
  rss_slope_mb_per_hour: { atMost: 5 },
  fd_growth: { atMost: 2 },
  lost: { atMost: 0 },
};

/** The figures of a soak. The first half is left out of the growth: caches fill in it. */
export function soakFigures(samples: readonly SoakSample[], lost: number): Record<string, number> {
  const settled = samples.slice(Math.floor(samples.length / 2));
  return {
    rss_slope_mb_per_hour:
      robustSlope(settled.map(({ atS, memoryMb }) => [atS, memoryMb])) * SECONDS_PER_HOUR,
    rss_mb: median(settled.map(({ memoryMb }) => memoryMb)),
    rss_max_mb: Math.max(...samples.map(({ memoryMb }) => memoryMb)),
    fd_growth: growth(settled.map(({ descriptors }) => descriptors)),
    thread_growth: growth(settled.map(({ threads }) => threads)),
    wal_max_mb: Math.max(...samples.map(({ walMb }) => walMb)),
    lag_p99_ms: median(samples.map(({ lagP99Ms }) => lagP99Ms)),
    lag_max_ms: Math.max(...samples.map(({ lagMaxMs }) => lagMaxMs)),
    lost,
  };
}

/** The median of the last tenth minus that of the first. */
function growth(values: readonly number[]): number {
  const part = Math.max(1, Math.floor(values.length / PARTS));
  return median(values.slice(-part)) - median(values.slice(0, part));
}

/** A row for each twelfth of the soak: medians, and the worst lag. */
export function soakRows(samples: readonly SoakSample[]): number[][] {
  const size = Math.ceil(samples.length / 12);
  const rows: number[][] = [];
  for (let from = 0; from < samples.length; from += size) {
    const part = samples.slice(from, from + size);
    const middle = (key: keyof SoakSample) => median(part.map((sample) => sample[key]));
    const last = part.at(-1)?.atS ?? 0;
    rows.push([
      last / 60,
      middle('memoryMb'),
      middle('descriptors'),
      middle('threads'),
      middle('walMb'),
      middle('lagP99Ms'),
      Math.max(...part.map(({ lagMaxMs }) => lagMaxMs)),
    ]);
  }
  return rows;
}
