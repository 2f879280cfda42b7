import type { WebhookStats } from '@hubline/sdk';
import { useMemo } from 'preact/hooks';
import type { ChartProps } from '../../components/chart/chart-plot.tsx';
import { Chart } from '../../components/chart/chart.tsx';
import { Section } from '../../components/page/section.tsx';
import type { Range } from '../../data/address/time-range.ts';
import { formatCount, formatDuration } from '../../data/formats/format-number.ts';

/** The buckets of a window, in words. */
const PER: Record<Range, string> = { '1h': 'per minute', '24h': 'per 15 minutes', '7d': 'per hour' };

type Charted = Pick<WebhookStats, 'series' | 'success_rate'>;

interface StatsChartProps {
  /** The statistics of a workspace or a webhook. */
  readonly stats: Charted | undefined;
  readonly window: Range;
  readonly of: 'attempts' | 'latency';
}

/** A chart of attempts by outcome, or of their response times. */
export function StatsChart({ stats, window, of }: StatsChartProps) {
  // Keeps the same arrays for the same data, because new arrays would redraw the chart.
  const charts = useMemo(() => stats && chartsOf(stats, PER[window]), [stats]);
  const nothing = stats?.success_rate === null;
  const chart = charts?.[of];
  return (
    <Section title={of === 'attempts' ? `Attempts ${PER[window]}` : 'Response time'}>
      {chart && !nothing ? <Chart {...chart} /> : <Space nothing={nothing} />}
    </Section>
  );
}

/** A placeholder for a chart, so that nothing moves when the chart appears. */
function Space({ nothing }: { nothing: boolean }) {
  return (
    <div class="chart-space" data-nothing={nothing ? '' : undefined} aria-busy={!nothing}>
      {nothing && 'No attempts in this period'}
    </div>
  );
}

function chartsOf({ series }: Charted, per: string): Record<'attempts' | 'latency', ChartProps> {
  const times = series.map(({ at }) => at);
  return {
    attempts: {
      label: `Attempts ${per}`,
      times,
      stacked: true,
      format: formatCount,
      series: [
        { label: 'Succeeded', tone: 'ok', values: series.map(({ succeeded }) => succeeded) },
        { label: 'Failed', tone: 'bad', values: series.map(({ failed }) => failed) },
      ],
    },
    latency: {
      label: `Response time ${per}`,
      times,
      format: formatDuration,
      series: [
        { label: 'p50', tone: 'accent', values: series.map(({ p50_ms }) => p50_ms) },
        { label: 'p95', tone: 'warn', values: series.map(({ p95_ms }) => p95_ms) },
      ],
    },
  };
}
