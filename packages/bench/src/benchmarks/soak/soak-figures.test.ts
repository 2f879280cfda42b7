import { expect, it } from 'vitest';
import { type SoakSample, soakFigures, soakRows } from './soak-figures.ts';

/** An hour with a sample every ten seconds. */
const hour = (at: (s: number) => Partial<SoakSample>): SoakSample[] =>
  Array.from({ length: 360 }, (_, index) => ({
    atS: index * 10,
    memoryMb: 100,
    descriptors: 30,
    threads: 12,
    walMb: 1,
    lagP99Ms: 2,
    lagMaxMs: 5,
    ...at(index * 10),
  }));

it('measures the growth of the second half, whatever the first half took', () => {
  const filling = hour((s) => ({ memoryMb: Math.min(150, 80 + s / 10) }));
  expect(soakFigures(filling, 0)).toMatchObject({ rss_slope_mb_per_hour: 0, rss_mb: 150, rss_max_mb: 150 });
  const leaking = hour((s) => ({ memoryMb: 100 + s / 360 }));
  expect(soakFigures(leaking, 0)['rss_slope_mb_per_hour']).toBeCloseTo(10);
});

it('is not misled by short peaks of memory, and still sees the leak below them', () => {
  const peaks = hour((s) => ({ memoryMb: s % 50 === 0 ? 300 : 100 + s / 360 }));
  expect(soakFigures(peaks, 0)['rss_slope_mb_per_hour']).toBeCloseTo(10, 0);
  expect(soakFigures(peaks, 0)['rss_max_mb']).toBe(300);
});

it('counts descriptors that stay open, and not those that are open for a moment', () => {
  const leak = hour((s) => ({ descriptors: 30 + Math.floor(s / 600) + (s % 70 === 0 ? 9 : 0) }));
  expect(soakFigures(leak, 0)).toMatchObject({ fd_growth: 2, thread_growth: 0 });
  expect(
    soakFigures(
      hour((s) => ({ descriptors: s % 20 === 0 ? 31 : 30 })),
      0,
    )['fd_growth'],
  ).toBe(0);
});

it('reports the worst log size and lag, and the number of lost events as it is', () => {
  const late = hour((s) => (s === 100 ? { walMb: 20, lagMaxMs: 400 } : {}));
  expect(soakFigures(late, 3)).toMatchObject({ wal_max_mb: 20, lag_max_ms: 400, lag_p99_ms: 2, lost: 3 });
  const rows = soakRows(late);
  expect(rows).toHaveLength(12);
  expect(rows[0]).toEqual([290 / 60, 100, 30, 12, 1, 2, 400]);
  expect(rows[1]?.at(-1)).toBe(5);
});
