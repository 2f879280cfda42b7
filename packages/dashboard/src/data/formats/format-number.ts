/**
 * Numbers, times and lists are English like the words around them, whatever the language of the browser: `1.782` of a German
 * browser would read as less than two. A day comes before its month, and a clock has 24 hours.
 */
export const LOCALE = 'en-GB';

/** `owners, admins and members` */
export const formatList = (words: Iterable<string>): string => new Intl.ListFormat(LOCALE).format(words);

const counts = new Intl.NumberFormat(LOCALE);
/** `12.3` */
export const tenths = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `12,345` */
export const formatCount = (count: number): string => counts.format(count);

/** `1 event`, `12,345 events` */
export const formatMany = (count: number, [one, many]: readonly [one: string, many: string]): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** A share from 0 to 1 as `99.9%`. `100%` and `0%` appear only if they are exact. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1%';
  if (share > 0.999 && share < 1) return '> 99.9%';
  return `${tenths.format(share * 100)}%`;
}

/** `85 ms`, `1.24 s`, `12.3 s`, `30 s` */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${counts.format(Math.round(ms))} ms`;
  return ms < 10_000 ? `${hundredths.format(ms / 1_000)} s` : `${tenths.format(ms / 1_000)} s`;
}

/** `5 s`, `2 min` */
export const formatDelay = (ms: number): string =>
  ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`;

/** `24 h`, `90 min` */
export const formatPeriod = (seconds: number): string =>
  seconds % 3_600 === 0 ? `${counts.format(seconds / 3_600)} h` : `${counts.format(seconds / 60)} min`;

/** `312 B`, `2.1 KiB`, `4 MiB`, `33 GiB`, as on the command line and in every limit. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), 3);
  return `${tenths.format(bytes / 1_024 ** step)} ${['B', 'KiB', 'MiB', 'GiB'][step]}`;
}
