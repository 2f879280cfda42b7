/** Delays before each attempt, counted from the end of the one before. Specification, "Delivery" 4. */
const DELAYS_MS = [0, 5_000, 25_000, 120_000, 600_000] as const;

/** When each attempt is made: once, or by the schedule of the specification, `speed` times as fast. */
export function delaysOf(retry: 'none' | 'spec', speed: number): readonly number[] {
  return retry === 'none' ? DELAYS_MS.slice(0, 1) : DELAYS_MS.map((ms) => ms / Math.max(1, speed));
}
