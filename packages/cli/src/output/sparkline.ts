const HEIGHTS = '▁▂▃▄▅▆▇█';

/** Numbers as bars beside each other: nothing has the lowest, whatever is more than nothing a higher one, the most the highest. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => HEIGHTS[Math.ceil((value / most) * (HEIGHTS.length - 1))] ?? '').join('');
}
