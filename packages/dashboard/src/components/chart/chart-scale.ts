import { LOCALE } from '../../data/formats/format-number.ts';

const HOUR_MS = 3_600_000;
const TIME_STEPS = [1 / 12, 1 / 6, 1 / 4, 1 / 2, 1, 2, 4, 6, 12, 24, 48, 168].map((hours) => hours * HOUR_MS);
const TIME_TICKS = 7;
const VALUE_TICKS = 4;

/** Round values from 0 to the first that is not below `highest`: 0, 20, 40, 60. `least` is the smallest step. */
export function valueTicks(highest: number, least: number): readonly number[] {
  const rough = Math.max(highest / VALUE_TICKS, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power;
  const count = Math.max(Math.ceil(highest / step), 1);
  return Array.from({ length: count + 1 }, (_, each) => each * step);
}

/** A label on the time axis of a chart. */
export interface TimeTick {
  /** Its index among the times. */
  readonly at: number;
  readonly label: string;
}

/** The times at which an hour, a part of one or a day begins in the reader's time zone; the step leaves about seven of them. */
export function timeTicks(times: readonly string[]): readonly TimeTick[] {
  const clocks = times.map(wallClock);
  const span = (clocks.at(-1) ?? 0) - (clocks[0] ?? 0);
  const step = TIME_STEPS.find((each) => span / each <= TIME_TICKS) ?? span;
  return clocks.flatMap((clock, at) => {
    const before = clocks[at - 1];
    if (before === undefined || Math.floor(clock / step) === Math.floor(before / step)) return [];
    return [{ at, label: label(Math.floor(clock / step) * step) }];
  });
}

/** The local time in milliseconds, as if it were UTC, to find where a day begins. */
function wallClock(time: string): number {
  const date = new Date(time);
  return date.getTime() - date.getTimezoneOffset() * 60_000;
}

const hours = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const days = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `14:30`, and at midnight the day. */
const label = (clock: number): string => (clock % (24 * HOUR_MS) === 0 ? days : hours).format(clock);
