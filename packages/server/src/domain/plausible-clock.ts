/** The year in which this version was made. A clock that shows an earlier time was reset: no certificate is valid yet. */
export const EARLIEST = '2026-01-01';
/** Nobody runs this version for so long. */
export const LATEST = '2056-01-01';

/** Reports whether a clock may be right. */
export function isPlausible(now: Date): boolean {
  const said = now.toISOString();
  return said >= EARLIEST && said <= LATEST;
}
