/** The middle value; of an even number of values, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank: the smallest value that is not below `rank` percent of all. `NaN` of nothing. */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((rank / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** How far the rounds were apart, as a share of the middle one: what the figures are worth on this machine. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
