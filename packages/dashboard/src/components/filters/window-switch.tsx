import { useFilters } from '../../data/address/use-filters.ts';
import { useStatsWindow } from '../../data/address/use-stats-window.ts';
import { Seg } from '../controls/seg.tsx';

const WINDOWS = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days' } as const;

/** Chooses how far back the numbers of a page go; the choice is in the address. */
export function WindowSwitch() {
  const chosen = useStatsWindow();
  const filters = useFilters(['window']);
  return (
    <Seg label="Period" options={WINDOWS} value={chosen} onChange={(window) => filters.set({ window })} />
  );
}
