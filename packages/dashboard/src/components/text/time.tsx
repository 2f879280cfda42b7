import { formatAbsolute } from './time-ago.tsx';
import { LOCALE } from '../../data/formats/format-number.ts';

const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' });
const dated = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** `09:42` */
export const minutes = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });

/** The time zone of the browser. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `09:42:18` */
export const formatClock = (at: Date): string => clock.format(at);

/** `Today`, `Fri 20 Nov`, or `20 Nov 2025` in another year. */
export function formatDay(at: Date, now: Date = new Date()): string {
  if (at.toDateString() === now.toDateString()) return 'Today';
  return (at.getFullYear() === now.getFullYear() ? day : dated).format(at).replace(',', '');
}

/** `09:42:18` of today, or `09:42` as it `begins` something long; `Fri 20 Nov, 09:42` of another day. */
export function formatTime(timestamp: string, begins = false): string {
  const at = new Date(timestamp);
  return at.toDateString() === new Date().toDateString()
    ? (begins ? minutes : clock).format(at)
    : `${formatDay(at)}, ${minutes.format(at)}`;
}

interface TimeProps {
  /** ISO 8601; `null` if it has not happened. */
  readonly value: string | null | undefined;
  /** The text for `null`. */
  readonly none?: string;
  /** True where the day is enough. */
  readonly day?: boolean;
  /** True for the beginning of something that is still going on: seconds would read like a duration. */
  readonly begins?: boolean;
}

/** An exact time. The tooltip has it in UTC, too. */
export function Time({ value, none = 'never', day: isDay = false, begins }: TimeProps) {
  if (value == null) return <span class="faint">{none}</span>;
  if (Number.isNaN(Date.parse(value))) return <span>{value}</span>;
  return (
    <time class="nowrap" dateTime={value} title={formatAbsolute(value)}>
      {isDay ? formatDay(new Date(value)) : formatTime(value, begins)}
    </time>
  );
}
