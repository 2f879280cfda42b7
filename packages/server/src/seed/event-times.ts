import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** The length of a history, and the number of events on its last day. Earlier days have fewer. */
export interface Liveliness {
  days: number;
  eventsPerDay: number;
}

/**
 * The times of events, oldest first. Each day is busiest at the present hour, and quietest twelve hours from it. Yesterday was a little
 * quieter than today; earlier days have few events, so that the chart of a week is not empty.
 */
export function eventTimes(random: Random, until: number, { days, eventsPerDay }: Liveliness): number[] {
  const times: number[] = [];
  for (let hour = days * DAY_HOURS; hour > 0; hour -= 1) {
    const wanted = (eventsPerDay / DAY_HOURS) * dayShare(hour) * activity(hour);
    const count = Math.round(wanted * (0.85 + 0.3 * random.next()));
    const from = until - hour * HOUR_MS;
    for (let index = 0; index < count; index += 1) times.push(Math.floor(from + random.next() * HOUR_MS));
  }
  return times.sort((a, b) => a - b);
}

function dayShare(hoursAgo: number): number {
  if (hoursAgo > 2 * DAY_HOURS) return 0.06;
  if (hoursAgo > DAY_HOURS) return 0.92;
  // The last hours have more, to match the events that come while the server runs.
  return hoursAgo === 1 ? 1.9 : hoursAgo === 2 ? 1.4 : 1;
}

/** A factor from 0.3 at the quietest hour to 1.7 at the present one. */
const activity = (hoursAgo: number) => 1 + 0.7 * Math.cos((2 * Math.PI * (hoursAgo - 1)) / DAY_HOURS);
