/** The middle value; of an even number of values, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank: the smallest value that is not below `rank` percent of all. `NaN` without values, and when a value is `NaN`. */
export function percentile(values: readonly number[], rank: number): number {
  if (values.some(Number.isNaN)) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((rank / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * The median of the ratios of each round, whose two values are close in time. Throws if the numbers of rounds differ, because a value
 * without its counterpart has no ratio.
 */
export function medianRatio(own: readonly number[], other: readonly number[]): number {
  if (own.length !== other.length)
    throw new RangeError(`${own.length} rounds cannot be compared with ${other.length}.`);
  return median(own.map((value, round) => value / (other[round] ?? Number.NaN)));
}

/**
 * The slope of a line through points, by Theil and Sen: the median of the slopes between every two of them. Up to 29% of the points
 * may be outliers, such as peaks between two garbage collections. `NaN` for fewer than two different x.
 */
export function robustSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points
      .slice(index + 1)
      .filter(([other]) => other !== x)
      .map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
  );
  return median(slopes);
}

/** The distance between the extreme rounds, as a share of the median: it tells how far to trust the figures on this machine. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
