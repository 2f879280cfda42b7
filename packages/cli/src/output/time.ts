const UNITS = [
  ['year', 365 * 86_400, 'y'],
  ['month', 30 * 86_400, 'mo'],
  ['day', 86_400, 'd'],
  ['hour', 3_600, 'h'],
  ['minute', 60, 'm'],
  ['second', 1, 's'],
] as const;

/** `3 months ago`, `in 5 minutes`; `brief`: `3mo ago`, `in 5m`. Not Intl.RelativeTimeFormat: its first use loads locale data. */
export function relativeTime(iso: string, now: number, { brief = false } = {}): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  const size = Math.abs(seconds);
  const [unit, length, letters] = UNITS.find(([, unitLength]) => size >= unitLength) ?? ['second', 1, 's'];
  if (size < 5) return brief ? 'now' : 'just now';
  const count = Math.floor(size / length);
  const text = brief ? `${count}${letters}` : `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** The units of durations, longest first, in milliseconds. */
const LENGTHS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

/** A duration as it would be typed: `90s`, `1h`, `7d`. */
export function durationText(ms: number): string {
  const [length, unit] = LENGTHS.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms'];
  return `${ms / length}${unit}`;
}

/** `412 ms`, or `1.2 s`. */
export const duration = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** Reports whether a field is a timestamp: the API names all of them alike. */
export function isTimeField(path: string): boolean {
  return /_(?:at|until)$/.test(path);
}
