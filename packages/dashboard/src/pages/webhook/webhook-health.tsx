import type { Webhook } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { Stat, Stats } from '../../components/chart/stat.tsx';
import { WindowSwitch } from '../../components/filters/window-switch.tsx';
import { formatCount, formatDuration, formatShare } from '../../data/format-number.ts';
import { useRefreshed } from '../../data/use-refreshed.ts';
import { useStatsWindow } from '../../data/use-stats-window.ts';
import { useWorkspace } from '../../session/workspace.ts';

const REFRESH_MS = 15_000;

/** The recent statistics of a webhook. */
export function WebhookHealth({ webhook }: { webhook: Webhook }) {
  const workspace = useWorkspace();
  const window = useStatsWindow();
  const stats = useRefreshed(
    (signal) => client.workspaces.stats(workspace.id, { window }, { signal }),
    [workspace.id, window],
    { everyMs: REFRESH_MS },
  );
  const own = stats.data?.webhooks.find(({ webhook_id }) => webhook_id === webhook.id);
  const none = stats.data && <span class="faint">–</span>;
  return (
    <Section title="Health" actions={<WindowSwitch />}>
      {stats.error !== undefined && <ErrorPanel error={stats.error} retry={stats.reload} />}
      <Stats>
        <Stat
          label="Attempts"
          value={stats.data && formatCount(own?.attempts ?? 0)}
          note={own ? `${formatCount(own.failed)} failed` : 'no attempts in this period'}
        />
        <Stat
          label="Success rate"
          note="of attempts"
          value={own ? formatShare(1 - own.failure_rate) : none}
          tone={own && own.failure_rate > 0 ? 'bad' : undefined}
        />
        <Stat
          label="Latency, median"
          value={own?.p50_ms == null ? none : formatDuration(own.p50_ms)}
          note="of successes"
        />
        <Stat
          label="Latency, 95th percentile"
          value={own?.p95_ms == null ? none : formatDuration(own.p95_ms)}
          note="of successes"
        />
      </Stats>
    </Section>
  );
}
