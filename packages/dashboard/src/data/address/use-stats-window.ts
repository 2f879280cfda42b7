import type { Range } from './time-range.ts';
import { useFilters } from './use-filters.ts';

/** The time window of a page; `WindowSwitch` changes it. */
export function useStatsWindow(): Range {
  return (useFilters(['window']).values.window as Range | undefined) ?? '24h';
}
