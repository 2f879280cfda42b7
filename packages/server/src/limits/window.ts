// A request is charged as of its beginning, and its body may take a minute to arrive.
const LATE_MS = 120_000;

/**
 * Returns the number of the window in which a request of `now` is counted; `open` is that of the latest window. A request that began in an
 * earlier one is counted in the latest: to go back would drop its counts, so that whoever sends a body slowly would free everybody
 * from the limit. A larger step back means that the clock was set.
 */
export function windowOf(now: Date, { windowMs, open }: { windowMs: number; open: number }): number {
  const window = Math.floor(now.getTime() / windowMs);
  const isLate = window < open && open * windowMs - now.getTime() <= LATE_MS;
  return isLate ? open : window;
}
