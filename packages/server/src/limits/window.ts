// A request is charged as of its beginning, and its body may take a minute to arrive.
const LATE_MS = 120_000;

/**
 * Returns the number of the window in which a request of `now` is counted; `open` is the number of the latest window. A request that began
 * in an earlier one is counted in the latest: going back would drop the counts of the latest, so that one slow request would lift the
 * limit for everybody. A larger step back means that the clock was set.
 */
export function windowOf(now: Date, { windowMs, open }: { windowMs: number; open: number }): number {
  const window = windowAt(now, windowMs);
  const isLate = window < open && open * windowMs - now.getTime() <= LATE_MS;
  return isLate ? open : window;
}

/** The number of the window in which a request of `now` began. */
export const windowAt = (now: Date, windowMs: number): number => Math.floor(now.getTime() / windowMs);
