import type { EndpointInput, Event as EventSchema } from '@hubline/contract';
import type { z } from 'zod';
import { EventLoopYield } from '../../clock/event-loop-yield.ts';
import type { Context, UserContext, WorkspaceContext } from '../../context.ts';
import { READ_WITH_ROW_BYTES } from '../../db/core/columns/large-text.ts';
import type { EventRow } from '../../db/events/event-row.ts';
import { countDeliveries, findEvent, readPayload } from '../../db/events/events.ts';
import { listEvents } from '../../db/events/list-events.ts';
import { parseSearch, type SearchTerm } from '../../domain/events/search.ts';
import { invalid, notFound } from '../../domain/faults/fault.ts';
import type { Encoded } from '../../domain/json/encoded.ts';
import { visibleWorkspaceIds } from '../identity/me.ts';
import { requireKnown } from '../known-ids.ts';
import { page } from '../page.ts';
import { type DeliveryCounts, EncodedEvent, moreBytes } from './encoded-event.ts';

export async function list(context: WorkspaceContext, { query }: EndpointInput<'events.list'>) {
  return listOf(context, query, [context.access.workspaceId]);
}

export async function listAll(context: UserContext, { query }: EndpointInput<'events.listAll'>) {
  return listOf(context, query, await visibleWorkspaceIds(context, query.workspace_id));
}

type ListQuery = EndpointInput<'events.list'>['query'];

async function listOf(context: UserContext, query: ListQuery, workspaceIds: readonly string[]) {
  const { read } = context.store;
  const {
    type,
    source,
    since,
    until,
    integration_id: integrationId,
    delivery_status: deliveryStatus,
  } = query;
  const bare = query.omit === 'payload';
  const search = query.q === undefined ? undefined : searchOf(query.q);
  const filter = { type, source, since, until, integrationId, deliveryStatus, search, bare, workspaceIds };
  const counts = new Map<string, DeliveryCounts>();
  const countEach = async (rows: readonly EventRow[]): Promise<void> => {
    const turns = new EventLoopYield();
    for (const event of rows) {
      counts.set(event.id, await countDeliveries(read, event));
      // An event may have ten thousand deliveries.
      if (turns.isDue) await turns.yield();
    }
  };
  return page(context, query, {
    async rows(request) {
      const found = await listEvents(read, filter, request);
      if (found.rows.length === 0) await requireKnown(read, workspaceIds, query);
      if (query.include === 'deliveries') await countEach(found.rows);
      return found;
    },
    position: (row) => row.seq,
    item: (row) => {
      const counted = counts.get(row.id);
      if (moreBytes(row) === 0) return new EncodedEvent(row, row.payload, counted);
      return readPayload(read, row).then((payload) => new EncodedEvent(row, payload, counted));
    },
    // For several workspaces, the page so far and the events of the next one are in memory at a time.
    ...(!bare && { rowBytes: READ_WITH_ROW_BYTES * (workspaceIds.length > 1 ? 2 : 1) }),
    moreBytes,
  });
}

function searchOf(text: string): readonly SearchTerm[] {
  const terms = parseSearch(text);
  if (typeof terms === 'string') throw invalid('q', terms);
  return terms;
}

export async function get(
  context: WorkspaceContext,
  { params }: Pick<EndpointInput<'events.get'>, 'params'>,
) {
  const row = await findEvent(context.store.read, context.access.workspaceId, params.eventId);
  if (!row) throw notFound('event');
  return wholeEvent(context, row);
}

/** An event with its payload, however large that is. */
async function wholeEvent(context: Context, event: EventRow): Promise<Encoded<z.output<typeof EventSchema>>> {
  if (event.payload !== null) return new EncodedEvent(event, event.payload);
  await context.reserveResponse(event.payload_bytes);
  const payload = await readPayload(context.store.read, event);
  if (payload === null) throw notFound('event');
  return new EncodedEvent(event, payload);
}
