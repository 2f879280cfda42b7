import { LIMITS } from '@hubline/contract/constants';
import type { ListedEvent } from '@hubline/sdk';
import { useMemo, useRef } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { Histogram } from '../../components/chart/histogram.tsx';
import { Button } from '../../components/controls/button.tsx';
import { FilterChips } from '../../components/filters/filter-chips.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { FiltersBar } from '../../components/filters/filters-bar.tsx';
import { TimeChip } from '../../components/filters/time-chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { NoMatch } from '../../components/page/no-match.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { NewItems } from '../../components/page/new-items.tsx';
import { Page } from '../../components/page/page.tsx';
import { publishSamples } from '../../components/code/publish-samples.ts';
import { formatCount } from '../../data/formats/format-number.ts';
import { isRange, type Range } from '../../data/address/time-range.ts';
import { type Filters, useFilters } from '../../data/address/use-filters.ts';
import type { Pages } from '../../data/queries/use-pages.ts';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { deliveryStatuses } from '../deliveries/delivery-statuses.ts';
import { integrationOptions, useIntegrations } from '../integrations/use-integrations.ts';
import { EventList } from './event-list.tsx';
import { EventPanel } from './event-panel.tsx';
import { LiveControl } from './live-control.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { useLiveEvents } from './use-live-events.ts';

const NOUN = ['event', 'events'] as const;
const REFRESH_MS = 15_000;

const SPAN: Record<Range, { readonly words: string; readonly per: string }> = {
  '1h': { words: 'in the last hour', per: 'per minute' },
  '24h': { words: 'in 24 hours', per: 'per 15 minutes' },
  '7d': { words: 'in 7 days', per: 'per hour' },
};

export function EventsPage() {
  const workspace = useWorkspace();
  const filters = useFilters(['q', 'integration', 'type', 'source', 'status', 'range', 'from', 'to']);
  const panel = useFilters(['event']);
  const selected = panel.values.event;
  const { q, integration, type, source, status, range, from } = filters.values;
  const { pages, arrivals, connection, following } = useLiveEvents(workspace.id, filters.values);
  const { items } = arrivals;
  const integrations = useIntegrations(workspace.id);
  const seen = useSeen(items);
  // In the address, so that the palette can lead to it.
  const publishing = useFilters(['new']);
  const refusal = workspace.refusal('publish_events');
  const last = useRef<Range>('1h');
  // A time that is picked from the bars lies within their range, so they stay.
  const window = (last.current = isRange(range) ? range : from === undefined ? '1h' : last.current);
  const stats = useRefreshed(
    (signal) => client.workspaces.stats(workspace.id, { window }, { signal }),
    ['stats', workspace.id, window],
    { everyMs: REFRESH_MS },
  );
  const at = items?.findIndex(({ event_id }) => event_id === selected) ?? -1;
  const openAt = (index: number) => {
    const event = at === -1 ? undefined : items?.[index];
    return event && (() => panel.set({ event: event.event_id }));
  };
  const { words, per } = SPAN[window];
  const counts = stats.data;
  // The counts cover all events of the period, whatever the other filters.
  const isCounted = [q, integration, type, source, status].every((each) => each === undefined);
  // Memoized, so that it is not drawn again with every new event.
  const histogram = useMemo(
    () =>
      counts &&
      isCounted &&
      counts.events > 0 && (
        <Histogram
          label={`Events ${per}, ${words}`}
          bars={counts.series}
          picked={from}
          onPick={({ at }) => {
            const to = new Date(Date.parse(at) + counts.bucket_seconds * 1_000).toISOString();
            filters.set(
              at === from
                ? { range: window === '1h' ? undefined : window, from: undefined, to: undefined }
                : { range: undefined, from: at, to },
            );
          }}
        />
      ),
    [counts, window, location.search],
  );
  const isEmpty = items?.length === 0;

  return (
    <div class={selected === undefined ? 'solo' : 'split'}>
      <div class="events">
        <Page
          title="Events"
          note={counts && isCounted ? `${formatCount(counts.events)} ${words}` : undefined}
          actions={
            <>
              {following && (
                <LiveControl
                  connection={connection}
                  paused={arrivals.paused}
                  onPause={arrivals.pause}
                  onResume={arrivals.show}
                />
              )}
              {selected === undefined && (
                <Button
                  size="small"
                  icon="plus"
                  blocked={refusal}
                  onClick={() => publishing.set({ new: '1' })}
                >
                  Publish
                </Button>
              )}
            </>
          }
          bar={
            <>
              <FiltersBar active={filters.active} onClear={filters.clear}>
                <FilterText
                  label="Search"
                  placeholder="Search, or payload:text"
                  value={q}
                  onChange={(next) => filters.set({ q: next })}
                />
                <TimeChip value={filters.values} onChange={filters.set} />
                <FilterChips
                  values={{ type, integration, source, status }}
                  onChange={(name, value) => filters.set({ [name]: value })}
                  filters={[
                    { name: 'type', label: 'Event type', suggestions: seen.types },
                    { name: 'source', label: 'Source', suggestions: seen.sources },
                    { name: 'status', label: 'Delivery status', options: deliveryStatuses },
                    {
                      name: 'integration',
                      label: 'Integration',
                      options: integrationOptions([...(integrations?.values() ?? [])]),
                    },
                  ]}
                />
              </FiltersBar>
              {histogram}
              {!isEmpty && (
                <div class="ev-head" aria-hidden="true">
                  <span>Time</span>
                  <span>Type</span>
                  <span>Summary</span>
                  <span>Delivered</span>
                </div>
              )}
            </>
          }
          layout="fill"
        >
          <div class="scroll" tabIndex={-1}>
            <NewItems count={arrivals.waiting} noun={NOUN} onShow={arrivals.show} />
            {(items !== undefined || pages.error === undefined) && !isEmpty && (
              <EventList items={items} selected={selected} hrefOf={hrefOfEvents()} fresh={arrivals.isNew} />
            )}
            {isEmpty &&
              (filters.active ? (
                <NothingFound filters={filters} pages={pages} following={following} />
              ) : (
                <NothingYet />
              ))}
            <div class="list-end">
              <LoadMore pages={{ ...pages, items }} />
            </div>
          </div>
        </Page>
      </div>
      {selected !== undefined && (
        <EventPanel
          id={selected}
          newer={openAt(at - 1)}
          older={openAt(at + 1)}
          onClose={() => {
            document.querySelector<HTMLElement>('.ev[aria-current]')?.focus();
            panel.set({ event: undefined });
          }}
        />
      )}
      <PublishDialog open={!refusal && publishing.active} onClose={publishing.clear} />
    </div>
  );
}

/** The address of each event: this one, with its panel open. */
function hrefOfEvents(): (id: string) => string {
  const query = new URLSearchParams(location.search);
  query.delete('event');
  query.delete('new');
  const base = `${location.pathname}?${query.size > 0 ? `${query}&` : ''}event=`;
  return (id) => base + id;
}

/** Shown when no event matches. Words are found in types, sources and summaries; a button searches the payloads instead. */
function NothingFound({
  filters,
  pages,
  following,
}: {
  filters: Filters<'q'>;
  pages: Pages<unknown>;
  following: boolean;
}) {
  const { q } = filters.values;
  const inPayloads = q?.includes('payload');
  return (
    <NoMatch
      noun="events"
      pages={pages}
      each={inPayloads ? LIMITS.searchedPayloads : LIMITS.searchedEvents}
      onClear={filters.clear}
      action={
        q !== undefined &&
        !inPayloads && (
          <Button kind="primary" onClick={() => filters.goTo({ q: `payload:${quotedWord(q)}` })}>
            Search payloads
          </Button>
        )
      }
    >
      {inPayloads && ' Payloads of more than 64 KiB are not searched.'}
      {following && ' New matches appear here automatically.'}
    </NoMatch>
  );
}

/** A text as one word of a search. */
const quotedWord = (text: string): string => (/[\s"]/.test(text) ? JSON.stringify(text) : text);

function NothingYet() {
  const workspace = useWorkspace();
  return (
    <EmptyState
      title="No events yet"
      action={
        <a class="btn primary" href={workspace.href('integrations')}>
          Connect a tool
        </a>
      }
      samples={publishSamples(workspace.id)}
    >
      Connect a tool, or publish an event yourself, with an API key in HUBLINE_API_KEY. It appears here at
      once.
    </EmptyState>
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
