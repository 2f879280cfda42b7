/** A rate limit, and how much of it is used up. Times are milliseconds since the epoch. */
export interface Pace {
  perSecond: number;
  /** The time up to which calls were allowed; `null` before the first. */
  usedUntil: number | null;
}

/** Calls that may be made at once: a tenth of a second's worth, so that a high rate needs no timer for each call. */
const groupOf = ({ perSecond }: Pace) => Math.max(1, Math.floor(perSecond / 10));

const intervalOf = ({ perSecond }: Pace) => 1_000 / perSecond;

/**
 * A token bucket as one number (the generic cell rate algorithm): every call uses up its share of a second, beginning
 * where the last one ended. Nothing has to be refilled, and the state fits into a column.
 */
export function allowance(pace: Pace, now: number): { calls: number; nextAt: number } {
  const interval = intervalOf(pace);
  const group = groupOf(pace);
  const begin = beginOf(pace, now);
  const calls = Math.max(0, Math.floor((now - begin) / interval + group));
  return { calls, nextAt: Math.ceil(begin - (group - 1) * interval) };
}

/** `usedUntil` after that many calls. */
export function spend(pace: Pace, calls: number, now: number): number {
  return beginOf(pace, now) + calls * intervalOf(pace);
}

function beginOf(pace: Pace, now: number): number {
  const { usedUntil } = pace;
  if (usedUntil === null || usedUntil < now) return now;
  // Further ahead than calls can have moved it: the clock was set back, which nobody should wait for.
  return usedUntil > now + (groupOf(pace) + 1) * intervalOf(pace) ? now : usedUntil;
}
