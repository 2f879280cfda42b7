import { client } from '../../../api/client.ts';
import { Button } from '../../../components/controls/button.tsx';
import { FilterChips } from '../../../components/filters/filter-chips.tsx';
import { FiltersBar } from '../../../components/filters/filters-bar.tsx';
import { WindowSwitch } from '../../../components/filters/window-switch.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Page } from '../../../components/page/page.tsx';
import { QueryState } from '../../../components/page/loading.tsx';
import { useFilters } from '../../../data/address/use-filters.ts';
import { useRefreshed } from '../../../data/queries/use-refreshed.ts';
import { useStatsWindow } from '../../../data/address/use-stats-window.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useWebhooks } from '../../webhooks/use-webhooks.ts';
import { causeFilters, causeOf } from './cause-filters.ts';
import { DeliveryGroups } from './delivery-groups.tsx';
import { RetryAll } from '../retry/retry-all.tsx';
import { retryNote } from '../retry/retry-group.tsx';
import { ViewSwitch } from '../view-switch.tsx';

const REFRESH_MS = 15_000;

/** The failed attempts of a window, counted by the server and grouped by webhook and by the receiver's response. */
export function FailuresByCause() {
  const { id } = useWorkspace();
  const filters = useFilters(['webhook', 'code', 'error']);
  const window = useStatsWindow();
  const stats = useRefreshed(
    (signal) => client.workspaces.stats(id, { window }, { signal }),
    ['stats', id, window],
    { everyMs: REFRESH_MS },
  );
  const webhooks = useWebhooks(id);
  const cause = causeOf(filters.values);
  const failures = stats.data?.failures.filter(
    (each) =>
      (cause.webhook_id ?? each.webhook_id) === each.webhook_id &&
      (cause.response_status ?? each.response_status) === each.response_status &&
      (cause.error_kind ?? each.error_kind) === each.error_kind,
  );
  return (
    <Page
      title="Deliveries"
      actions={<RetryAll ofPage filters={() => cause} onSent={stats.reload} />}
      layout="fill"
      bar={
        <>
          <FiltersBar active={filters.active} onClear={filters.clear}>
            <WindowSwitch />
            <FilterChips
              values={filters.values}
              onChange={(name, value) => filters.set({ [name]: value })}
              filters={causeFilters(webhooks)}
            />
            <ViewSwitch />
          </FiltersBar>
          {failures && failures.length > 0 && <p class="head-meta">{retryNote()}</p>}
        </>
      }
    >
      <div class="scroll" tabIndex={-1}>
        {stats.error !== undefined || !failures ? (
          <QueryState of={stats} />
        ) : failures.length > 0 ? (
          <DeliveryGroups failures={failures} webhooks={webhooks ?? new Map()} onSent={stats.reload} />
        ) : filters.active ? (
          <EmptyState
            title="No failures match"
            action={<Button onClick={filters.clear}>Clear the filters</Button>}
          >
            No attempt failed in this way in this period.
          </EmptyState>
        ) : (
          <EmptyState title="Nothing failed">No attempt failed in this period.</EmptyState>
        )}
      </div>
    </Page>
  );
}
