import { LIMITS } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { LATENCY_STEPS, latencyQuantile, latencyStep } from './latency.ts';

const histogram = (latencies: readonly number[]): number[] => {
  const counts = LATENCY_STEPS.map(() => 0);
  for (const ms of latencies) counts[latencyStep(ms)] = (counts[latencyStep(ms)] ?? 0) + 1;
  return counts;
};

describe('the histogram of latencies', () => {
  it('is within 12% of every latency that an attempt can have', () => {
    const every = Array.from({ length: LIMITS.attemptTimeoutMs + 1_000 }, (_, index) => index + 1);
    // One quantile for each step, and no `expect` for each millisecond: that took half a second.
    const middles = LATENCY_STEPS.map((end) => latencyQuantile(histogram([end]), 0.5) ?? 0);
    const isFar = (ms: number) => !(Math.abs((middles[latencyStep(ms)] ?? 0) - ms) / ms < 0.12);
    expect(every.filter(isFar)).toEqual([]);
  });

  it('tells the fastest milliseconds apart, and counts shorter and longer ones in its first and last step', () => {
    for (const ms of [1, 2, 3, 4, 5, 6]) expect(latencyQuantile(histogram([ms]), 0.5)).toBe(ms);
    expect(latencyStep(0)).toBe(0);
    expect(latencyStep(10 * 60_000)).toBe(LATENCY_STEPS.length - 1);
  });

  it.each([
    [[], 0.5, null],
    [[1, 2, 3, 4], 0.5, 2],
    [[1, 2, 3, 4], 0.95, 4],
    [[1, 1, 1, 1, 1, 1, 1, 1, 1, 5], 0.5, 1],
    [[...Array<number>(95).fill(2), ...Array<number>(5).fill(5)], 0.95, 2],
    [[...Array<number>(94).fill(2), ...Array<number>(6).fill(5)], 0.95, 5],
  ])('of %j has the quantile %d at %j', (latencies, share, quantile) => {
    expect(latencyQuantile(histogram(latencies), share)).toBe(quantile);
  });
});
