// Three steps to each doubling, up to the deadline of an attempt: values in one step differ by at most 26%, and each
// is within 12% of its middle. Below 6 ms each millisecond has its own step.
const STEPS_PER_DOUBLING = 3;
const MOST_MS = 2 ** 15;

/** The ends of the steps of the histogram of latencies, in milliseconds. A longer latency counts in the last. Each step is a column. */
export const LATENCY_STEPS: readonly number[] = [
  ...new Set(
    Array.from({ length: STEPS_PER_DOUBLING * Math.log2(MOST_MS) + 1 }, (_, index) =>
      Math.round(2 ** (index / STEPS_PER_DOUBLING)),
    ),
  ),
];

/** The step that a latency belongs to. */
export function latencyStep(ms: number): number {
  let low = 0;
  let high = LATENCY_STEPS.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ms <= (LATENCY_STEPS[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The latency that a share of all counted ones does not exceed, in milliseconds, within 12%; `null` when there are none. */
export function latencyQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rank = Math.max(1, Math.ceil(total * share));
  const step = counts.findIndex((count) => (rank -= count) <= 0);
  const [least, most] = [(LATENCY_STEPS[step - 1] ?? 0) + 1, LATENCY_STEPS[step] ?? MOST_MS];
  // The harmonic mean has the same relative distance from both ends.
  return Math.round(((2 * least * most) / (least + most)) * 10) / 10;
}
