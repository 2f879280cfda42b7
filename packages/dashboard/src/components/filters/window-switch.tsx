import { isRange, RANGES } from '../../data/time-range.ts';
import { useFilters } from '../../data/use-filters.ts';
import { useStatsWindow } from '../../data/use-stats-window.ts';

const SHORT = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days' } as const;

/** Chooses how far back the numbers of a page go; the choice is in the address. */
export function WindowSwitch() {
  const chosen = useStatsWindow();
  const filters = useFilters(['window']);
  return (
    <fieldset class="seg">
      <legend class="sr">Period</legend>
      {Object.keys(RANGES)
        .filter(isRange)
        .map((range) => (
          <label key={range} title={RANGES[range]}>
            <input
              type="radio"
              name="window"
              value={range}
              checked={range === chosen}
              onChange={() => filters.set({ window: range })}
            />
            <span>{SHORT[range]}</span>
          </label>
        ))}
    </fieldset>
  );
}
