import { expect, it } from 'vitest';
import { median, percentile, spread } from './statistics.ts';

it('takes the middle of the rounds, in whatever order they came', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2);
});

it('takes percentiles by nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(values, 50)).toBe(50);
  expect(percentile(values, 99)).toBe(99);
  expect(percentile(values, 100)).toBe(100);
  expect(percentile([7], 1)).toBe(7);
});

it('tells how far the rounds were apart', () => {
  expect(spread([90, 100, 110])).toBeCloseTo(0.2);
});
