import { isRange, type Range } from './time-range.ts';
import { useFilters } from './use-filters.ts';

/** How far back a page looks; `WindowSwitch` changes it. */
export function useStatsWindow(): Range {
  const { window } = useFilters(['window']).values;
  return isRange(window) ? window : '24h';
}
