import { LIMITS } from '@hubline/contract/constants';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { WindowSwitch } from '../../components/filters/window-switch.tsx';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useStatsWindow } from '../../data/address/use-stats-window.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { NeedsAttention } from './needs-attention.tsx';
import { StatsChart } from './stats-chart.tsx';
import { OverviewFailures } from './overview-failures.tsx';
import { OverviewSources } from './overview-sources.tsx';
import { OverviewTotals } from './overview-totals.tsx';
import { OverviewWebhooks } from './overview-webhooks.tsx';
import { FirstSteps } from './first-steps.tsx';

const REFRESH_MS = 15_000;

export function OverviewPage() {
  const workspace = useWorkspace();
  const window = useStatsWindow();
  const stats = useRefreshed(
    (signal) => client.workspaces.stats(workspace.id, { window }, { signal }),
    ['stats', workspace.id, window],
    { everyMs: REFRESH_MS },
  );
  const webhooks = useRefreshed(
    (signal) =>
      client.webhooks.list({ workspace_id: workspace.id, limit: LIMITS.pageMax }, { signal }).toArray(),
    ['webhooks', workspace.id],
    { everyMs: REFRESH_MS },
  );
  useShortcuts({
    r: () => {
      stats.reload();
      webhooks.reload();
    },
  });
  return (
    <Page title="Overview" actions={<WindowSwitch />}>
      {workspace.can('manage_webhooks') && webhooks.data && (
        <FirstSteps hasWebhook={webhooks.data.length > 0} />
      )}
      <ErrorPanel of={stats} />
      <OverviewTotals stats={stats.data} window={window} />
      <ErrorPanel of={webhooks} />
      <div class="two">
        <div class="col">
          <StatsChart of="attempts" stats={stats.data} window={window} />
          <OverviewWebhooks webhooks={webhooks.data} stats={stats.data} />
          <StatsChart of="latency" stats={stats.data} window={window} />
        </div>
        <div class="col">
          <NeedsAttention webhooks={webhooks.data} stats={stats.data?.webhooks} />
          <OverviewFailures webhooks={webhooks.data} />
          {stats.data && <OverviewSources stats={stats.data} />}
        </div>
      </div>
    </Page>
  );
}
