import type { ListedEvent } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { type Arrivals, useArrivals } from '../../data/use-arrivals.ts';
import { type Live, useLive } from '../../data/use-live.ts';
import { usePages } from '../../data/use-pages.ts';
import { usePoll } from '../../data/use-poll.ts';
import { timeBounds } from '../../data/time-range.ts';
import { useVisible } from '../../data/use-visible.ts';
import { asStatus } from '../deliveries/delivery-statuses.ts';
import { type DeliveryCounts, isUnderWay } from './event-cells.tsx';

export type EventFilters = Readonly<
  Partial<Record<'integration' | 'type' | 'source' | 'status' | 'range' | 'from' | 'to', string>>
>;

const PAGE = 50;
/** All rows that may be on the page without loading more. */
const REFRESHED_PAGES = 7;
/** Soon after something has come; then less and less often while deliveries are under way. */
const SETTLE_MS = 1_500;
const SETTLED_MS = 15_000;
/** Deliveries come to a state without an event. */
const BY_STATUS_MS = 10_000;

/** The events of a workspace, as they come, with the state of their deliveries. */
export function useLiveEvents(workspaceId: string, filters: EventFilters) {
  const { integration, type, source, status, range, from, to } = filters;
  const inputs = [workspaceId, integration, type, source, status, range, from, to];
  const key = JSON.stringify(inputs);
  const counts = useSignal<ReadonlyMap<string, DeliveryCounts>>(new Map());
  const rounds = useSignal(0);
  const stale = useSignal(false);

  const read = (signal: AbortSignal) =>
    client.events.list(
      workspaceId,
      {
        type,
        source,
        integration_id: integration,
        delivery_status: asStatus(status),
        ...timeBounds(filters, Date.now()),
        include: 'deliveries',
        limit: PAGE,
      },
      { signal },
    );
  const pages = usePages(read, inputs);
  const loaded = pages.items;
  const arrivals: Arrivals<ListedEvent> = useArrivals({
    idOf: (event) => event.event_id,
    loaded,
    reload: () => pages.reload(),
    key,
  });
  useMemo(() => {
    counts.value = new Map();
  }, [key, loaded]);

  function arrive(event: ListedEvent): void {
    arrivals.add(event);
    rounds.value = 0;
  }
  const following = to === undefined;
  const visible = useVisible();
  const connection = useLive(
    (streaming, place) => streaming.events.stream(workspaceId, { type, source }, place),
    {
      inputs: [workspaceId, type, source],
      enabled: following && visible,
      onItem(event) {
        if (integration !== undefined && event.integration_id !== integration) return;
        if (from !== undefined && event.created_at <= from) return;
        if (status === undefined) arrive(event);
        // Its deliveries decide whether it belongs here.
        else stale.value = true;
      },
    },
  );
  const { state } = connection;
  useEffect(() => {
    // Events between the list and the stream.
    if (state === 'live') stale.value = true;
  }, [state]);

  const items = loaded && [...arrivals.shown, ...loaded];
  const countsOf = (event: ListedEvent) => counts.value.get(event.event_id) ?? event.deliveries;
  /** Its deliveries are not known yet, or will still change. */
  const isOpen = (event: ListedEvent): boolean => {
    const each = countsOf(event);
    return each === undefined || isUnderWay(each);
  };
  const unsettled = items?.slice(0, PAGE * REFRESHED_PAGES).some(isOpen);
  async function refresh(signal: AbortSignal): Promise<void> {
    stale.value = false;
    const open = new Set(items?.filter(isOpen).map((event) => event.event_id));
    const first = await read(signal);
    let page = first;
    for (let pages = 1; ; pages++) {
      counts.value = new Map([
        ...counts.value,
        ...page.data.map((event) => [event.event_id, event.deliveries ?? {}] as const),
      ]);
      for (const { event_id } of page.data) open.delete(event_id);
      if (open.size === 0 || pages === REFRESHED_PAGES || page.nextCursor === null) break;
      // Under many events a second, rows are pushed beyond the first page before their deliveries are known.
      const next = await page.nextPage();
      if (next === null || signal.aborted) break;
      page = next;
    }
    rounds.value++;
    const newest = items?.[0]?.created_at ?? '';
    for (const event of first.data.toReversed()) if (event.created_at >= newest) arrivals.add(event);
  }
  const again = following && status !== undefined ? BY_STATUS_MS : undefined;
  const settling = stale.value ? SETTLE_MS : Math.min(SETTLE_MS * 2 ** rounds.value, SETTLED_MS);
  usePoll(refresh, loaded && (unsettled || stale.value) ? settling : again);

  return { pages, items, arrivals, connection, following, countsOf } satisfies LiveEvents;
}

interface LiveEvents {
  readonly pages: ReturnType<typeof usePages<ListedEvent>>;
  /** Those that have come since and those that were loaded, newest first. */
  readonly items: readonly ListedEvent[] | undefined;
  readonly arrivals: Arrivals<ListedEvent>;
  readonly connection: Live;
  /** True if new ones can belong to the list at all. */
  readonly following: boolean;
  readonly countsOf: (event: ListedEvent) => DeliveryCounts | undefined;
}
