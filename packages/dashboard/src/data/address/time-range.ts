/** The ranges that a page offers beside "from … to …". */
export const RANGES = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const;

export type Range = keyof typeof RANGES;

const MILLISECONDS: Record<Range, number> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 };

/** Filters of a time range, as written in the query string. `from` and `to` are UTC timestamps; `range` wins. */
export interface TimeFilters {
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
}

export const isRange = (text: string | undefined): text is Range =>
  text !== undefined && Object.hasOwn(RANGES, text);

/** The two ends as the API takes them. */
export function timeBounds(
  { range, from, to }: TimeFilters,
  now: number,
): { since: string | undefined; until: string | undefined } {
  if (isRange(range)) return { since: new Date(now - MILLISECONDS[range]).toISOString(), until: undefined };
  return { since: from, until: to };
}
