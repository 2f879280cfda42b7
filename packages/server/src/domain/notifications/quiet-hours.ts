import type { RuleSettings } from './rule.ts';

type QuietHours = NonNullable<RuleSettings['quiet_hours']>;

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
// The number of days to look at: the hours of one may end where those of the next begin.
const DAYS_AHEAD = 8;

/** Reports whether a time zone is one that this server knows. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The end of the quiet hours that `now` is in; `null` outside of them. */
export function quietUntil(quiet: QuietHours, now: Date): Date | null {
  let at = now.getTime();
  for (let day = 0; day < DAYS_AHEAD; day += 1) {
    const end = endAround(quiet, at);
    if (end === null) break;
    at = end;
  }
  return at === now.getTime() ? null : new Date(at);
}

/** The end of the hours around a moment: they began today or yesterday, in local days. */
function endAround({ timezone, days, from, to }: QuietHours, at: number): number | null {
  const today = localDay(timezone, at);
  for (const day of [today, today - DAY_MS]) {
    const weekday = WEEKDAYS[new Date(day).getUTCDay()] ?? 'sun';
    if (days && !days.includes(weekday)) continue;
    const begin = instant(timezone, day + minutes(from) * MINUTE_MS, Math.min);
    const end = instant(timezone, (to > from ? day : day + DAY_MS) + minutes(to) * MINUTE_MS, Math.max);
    if (begin <= at && at < end) return end;
  }
  return null;
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The midnight at which the local day begins, written as if it were UTC. */
function localDay(timezone: string, at: number): number {
  const local = localTime(timezone, at);
  return local - (local % DAY_MS);
}

/**
 * The moment at which the clocks of a zone show a time, which is given as if it were UTC. A change of the clocks may skip the time, or show
 * it twice: `pick` chooses the earlier moment for a beginning and the later one for an end, so that quiet hours are never too short.
 */
function instant(timezone: string, local: number, pick: (...moments: number[]) => number): number {
  const candidates = [local - DAY_MS, local + DAY_MS].map((near) => {
    const offset = localTime(timezone, near) - near;
    return local - offset;
  });
  const exact = candidates.filter((at) => localTime(timezone, at) === local);
  return pick(...(exact.length > 0 ? exact : candidates));
}

/** The time that clocks show at a moment, as if it were UTC, to the minute. */
function localTime(timezone: string, at: number): number {
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}

const formats = new Map<string, Intl.DateTimeFormat>();
// More than there are zones: a request may write the same zone in several ways.
const FORMATS_MAX = 1_000;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    if (formats.size >= FORMATS_MAX) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}
