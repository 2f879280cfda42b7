const counts = new Intl.NumberFormat('en');
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12,345` */
export const formatCount = (count: number): string => counts.format(count);

/** `1 event`, `12,345 events` */
export const formatMany = (count: number, [one, many]: readonly [one: string, many: string]): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** A share from 0 to 1 as `99.9 %`. All and nothing are said only of all and nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %';
  if (share > 0.999 && share < 1) return '> 99.9 %';
  return `${tenths.format(share * 100)} %`;
}

/** `85 ms`, `1.2 s` */
export const formatDuration = (ms: number): string =>
  ms < 1_000 ? `${counts.format(Math.round(ms))} ms` : `${tenths.format(ms / 1_000)} s`;
