// Seconds or milliseconds, and nothing that `Number` would also take.
const TIMESTAMP = /^(?:\d{10}|\d{13})$/;

/**
 * Reports whether a Unix time, in seconds or milliseconds, differs from now by at most the tolerance, in either
 * direction, because clocks differ.
 */
export function isFresh(timestamp: string, now: Date, toleranceSeconds: number): boolean {
  if (!TIMESTAMP.test(timestamp)) return false;
  const seconds = timestamp.length === 13 ? Number(timestamp) / 1_000 : Number(timestamp);
  return Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds;
}
