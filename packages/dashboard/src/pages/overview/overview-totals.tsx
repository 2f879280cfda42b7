import type { WorkspaceStats } from '@hubline/sdk';
import { Stat, Stats } from '../../components/chart/stat.tsx';
import { formatCount, formatDuration, formatShare } from '../../data/format-number.ts';

/** The numbers of the window. */
export function OverviewTotals({ stats }: { stats: WorkspaceStats | undefined }) {
  const { deliveries, attempts, latency, success_rate: rate } = stats ?? {};
  const none = stats && <span class="faint">–</span>;
  return (
    <Stats>
      <Stat label="Events" value={stats && formatCount(stats.events)} note="received" />
      <Stat
        label="Deliveries"
        value={deliveries && formatCount(deliveries.delivered)}
        note={deliveries && `delivered, ${formatCount(deliveries.failed)} failed`}
      />
      <Stat
        label="Success rate"
        value={rate == null ? none : formatShare(rate)}
        note={attempts && `of ${formatCount(attempts.succeeded + attempts.failed)} attempts`}
        tone={rate != null && rate < 0.95 ? 'bad' : undefined}
      />
      <Stat
        label="Latency, median"
        value={latency ? formatDuration(latency.p50_ms) : none}
        note="of successes"
      />
      <Stat
        label="Latency, 95th percentile"
        value={latency ? formatDuration(latency.p95_ms) : none}
        note="of successes"
      />
    </Stats>
  );
}
