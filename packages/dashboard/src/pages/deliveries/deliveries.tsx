import { LIMITS } from '@hubline/contract/constants';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { FilterChips } from '../../components/filters/filter-chips.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { FiltersBar } from '../../components/filters/filters-bar.tsx';
import { TimeChip } from '../../components/filters/time-chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { NoMatch } from '../../components/page/no-match.tsx';
import { NewItems } from '../../components/page/new-items.tsx';
import { Page } from '../../components/page/page.tsx';
import { timeBounds } from '../../data/address/time-range.ts';
import { useFilters } from '../../data/address/use-filters.ts';
import { countNote, usePages } from '../../data/queries/use-pages.ts';
import { usePoll } from '../../data/queries/use-poll.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { triggerNames } from '../webhooks/webhook-triggers.ts';
import { BulkBar } from './bulk-bar.tsx';
import { causeFilters, causeOf } from './causes/cause-filters.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { asStatus, asTrigger, isUnderWay } from './delivery-statuses.ts';
import { FailuresByCause } from './causes/failures-by-cause.tsx';
import { refreshDeliveries } from './refresh-deliveries.ts';
import { RetryAll } from './retry/retry-all.tsx';
import { StatusTabs } from './status-tabs.tsx';
import { ViewSwitch } from './view-switch.tsx';

const NOUN = ['delivery', 'deliveries'] as const;
const POLL_MS = 3_000;

/** The deliveries of a workspace, one by one or grouped by cause. */
export function DeliveriesPage() {
  return useFilters(['view']).values.view === 'cause' ? <FailuresByCause /> : <DeliveryList />;
}

function DeliveryList() {
  const workspace = useWorkspace();
  const filters = useFilters([
    'status',
    'webhook',
    'trigger',
    'type',
    'code',
    'error',
    'event',
    'range',
    'from',
    'to',
  ]);
  const { status, webhook, trigger, type, code, error, event, range, from, to } = filters.values;
  const webhooks = useWebhooks(workspace.id);
  // The number of deliveries newer than `head`, the first one of the list when they were counted.
  const newer = useSignal<{ readonly head: string | undefined; readonly count: number }>({
    head: undefined,
    count: 0,
  });
  const selectedIds = useSignal<ReadonlySet<string>>(new Set());

  /** The filters except the status, as retries take them. */
  const retryFilters = () => ({
    ...causeOf(filters.values),
    event_type: asTrigger(trigger),
    event_name: type,
    event_id: event,
    ...timeBounds(filters.values, Date.now()),
  });
  const read = (limit: number, signal: AbortSignal) =>
    client.deliveries.list(workspace.id, { ...retryFilters(), status: asStatus(status), limit }, { signal });
  const deliveries = usePages(
    (signal) => read(50, signal),
    ['deliveries', workspace.id, status, webhook, trigger, type, code, error, event, range, from, to],
  );
  const { items } = deliveries;
  // Deliveries that are no longer listed are no longer selected.
  const picked = new Set(items?.flatMap(({ id }) => (selectedIds.value.has(id) ? [id] : [])));
  usePoll(
    async (signal) => {
      const count = await refreshDeliveries(deliveries, (end) => read(LIMITS.pageMax, end), signal);
      newer.value = { head: items?.[0]?.id, count };
    },
    items?.some(isUnderWay) ? POLL_MS : undefined,
  );
  const isEmpty = items?.length === 0;
  const sent = (ids: readonly string[]) => {
    selectedIds.value = new Set([...picked].filter((id) => !ids.includes(id)));
    void deliveries.refresh();
  };

  return (
    <>
      <Page
        title="Deliveries"
        note={countNote(deliveries)}
        actions={<RetryAll ofPage filters={retryFilters} onSent={deliveries.reload} />}
        layout="fill"
        bar={
          <>
            <StatusTabs value={status} hrefOf={(next) => filters.hrefWith({ status: next })} />
            <FiltersBar active={filters.active} onClear={filters.clear}>
              <FilterText
                label="Event type"
                placeholder="Filter by event type"
                value={type}
                onChange={(next) => filters.set({ type: next })}
              />
              <TimeChip value={filters.values} onChange={filters.set} />
              <FilterChips
                values={{ webhook, code, error, trigger, event }}
                onChange={(name, value) => filters.set({ [name]: value })}
                filters={[
                  ...causeFilters(webhooks),
                  { name: 'trigger', label: 'Trigger', options: triggerNames },
                  { name: 'event', label: 'Event' },
                ]}
              />
              <ViewSwitch />
            </FiltersBar>
          </>
        }
      >
        <div class="scroll" tabIndex={-1}>
          <NewItems
            count={newer.value.head === items?.[0]?.id ? newer.value.count : 0}
            noun={NOUN}
            onShow={deliveries.reload}
          />
          {(items !== undefined || deliveries.error === undefined) && !isEmpty && (
            <DeliveryTable
              deliveries={deliveries}
              webhooks={webhooks}
              picked={picked}
              onPick={(next) => (selectedIds.value = next)}
            />
          )}
          {isEmpty &&
            (filters.active ? (
              <NoMatch
                noun="deliveries"
                pages={deliveries}
                each={LIMITS.searchedEvents}
                onClear={filters.clear}
              />
            ) : (
              <EmptyState
                title="No deliveries yet"
                action={
                  webhooks?.size === 0 ? (
                    <a class="btn primary" href={workspace.href('webhooks?new=1')}>
                      New webhook
                    </a>
                  ) : (
                    <a class="btn" href={workspace.href('webhooks')}>
                      Show the webhooks
                    </a>
                  )
                }
              >
                {webhooks?.size === 0
                  ? 'Add a webhook, and each of its calls is listed here.'
                  : 'Hubline calls your webhooks for each event that they subscribe to.'}
              </EmptyState>
            ))}
          <div class="list-end">
            <LoadMore pages={deliveries} />
          </div>
        </div>
      </Page>
      <BulkBar
        items={items?.filter(({ id }) => picked.has(id)) ?? []}
        onSent={sent}
        onClose={() => (selectedIds.value = new Set())}
      />
    </>
  );
}
