/**
 * A token bucket as one number (the generic cell rate algorithm): every call uses up its share of a second, beginning where the last one
 * ended. Nothing has to be refilled, and the state fits into a column. Times are milliseconds since the epoch.
 */
export interface TokenBucket {
  perSecond: number;
  /** The time up to which calls were allowed; `null` before the first. */
  usedUntil: number | null;
}

/** Calls that may be made at once: a tenth of a second's worth, so that a high rate needs no timer for each call. */
const groupOf = ({ perSecond }: TokenBucket) => Math.max(1, Math.floor(perSecond / 10));

const intervalOf = ({ perSecond }: TokenBucket) => 1_000 / perSecond;

/** The calls that may be made now, and the time from which there is one again. */
export function allowance(bucket: TokenBucket, now: number): { calls: number; nextAt: number } {
  const interval = intervalOf(bucket);
  const group = groupOf(bucket);
  const begin = beginOf(bucket, now);
  const calls = Math.max(0, Math.floor((now - begin) / interval + group));
  return { calls, nextAt: Math.ceil(begin - (group - 1) * interval) };
}

/** `usedUntil` after that many calls. */
export function spend(bucket: TokenBucket, calls: number, now: number): number {
  return beginOf(bucket, now) + calls * intervalOf(bucket);
}

function beginOf(bucket: TokenBucket, now: number): number {
  const { usedUntil } = bucket;
  if (usedUntil === null || usedUntil < now) return now;
  // This is further ahead than calls can have moved it, so the clock was set back. Nobody should wait for that.
  return usedUntil > now + (groupOf(bucket) + 1) * intervalOf(bucket) ? now : usedUntil;
}
