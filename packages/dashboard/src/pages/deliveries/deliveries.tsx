import { LIMITS } from '@hubline/contract/constants';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { FilterSelect } from '../../components/filters/filter-select.tsx';
import { FilterTime } from '../../components/filters/filter-time.tsx';
import { FiltersBar } from '../../components/filters/filters-bar.tsx';
import { Id } from '../../components/text/id.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { NewItems } from '../../components/page/new-items.tsx';
import { Page } from '../../components/page/page.tsx';
import { Table } from '../../components/page/table.tsx';
import { timeBounds } from '../../data/time-range.ts';
import { useFilters } from '../../data/use-filters.ts';
import { usePages } from '../../data/use-pages.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { asStatus, asTrigger, deliveryStatuses, deliveryTriggers, isUnderWay } from './delivery-statuses.ts';
import { refreshDeliveries } from './refresh-deliveries.ts';
import { RetryAll } from './retry-all.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

const NOUN = ['delivery', 'deliveries'] as const;
const POLL_MS = 3_000;

export function DeliveriesPage() {
  const workspace = useWorkspace();
  const filters = useFilters(['status', 'webhook', 'trigger', 'event', 'range', 'from', 'to']);
  const { status, webhook, trigger, event, range, from, to } = filters.values;
  const webhooks = useWebhooks(workspace.id);
  const newer = useSignal(0);

  /** The filters but the status, as lists and retries take them. */
  const chosen = () => ({
    webhook_id: webhook,
    event_type: asTrigger(trigger),
    event_id: event,
    ...timeBounds(filters.values, Date.now()),
  });
  const read = (limit: number, signal: AbortSignal) =>
    client.deliveries.list(workspace.id, { ...chosen(), status: asStatus(status), limit }, { signal });
  const deliveries = usePages(
    (signal) => {
      newer.value = 0;
      return read(50, signal);
    },
    [workspace.id, status, webhook, trigger, event, range, from, to],
  );
  usePoll(
    async (signal) => {
      newer.value = await refreshDeliveries(deliveries, (end) => read(LIMITS.pageMax, end), signal);
    },
    deliveries.items?.some(isUnderWay) ? POLL_MS : undefined,
  );

  const columns = deliveryColumns(deliveries, webhooks);
  return (
    <Page title="Deliveries" actions={<RetryAll filters={chosen} onSent={() => deliveries.reload()} />}>
      <FiltersBar active={filters.active} onClear={() => filters.clear()}>
        <FilterSelect
          label="Status"
          all="Any status"
          value={status}
          options={deliveryStatuses}
          onChange={(next) => filters.set({ status: next })}
        />
        <FilterSelect
          label="Webhook"
          all="Any webhook"
          value={webhook}
          options={Object.fromEntries([...(webhooks?.values() ?? [])].map(({ id, url }) => [id, url]))}
          onChange={(next) => filters.set({ webhook: next })}
        />
        <FilterSelect
          label="Trigger"
          all="Any trigger"
          value={trigger}
          options={deliveryTriggers}
          onChange={(next) => filters.set({ trigger: next })}
        />
        <FilterTime value={filters.values} onChange={(next) => filters.set(next)} />
        {event !== undefined && (
          <span class="line faint">
            of the event <Id value={event} href={workspace.href(`events/${event}`)} />
          </span>
        )}
      </FiltersBar>
      <NewItems count={newer.value} noun={NOUN} onShow={() => deliveries.reload()} />
      {(deliveries.items !== undefined || deliveries.error === undefined) && (
        <Table
          caption="Deliveries"
          items={deliveries.items}
          rowKey={({ id }) => id}
          href={({ id }) => workspace.href(`deliveries/${id}`)}
          columns={[
            columns.status,
            columns.event,
            columns.result,
            columns.webhook,
            columns.attempts,
            columns.nextAttempt,
            columns.made,
            columns.retry,
          ]}
          empty={
            filters.active ? (
              <EmptyState
                title="No deliveries match"
                action={<Button onClick={() => filters.clear()}>Clear the filters</Button>}
              >
                No stored delivery matches these filters.
              </EmptyState>
            ) : (
              <EmptyState title="No deliveries yet">
                Create a <a href={workspace.href('webhooks')}>webhook</a>. Each event that it is subscribed to
                becomes a delivery.
              </EmptyState>
            )
          }
        />
      )}
      <LoadMore pages={deliveries} noun={NOUN} />
    </Page>
  );
}
