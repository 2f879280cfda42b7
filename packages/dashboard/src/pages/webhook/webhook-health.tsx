import type { Webhook } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { client } from '../../api/client.ts';
import { HealthStrip } from '../../components/chart/health-strip.tsx';
import { WindowSwitch } from '../../components/filters/window-switch.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { formatCount, formatDuration, formatShare } from '../../data/format-number.ts';
import { useRefreshed } from '../../data/use-refreshed.ts';
import { useStatsWindow } from '../../data/use-stats-window.ts';
import { useWorkspace } from '../../session/workspace.ts';

const REFRESH_MS = 15_000;
/** Below this share of successes a webhook is worth a look. */
const FINE = 0.99;

/** The recent statistics of a webhook, in one bar. */
export function WebhookHealth({ webhook }: { webhook: Webhook }) {
  const workspace = useWorkspace();
  const window = useStatsWindow();
  const stats = useRefreshed(
    (signal) => client.workspaces.stats(workspace.id, { window }, { signal }),
    ['stats', workspace.id, window],
    { everyMs: REFRESH_MS },
  );
  const own = stats.data?.webhooks.find(({ webhook_id }) => webhook_id === webhook.id);
  const loading = stats.data === undefined;
  const success = own && 1 - own.failure_rate;
  return (
    <Section title="Health" actions={<WindowSwitch />}>
      {stats.error !== undefined && <ErrorPanel error={stats.error} retry={stats.reload} />}
      <dl class="card healthbar">
        <Figure
          label="Success"
          loading={loading}
          tone={success !== undefined && success < FINE ? 'bad-t' : undefined}
        >
          {success === undefined ? '–' : formatShare(success)}
        </Figure>
        <Figure label="Attempts" loading={loading}>
          {formatCount(own?.attempts ?? 0)}
        </Figure>
        <Figure label="Failed" loading={loading}>
          {formatCount(own?.failed ?? 0)}
        </Figure>
        <Figure label="Response, p95" loading={loading}>
          {own?.p95_ms == null ? '–' : formatDuration(own.p95_ms)}
        </Figure>
        <div class="hb wide">
          <dt class="axis">
            <span>Over time</span>
            <span>now</span>
          </dt>
          <dd>
            <HealthStrip
              cells={own?.health ?? []}
              label={own ? `${own.failed} of ${own.attempts} attempts failed` : 'No attempts in this period'}
            />
          </dd>
        </div>
      </dl>
    </Section>
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
