import { LIMITS } from '@hubline/contract/constants';
import type { ListedEvent } from '@hubline/sdk';
import { batch, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { type Arrivals, useArrivals } from '../../data/live/use-arrivals.ts';
import { cache } from '../../data/queries/query-cache.ts';
import { type Live, useLive } from '../../data/live/use-live.ts';
import { usePages } from '../../data/queries/use-pages.ts';
import { usePoll } from '../../data/queries/use-poll.ts';
import { timeBounds } from '../../data/address/time-range.ts';
import { asStatus } from '../deliveries/delivery-statuses.ts';
import { isUnderWay, mayStillCome } from './event-cells.tsx';

export type EventFilters = Readonly<
  Partial<Record<'q' | 'integration' | 'type' | 'source' | 'status' | 'range' | 'from' | 'to', string>>
>;

const PAGE = 50;
/** A refresh reads at most this many full pages: enough for all rows that appear without loading more. */
const REFRESHED_PAGES = 4;
/** The first and the longest pause between refreshes while deliveries are under way; it doubles each time. */
const SETTLE_MS = 1_000;
const SETTLED_MS = 15_000;
/** The pause otherwise: the statuses of deliveries also change by a retry, or when a webhook is enabled. */
const RETRIED_MS = 8_000;
/** Counts are read again this long after an event has arrived, however many follow. */
const COUNTED_MS = 3_000;

/** The events of a workspace, as they arrive, with the status of their deliveries. */
export function useLiveEvents(workspaceId: string, filters: EventFilters) {
  const { q: search, integration, type, source, status, range, from, to } = filters;
  const inputs = [workspaceId, search, integration, type, source, status, range, from, to];
  const key = JSON.stringify(inputs);
  // Refreshes since the last event, and reasons to read the list again soon; both start over with other filters.
  const { rounds, stale } = useMemo(() => ({ rounds: signal(0), stale: signal(0) }), [key]);

  const read = (limit: number, ends: AbortSignal) =>
    client.events.list(
      workspaceId,
      {
        type,
        source,
        integration_id: integration,
        delivery_status: asStatus(status),
        ...timeBounds(filters, Date.now()),
        include: 'deliveries',
        omit: 'payload',
        q: search,
        limit,
      },
      { signal: ends },
    );
  const pages = usePages((ends) => read(PAGE, ends), ['events', ...inputs]);
  const arrivals = useArrivals<ListedEvent>({
    idOf: (event) => event.event_id,
    compare: newestFirst,
    loaded: pages.items,
    reload: pages.reload,
    key,
  });
  const { items } = arrivals;

  const counting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(counting.current), []);
  function arrive(event: ListedEvent): void {
    arrivals.add(event);
    rounds.value = 0;
    counting.current ??= setTimeout(() => {
      counting.current = undefined;
      cache.invalidate('stats', 'deliveries');
    }, COUNTED_MS);
  }
  const following = to === undefined;
  const connection = useLive(
    (streaming, place) => streaming.events.stream(workspaceId, { type, source, omit: 'payload' }, place),
    {
      inputs: [workspaceId, type, source],
      enabled: following,
      onItem(event) {
        if (integration !== undefined && event.integration_id !== integration) return;
        // Compared as times, because `from` may have another time zone.
        if (from !== undefined && Date.parse(event.created_at) <= Date.parse(from)) return;
        if (status === undefined && search === undefined) arrive(event);
        // Its deliveries, or the server's search, decide whether it belongs here.
        else stale.value++;
      },
    },
  );
  const { state } = connection;
  useEffect(() => {
    // Reads the list again for events that arrived between the list and the stream.
    if (state === 'live') stale.value++;
  }, [state]);

  /** Reports whether the deliveries of an event are not known yet, or will still change. */
  const isOpen = ({ deliveries }: ListedEvent): boolean => deliveries === undefined || isUnderWay(deliveries);
  /** Reports whether a delivery of an event has failed or is held, so that a retry may change it. */
  const isMissing = ({ deliveries }: ListedEvent): boolean =>
    deliveries !== undefined && mayStillCome(deliveries);
  const refreshed = items?.slice(0, LIMITS.pageMax * REFRESHED_PAGES);
  const unsettled = refreshed?.some(isOpen);
  const allReadAt = useRef(0);
  async function refresh(ends: AbortSignal): Promise<void> {
    const asked = stale.value;
    const before = items ?? [];
    const readsAll = Date.now() - allReadAt.current >= RETRIED_MS;
    if (readsAll) allReadAt.current = Date.now();
    const open = new Set(
      before
        .filter((event) => isOpen(event) || (readsAll && isMissing(event)))
        .map((event) => event.event_id),
    );
    const first = await read(LIMITS.pageMax, ends);
    const fresh = new Map<string, ListedEvent>();
    let page = first;
    for (let count = 1; ; count++) {
      for (const event of page.data) {
        fresh.set(event.event_id, event);
        open.delete(event.event_id);
      }
      if (open.size === 0 || count === REFRESHED_PAGES || page.nextCursor === null) break;
      // With many events a second, rows are pushed beyond the first page before their deliveries are known.
      const next = await page.nextPage();
      if (next === null) break;
      page = next;
    }
    if (ends.aborted) return;
    // Reset only now, because a new pause would abort the running request.
    if (stale.value === asked) stale.value = 0;
    const newest = before[0];
    // After a time away, more events may have arrived than one page holds.
    if (newest && !first.data.some((event) => newestFirst(event, newest) >= 0)) {
      pages.reload();
      return;
    }
    // A row that was replaced or added in the meantime is newer than this response.
    const known = new Set(before);
    const now = (event: ListedEvent): ListedEvent => {
      const read = known.has(event) ? fresh.get(event.event_id) : undefined;
      // Nothing else of an event changes, and a row that stays the same is not drawn again.
      return read && JSON.stringify(read.deliveries) !== JSON.stringify(event.deliveries) ? read : event;
    };
    batch(() => {
      pages.update((all) => all.map(now));
      arrivals.update(now);
      rounds.value++;
    });
    for (const event of first.data.toReversed())
      if (newest === undefined || newestFirst(event, newest) < 0) arrivals.add(event);
  }
  const again = (following && status !== undefined) || refreshed?.some(isMissing) ? RETRIED_MS : undefined;
  const settling = stale.value > 0 ? SETTLE_MS : Math.min(SETTLE_MS * 2 ** rounds.value, SETTLED_MS);
  usePoll(refresh, items && (unsettled || stale.value > 0) ? settling : again);

  return { pages, arrivals, connection, following } satisfies LiveEvents;
}

/** The order of the list. */
function newestFirst(a: ListedEvent, b: ListedEvent): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.event_id < b.event_id ? 1 : a.event_id > b.event_id ? -1 : 0;
}

interface LiveEvents {
  readonly pages: ReturnType<typeof usePages<ListedEvent>>;
  /** The loaded events, and those that have arrived since. */
  readonly arrivals: Arrivals<ListedEvent>;
  readonly connection: Live;
  /** True if new events can belong to the list at all. */
  readonly following: boolean;
}
