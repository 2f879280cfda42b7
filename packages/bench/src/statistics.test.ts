import { describe, expect, it } from 'vitest';
import { median, medianRatio, percentile, robustSlope, spread } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('the median', () => {
  it.each<[values: number[], middle: number]>([
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2],
    [[7], 7],
    [[10, 9, 8, 100, 7], 9],
    [[-1, -3, -2], -2],
    // Sorted as numbers, not as texts.
    [[10, 9, 100], 10],
    [[], Number.NaN],
    // A round that could not be measured must not count as a fast one.
    [[1, Number.NaN, 3], Number.NaN],
    [[Number.POSITIVE_INFINITY, 1, 2], 2],
  ])('of %j is %d', (values, middle) => {
    const before = [...values];
    expect(median(values)).toBe(middle);
    expect(values).toEqual(before);
  });
});

describe('a percentile', () => {
  it.each<[rank: number, values: number[], value: number]>([
    [50, hundred, 50],
    [99, hundred, 99],
    [99.1, hundred, 100],
    [100, hundred, 100],
    [0, hundred, 1],
    [1, [7], 7],
    [99, [1, 2], 2],
    [50, [1, 2], 1],
    [99, [], Number.NaN],
  ])('%d is the nearest rank, of %j', (rank, values, value) => {
    expect(percentile(values, rank)).toBe(value);
  });
});

describe('the ratio', () => {
  it.each<[own: number[], other: number[], ratio: number, why: string]>([
    [[10, 20, 30], [5, 10, 15], 2, 'the same in every round'],
    [[10, 100, 10], [5, 50, 20], 2, 'round by round: what slows both down in one of them says nothing'],
    [[300, 1, 1], [100, 1, 1], 1, 'the median of the ratios, not the ratio of the medians or sums'],
    [[1], [4], 0.25, 'below one'],
    [[1], [0], Number.POSITIVE_INFINITY, 'to nothing'],
    [[0], [0], Number.NaN, 'of nothing to nothing'],
    [[], [], Number.NaN, 'without rounds'],
  ])('of %j to %j is %d: %s', (own, other, ratio) => {
    expect(medianRatio(own, other)).toBe(ratio);
  });

  it('is refused where a round is missing', () => {
    expect(() => medianRatio([1, 2, 3], [1, 2])).toThrow('3 rounds cannot be compared with 2.');
    expect(() => medianRatio([1], [])).toThrow(RangeError);
  });
});

describe('the spread', () => {
  it.each<[values: number[], share: number]>([
    [[90, 100, 110], 0.2],
    [[100, 100], 0],
    [[5], 0],
    [[1, 2, 9], 4],
  ])('of %j is %d of the middle', (values, share) => {
    expect(spread(values)).toBeCloseTo(share);
  });
});

describe('the robust slope', () => {
  it.each<[points: [x: number, y: number][], slope: number]>([
    [
      [
        [0, 1],
        [1, 3],
        [2, 5],
      ],
      2,
    ],
    // One outlier changes nothing.
    [
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 900],
        [4, 4],
        [5, 5],
      ],
      1,
    ],
    // Unevenly spaced, falling.
    [
      [
        [0, 10],
        [10, 5],
        [40, -10],
      ],
      -0.5,
    ],
    [[[3, 4]], Number.NaN],
    [
      [
        [3, 4],
        [3, 9],
      ],
      Number.NaN,
    ],
  ])('of %j is %d', (points, slope) => {
    expect(robustSlope(points)).toBe(slope);
  });
});
