import type { Webhook } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { client } from '../../api/client.ts';
import { HealthStrip } from '../../components/chart/health-strip.tsx';
import { WindowSwitch } from '../../components/filters/window-switch.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { formatCount, formatDuration, formatShare } from '../../data/formats/format-number.ts';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useStatsWindow } from '../../data/address/use-stats-window.ts';
import { StatsChart } from '../overview/stats-chart.tsx';
import { isLow } from '../webhooks/webhook-state.tsx';
import { WebhookFailures } from './webhook-failures.tsx';

const REFRESH_MS = 15_000;

/** The recent statistics of a webhook: a bar of numbers, the causes of failures, and charts. */
export function WebhookHealth({ webhook: { id } }: { webhook: Webhook }) {
  const window = useStatsWindow();
  const stats = useRefreshed(
    (signal) => client.webhooks.stats(id, { window }, { signal }),
    ['stats', 'of-webhook', id, window],
    { everyMs: REFRESH_MS },
  );
  const { attempts, health = [], latency, queue, success_rate: success } = stats.data ?? {};
  const all = attempts && attempts.succeeded + attempts.failed;
  const loading = all === undefined;
  return (
    <>
      <Section title="Health" actions={<WindowSwitch />}>
        <ErrorPanel of={stats} />
        <dl class="card healthbar">
          <Figure
            label="Success"
            loading={loading}
            tone={success != null && isLow(success) ? 'bad-t' : undefined}
          >
            {success == null ? '–' : formatShare(success)}
          </Figure>
          <Figure label="Attempts" loading={loading}>
            {formatCount(all ?? 0)}
          </Figure>
          <Figure label="Waiting to retry" loading={loading}>
            {formatCount(queue?.retrying ?? 0)}
          </Figure>
          <Figure label="Response, p95" loading={loading}>
            {latency ? formatDuration(latency.p95_ms) : '–'}
          </Figure>
          <div class="hb wide">
            <dt class="axis">
              <span>Over time</span>
              <span>now</span>
            </dt>
            <dd>
              <HealthStrip
                cells={health}
                label={all ? `${attempts?.failed} of ${all} attempts failed` : 'No attempts in this period'}
              />
            </dd>
          </div>
        </dl>
      </Section>
      {stats.data && <WebhookFailures stats={stats.data} onSent={stats.reload} />}
      {!!all && (
        <div class="pair">
          <StatsChart of="attempts" stats={stats.data} window={window} />
          <StatsChart of="latency" stats={stats.data} window={window} />
        </div>
      )}
    </>
  );
}

interface FigureProps {
  readonly label: string;
  readonly loading: boolean;
  readonly tone?: string | undefined;
  readonly children: ComponentChildren;
}

function Figure({ label, loading, tone, children }: FigureProps) {
  return (
    <div class="hb">
      <dt>{label}</dt>
      <dd class={tone === undefined ? 'fig' : `fig ${tone}`}>
        {loading ? <span class="skel w1" /> : children}
      </dd>
    </div>
  );
}
