import type { ListedEvent } from '@hubline/sdk';
import { useRef } from 'preact/hooks';
import { Button } from '../../components/controls/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { FilterSelect } from '../../components/filters/filter-select.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { FilterTime } from '../../components/filters/filter-time.tsx';
import { FiltersBar } from '../../components/filters/filters-bar.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { NewItems } from '../../components/page/new-items.tsx';
import { Page } from '../../components/page/page.tsx';
import { Table } from '../../components/page/table.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { useFilters } from '../../data/use-filters.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { deliveryStatuses } from '../deliveries/delivery-statuses.ts';
import { DeliveryBadges, EventLine } from './event-cells.tsx';
import { LiveControl } from './live-control.tsx';
import { shortId, useIntegrations } from '../integrations/use-integrations.ts';
import { useLiveEvents } from './use-live-events.ts';

const NOUN = ['event', 'events'] as const;

export function EventsPage() {
  const workspace = useWorkspace();
  const filters = useFilters(['integration', 'type', 'source', 'status', 'range', 'from', 'to']);
  const { integration, type, source, status } = filters.values;
  const { pages, items, arrivals, connection, following, countsOf } = useLiveEvents(
    workspace.id,
    filters.values,
  );
  const integrations = useIntegrations(workspace.id);
  const seen = useSeen(items);

  return (
    <Page
      title="Events"
      actions={
        following && (
          <LiveControl
            connection={connection}
            paused={arrivals.paused}
            onPause={() => arrivals.pause()}
            onResume={() => arrivals.show()}
          />
        )
      }
    >
      <FiltersBar active={filters.active} onClear={() => filters.clear()}>
        <FilterSelect
          label="Integration"
          all="Any integration"
          value={integration}
          options={Object.fromEntries(
            [...(integrations?.values() ?? [])].map(({ integration_id: id, provider }) => [
              id,
              `${provider} ${shortId(id)}`,
            ]),
          )}
          onChange={(next) => filters.set({ integration: next })}
        />
        <FilterText
          label="Event type"
          value={type}
          suggestions={seen.types}
          onChange={(next) => filters.set({ type: next })}
        />
        <FilterText
          label="Source"
          value={source}
          suggestions={seen.sources}
          onChange={(next) => filters.set({ source: next })}
        />
        <FilterSelect
          label="Delivery status"
          all="Any delivery status"
          value={status}
          options={deliveryStatuses}
          onChange={(next) => filters.set({ status: next })}
        />
        <FilterTime value={filters.values} onChange={(next) => filters.set(next)} />
      </FiltersBar>
      <NewItems count={arrivals.waiting} noun={NOUN} onShow={() => arrivals.show()} />
      {(items !== undefined || pages.error === undefined) && (
        <Table
          caption="Events"
          items={items}
          rowKey={(event) => event.event_id}
          href={(event) => workspace.href(`events/${event.event_id}`)}
          fresh={(event) => arrivals.shown.includes(event)}
          columns={[
            { label: 'Event type', cell: (event) => <Foreign text={event.type} /> },
            { label: 'Timestamp', cell: (event) => <TimeAgo value={event.created_at} /> },
            { label: 'Source integration', cell: (event) => <Foreign text={event.source} /> },
            { label: 'Delivery status', cell: (event) => <DeliveryBadges counts={countsOf(event)} /> },
            { label: 'Payload summary', grow: true, cell: (event) => <EventLine event={event} /> },
          ]}
          empty={
            filters.active ? (
              <EmptyState
                title="No events match"
                action={<Button onClick={() => filters.clear()}>Clear the filters</Button>}
              >
                No stored event matches these filters.
                {following && ' New matches appear here automatically.'}
              </EmptyState>
            ) : (
              <EmptyState title="No events yet" samples={{ curl: sample(workspace.id) }}>
                Connect an integration, or publish an event yourself. It appears here at once.
              </EmptyState>
            )
          }
        />
      )}
      <LoadMore pages={{ ...pages, items }} noun={NOUN} />
    </Page>
  );
}

/** The types and sources of the events that were on the page so far, whatever its filters are now. */
function useSeen(items: readonly ListedEvent[] | undefined) {
  const { types, sources } = useRef({ types: new Set<string>(), sources: new Set<string>() }).current;
  for (const { type, source } of items ?? []) {
    types.add(type);
    sources.add(source);
  }
  return { types: [...types].toSorted(), sources: [...sources].toSorted() };
}

const sample = (
  workspaceId: string,
): string => `curl ${location.origin}/v1/workspaces/${workspaceId}/events \\
  -H "Authorization: Bearer $HUBLINE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"type": "deploy", "payload": {"version": "1.2.3"}}'`;
