// Seconds or milliseconds, and nothing that `Number` would also take.
const TIMESTAMP = /^(?:\d{10}|\d{13})$/;

/** Reports whether a Unix time, in seconds or milliseconds, is at most that far from now, before or after: clocks differ. */
export function isFresh(timestamp: string, now: Date, toleranceSeconds: number): boolean {
  if (!TIMESTAMP.test(timestamp)) return false;
  const seconds = timestamp.length === 13 ? Number(timestamp) / 1_000 : Number(timestamp);
  return Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds;
}
