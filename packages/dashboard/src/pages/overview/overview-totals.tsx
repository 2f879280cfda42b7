import type { WorkspaceStats } from '@hubline/sdk';
import { Delta, type DeltaProps, Stat, Stats } from '../../components/chart/stat.tsx';
import type { Range } from '../../data/address/time-range.ts';
import { formatCount, formatDuration, tenths } from '../../data/formats/format-number.ts';

const BEFORE: Record<Range, string> = {
  '1h': 'vs. the hour before',
  '24h': 'vs. the day before',
  '7d': 'vs. the week before',
};

/** The numbers that a window shares with the one before. */
type Totals = Pick<WorkspaceStats, keyof WorkspaceStats['previous']>;

/** The numbers of the window, beside those of the window before. */
export function OverviewTotals({ stats, window }: { stats: WorkspaceStats | undefined; window: Range }) {
  const { deliveries, latency, success_rate: rate, series = [] } = stats ?? {};
  // Without events in the window before, as in a new workspace, there is nothing to compare.
  const previous = stats?.previous.events ? stats.previous : undefined;
  const none = stats && <span class="faint">–</span>;
  const [took = '', tookUnit] = latency ? formatDuration(latency.p95_ms).split(' ') : [];
  const versus = (of: (totals: Totals) => number | null | undefined, look?: Partial<DeltaProps>) => {
    const now = stats && of(stats);
    const before = previous && of(previous);
    return now == null || before == null ? undefined : (
      <>
        <Delta now={now} before={before} {...look} /> <span class="clip">{BEFORE[window]}</span>
      </>
    );
  };
  return (
    <Stats>
      <Stat
        label="Events"
        value={stats && formatCount(stats.events)}
        note={versus((each) => each.events)}
        history={series.map(({ events }) => events)}
      />
      <Stat
        label="Delivered"
        value={deliveries && formatCount(deliveries.delivered)}
        note={versus((each) => each.deliveries.delivered)}
        history={series.map(({ succeeded }) => succeeded)}
      />
      <Stat
        label="Failed deliveries"
        value={deliveries && formatCount(deliveries.failed)}
        note={versus((each) => each.deliveries.failed, { good: 'down', format: formatCount })}
        tone={deliveries && deliveries.failed > 0 ? 'bad' : undefined}
        history={series.map(({ failed }) => failed)}
      />
      <Stat
        label="Success rate"
        value={rate == null ? none : tenths.format(Math.floor(rate * 1_000) / 10)}
        unit={rate == null ? undefined : '%'}
        note={versus((each) => each.success_rate, { good: 'up', format: points }) ?? 'of attempts'}
        tone={rate != null && rate < 0.95 ? 'bad' : undefined}
        history={series.map(({ succeeded, failed }) =>
          succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
        )}
      />
      <Stat
        label="Response time, p95"
        value={latency ? took : none}
        unit={tookUnit}
        note={
          versus((each) => each.latency?.p95_ms, { good: 'down', format: formatDuration }) ?? 'of successes'
        }
        history={series.map(({ p95_ms }) => p95_ms)}
      />
    </Stats>
  );
}

const points = (change: number): string => `${tenths.format(change * 100)} pts`;
