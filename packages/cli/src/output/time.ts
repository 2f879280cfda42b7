const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `3 months ago`, `in 5 minutes`. Not Intl.RelativeTimeFormat: its first use loads locale data. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  const size = Math.abs(seconds);
  const [unit, length] = UNITS.find(([, unitLength]) => size >= unitLength) ?? ['second', 1];
  if (size < 5) return 'just now';
  const count = Math.floor(size / length);
  const text = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** Whether a field is a timestamp: the API names all of them alike. */
export function isTimeField(path: string): boolean {
  return /_(?:at|until)$/.test(path);
}
