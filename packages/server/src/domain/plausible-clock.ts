/** The beginning of the year in which this version was made. A clock that shows an earlier time was reset. */
export const EARLIEST = '2026-01-01';
/** A time at which nobody runs this version anymore. */
export const LATEST = '2056-01-01';

/** Reports whether a clock may be right. */
export function isPlausible(now: Date): boolean {
  const said = now.toISOString();
  return said >= EARLIEST && said <= LATEST;
}
