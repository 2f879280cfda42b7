import { LIMITS } from '@hubline/contract';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// RFC 9110, 5.6.7, the form that servers must send: `Sun, 06 Nov 1994 08:49:37 GMT`. `Date.parse` accepts far more.
const HTTP_DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** The delay that a `Retry-After` asks for, in milliseconds, at most an hour; `null` when it cannot be read. */
export function parseRetryAfter(value: string, now: Date): number | null {
  const text = value.trim();
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1_000 : untilHttpDate(text, now);
  return delayMs === null ? null : Math.min(Math.max(delayMs, 0), LIMITS.retryAfterMaxMs);
}

function untilHttpDate(text: string, now: Date): number | null {
  const [, day, month = '', year, hour, minute, second] = HTTP_DATE.exec(text) ?? [];
  const monthIndex = MONTHS.indexOf(month);
  if (monthIndex < 0) return null;
  const [y, d, h, m, s] = [year, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(y, monthIndex, d, h, m, s) - now.getTime();
}
