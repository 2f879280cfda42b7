import { isRange, type Range } from './time-range.ts';
import { useFilters } from './use-filters.ts';

/** The time window of a page; `WindowSwitch` changes it. */
export function useStatsWindow(): Range {
  const { window } = useFilters(['window']).values;
  return isRange(window) ? window : '24h';
}
