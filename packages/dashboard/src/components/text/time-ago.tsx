import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LOCALE } from '../../data/formats/format-number.ts';

/** One clock for all relative times; it runs while the page shows any. */
const now = signal(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const TICK_MS = 10_000;

function watchClock(): () => void {
  if (watchers++ === 0) {
    now.value = Date.now();
    timer = setInterval(() => (now.value = Date.now()), TICK_MS);
  }
  return () => {
    if (--watchers === 0) clearInterval(timer);
  };
}

const absolute = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `5 min. ago`, or `in 2 hr.` */
function formatRelative(timestamp: string, now: number): string {
  const seconds = Math.round((Date.parse(timestamp) - now) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return Math.abs(seconds) < 5 ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}

/** `2026-11-21 03:45:22 UTC`, and below it, if it differs, local time: `21 Nov 2026, 04:45:22 GMT+1`. */
export function formatAbsolute(timestamp: string): string {
  const date = new Date(timestamp);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return date.getTimezoneOffset() === 0 ? utc : `${utc}\n${absolute.format(date)}`;
}

interface TimeAgoProps {
  /** ISO 8601; `null` if it has not happened. */
  readonly value: string | null | undefined;
  /** The text for `null`. */
  readonly none?: string;
}

/** The time since something happened, kept up to date. The tooltip has the exact time in UTC and in local time. */
export function TimeAgo({ value, none = 'never' }: TimeAgoProps) {
  useEffect(watchClock, []);
  if (value == null) return <span class="faint">{none}</span>;
  if (Number.isNaN(Date.parse(value))) return <span>{value}</span>;
  return (
    <time class="nowrap" dateTime={value} title={formatAbsolute(value)}>
      {formatRelative(value, now.value)}
    </time>
  );
}
