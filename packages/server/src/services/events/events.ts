import {
  type EndpointInput,
  type Event as EventSchema,
  isId,
  LIMITS,
  type ListedEvent as ListedEventSchema,
} from '@hubline/contract';
import type { z } from 'zod';
import type { Context, UserContext, WorkContext, WorkspaceContext } from '../../context.ts';
import {
  countDeliveries,
  findEvent,
  findEventByDedupeKey,
  insertEvent,
  lastEventSeq,
  readPayload,
  seqOfEvent,
} from '../../db/events/events.ts';
import { listEvents } from '../../db/events/list-events.ts';
import type { EventRow, NewEventRow } from '../../db/events/event-row.ts';
import { findIntegration } from '../../db/integrations/integrations.ts';
import { READ_WITH_ROW_BYTES } from '../../db/core/columns/large-text.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import { seqRange } from '../../db/core/queries/seq-range.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { Encoded, type JsonPiece } from '../../domain/json/encoded.ts';
import { invalid, notFound } from '../../domain/faults/fault.ts';
import { elementTexts, memberText } from '../../domain/json/json.ts';
import { summarize } from '../../domain/events/summary/summarize.ts';
import { type EventSummary, summaryJson } from '../../domain/events/summary/summary.ts';
import type { Lineage } from '../../domain/events/lineage.ts';
import { EVENT_SUBSCRIBERS, type RecordedEvent } from './subscribers.ts';
import type { RecallWith } from '../idempotency.ts';
import { parseSearch, type SearchTerm } from '../../domain/events/search.ts';
import { requireKnown } from '../known-ids.ts';
import { visibleMemberships } from '../identity/me.ts';
import { page } from '../page.ts';
import { isoTime } from '../../domain/time.ts';

type Event = z.output<typeof EventSchema>;
type ListedEvent = z.output<typeof ListedEventSchema>;

/** An event to store. */
export interface NewEvent {
  workspaceId: string;
  integration: { id: string; provider: string } | null;
  type: string;
  source: string;
  /** JSON text of an object, kept as it is. */
  payload: JsonPiece;
  summary: EventSummary;
  dedupeKey: string | null;
  /** The time at which it happened; default: now. */
  occurredAt: string | null;
  /** The automations that led to it. Default: none. */
  lineage?: Lineage;
}

/** The result of storing a new event: an integration's second call with the same dedupe key makes no second event. */
export type Recorded = { duplicate: false; row: NewEventRow } | { duplicate: true; id: string };

/**
 * Stores an event and everything that its subscribers add, in one transaction. The workspace is locked first, so that
 * the order of `seq` is the order of commits, which a resuming stream relies on.
 */
export function recordEvent(tx: Tx, context: WorkContext, event: NewEvent): Awaitable<Recorded> {
  const now = isoTime(context.now.getTime());
  const { integration, dedupeKey } = event;
  const row = {
    id: context.ids('event'),
    workspace_id: event.workspaceId,
    integration_id: integration?.id ?? null,
    type: event.type,
    source: event.source,
    provider: integration?.provider ?? null,
    payload: event.payload,
    summary: summaryJson(event.summary),
    dedupe_key: dedupeKey,
    occurred_at: event.occurredAt ?? event.summary.occurred_at ?? now,
    created_at: now,
  };
  const recorded: Recorded = { duplicate: false, row };
  const stored = { row, summary: event.summary, lineage: event.lineage };
  return andThen(lockWorkspace(tx, event.workspaceId), () => {
    const inserting = insertEvent(tx, row);
    // Only an event with a key can be a duplicate. All others are sent to the database together with the statements of
    // their subscribers.
    if (dedupeKey !== null)
      return andThen(inserting, (isNew) =>
        isNew ? andThen(react(tx, context, stored), () => recorded) : duplicateOf(tx, integration, dedupeKey),
      );
    if (!(inserting instanceof Promise)) return andThen(react(tx, context, stored), () => recorded);
    const reacting = async () => react(tx, context, stored);
    return Promise.all([inserting, reacting()]).then(() => recorded);
  });
}

/** Runs the subscribers of an event, one after the other. */
function react(tx: Tx, context: WorkContext, stored: RecordedEvent): Awaitable<void> {
  let reacting: Awaitable<void> = undefined;
  for (const subscriber of EVENT_SUBSCRIBERS)
    reacting = andThen(reacting, () => subscriber(tx, context, stored));
  return reacting;
}

/** The event that an integration already has with this key. */
async function duplicateOf(
  tx: Tx,
  integration: NewEvent['integration'],
  dedupeKey: string,
): Promise<Recorded> {
  const id = integration && (await findEventByDedupeKey(tx, integration, dedupeKey));
  if (!id) throw new Error('An event was refused as a duplicate, and there is no first one.');
  return { duplicate: true, id };
}

/** A stored event, with its payload if that is shown. */
type ShownEvent = Omit<NewEventRow, 'payload' | 'provider' | 'dedupe_key'> & {
  /** `null` if it is left out. */
  payload: JsonPiece | null;
};

/** An event as the API shows it: its payload is the text as received. */
class EncodedEvent<Shown extends ListedEvent> extends Encoded<Shown> {
  readonly id: string;

  constructor(event: ShownEvent, deliveries?: ListedEvent['deliveries']) {
    const { id, payload, summary } = event;
    // IDs and times have nothing to escape. `JSON.stringify` of an object takes four times as long, and a page has a hundred events.
    const integration = event.integration_id === null ? 'null' : `"${event.integration_id}"`;
    const before = `{"event_id":"${id}","type":${JSON.stringify(event.type)},"source":${JSON.stringify(event.source)},"payload":`;
    const omitted = payload === null ? ',"payload_omitted":true' : '';
    const counts = deliveries === undefined ? '' : `,"deliveries":${JSON.stringify(deliveries)}`;
    const after = `${omitted},"created_at":"${event.created_at}","workspace_id":"${event.workspace_id}","integration_id":${integration},"summary":${summary}${counts}}`;
    // One string if possible: pieces are written one by one.
    if (typeof payload === 'string') super(before + payload + after);
    else super(before, payload ?? 'null', after);
    this.id = id;
  }
}

/** An event with its payload, however large that is. */
async function wholeEvent(context: Context, event: EventRow): Promise<Encoded<Event>> {
  if (event.payload !== null) return new EncodedEvent(event);
  await context.reserveResponse(event.payload_bytes);
  const payload = await readPayload(context.store.read, event);
  if (payload === null) throw notFound('event');
  return new EncodedEvent({ ...event, payload });
}

/** Reports whether lists and streams show the payload of an event. */
const isListed = (event: EventRow) => event.payload_bytes <= LIMITS.pageBytes;

/** The bytes that lists and streams read of an event in addition to its row. */
export const moreBytes = (event: EventRow | undefined) =>
  event?.payload === null && isListed(event) ? event.payload_bytes : 0;

/** An event as lists and streams show it; its payload is `null` if it is left out. */
export const toListed = (
  event: EventRow,
  payload: JsonPiece | null,
  deliveries?: ListedEvent['deliveries'],
): Encoded<ListedEvent> => new EncodedEvent({ ...event, payload }, deliveries);

export async function list(context: WorkspaceContext, { query }: EndpointInput<'events.list'>) {
  return listOf(context, query, [context.access.workspaceId]);
}

export async function listAll(context: UserContext, { query }: EndpointInput<'events.listAll'>) {
  const visible = (await visibleMemberships(context)).map((membership) => membership.workspace_id);
  const wanted = query.workspace_id;
  if (wanted !== undefined && !visible.includes(wanted)) throw notFound('workspace', 'workspace_id');
  return listOf(context, query, wanted === undefined ? visible : [wanted]);
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
  const counts = new Map<string, ListedEvent['deliveries']>();
  return page(context, query, {
    async rows(request) {
      const found = await listEvents(read, filter, request);
      if (found.rows.length === 0) await requireKnown(read, workspaceIds, query);
      if (query.include === 'deliveries')
        for (const event of found.rows) counts.set(event.id, await countDeliveries(read, event));
      return found;
    },
    position: (row) => row.seq,
    item: (row) => {
      const counted = counts.get(row.id);
      if (moreBytes(row) === 0) return toListed(row, row.payload, counted);
      return readPayload(read, row).then((payload) => toListed(row, payload, counted));
    },
    ...(!bare && { rowBytes: READ_WITH_ROW_BYTES }),
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

type Published = EndpointInput<'events.publish'>['body'];

export async function publish(context: WorkspaceContext, { body }: EndpointInput<'events.publish'>) {
  const { workspaceId } = context.access;
  return context.write(
    async (tx) => {
      const { integration_id: id } = body;
      const integration = id === undefined ? null : await findOwn(tx, workspaceId, { id, field: '' });
      const row = await publishOne(tx, context, { event: body, text: context.bodyText, integration });
      return new EncodedEvent<Event>(row);
    },
    { addsTo: workspaceId },
  );
}

/** Rebuilds the response to a publication. That works for as long as the event is kept, because events never change. */
export const recallPublished: RecallWith = {
  idOf: (event) => (event as EncodedEvent<Event>).id,
  find: (context, eventId) => get(context, { params: { id: context.access.workspaceId, eventId } }),
};

// The events of a batch that PostgreSQL receives in one statement. They begin in their order, which becomes that of
// `seq`. All their deliveries are in memory at once: a thousand for each event if there are a thousand webhooks.
const SIDE_BY_SIDE = 20;

export async function publishBatch(
  context: WorkspaceContext,
  { body }: EndpointInput<'events.publishBatch'>,
) {
  const { workspaceId } = context.access;
  const texts = elementTexts(memberText(context.bodyText, ['events']) ?? '[]');
  return context.write(
    async (tx) => {
      const integrations: Awaited<ReturnType<typeof findOwn>>[] = [];
      for (const [index, { integration_id: id }] of body.events.entries())
        integrations.push(await findOwn(tx, workspaceId, { id, field: `events[${index}].` }));
      const data: { event_id: string }[] = [];
      for (let start = 0; start < body.events.length; start += SIDE_BY_SIDE) {
        const some = body.events.slice(start, start + SIDE_BY_SIDE);
        const rows = await Promise.all(
          some.map(async (event, index) =>
            publishOne(tx, context, {
              event,
              text: texts[start + index] ?? '{}',
              integration: integrations[start + index] ?? null,
            }),
          ),
        );
        for (const { id } of rows) data.push({ event_id: id });
      }
      return { data };
    },
    { addsTo: workspaceId },
  );
}

interface EventToPublish {
  event: Published;
  /** The JSON text of the event in the request, from which the payload is cut out unchanged. */
  text: string;
  integration: NewEvent['integration'];
}

function publishOne(
  tx: Tx,
  context: WorkspaceContext,
  { event, text, integration }: EventToPublish,
): Awaitable<NewEventRow> {
  const recording = recordEvent(tx, context, {
    workspaceId: context.access.workspaceId,
    integration,
    type: event.type,
    source: event.source,
    payload: memberText(text, ['payload']) ?? '{}',
    // Only the publisher knows when it happened; a time in the payload may mean anything.
    summary: { ...summarize(event.type, event.payload), occurred_at: event.occurred_at ?? null },
    dedupeKey: null,
    occurredAt: event.occurred_at ?? null,
  });
  return andThen(recording, (recorded) => {
    if (recorded.duplicate) throw new Error('A published event has no dedupe key and cannot be a duplicate.');
    return recorded.row;
  });
}

/** The integration that an event names; `null` for none. */
export async function findOwn(
  tx: Tx,
  workspaceId: string,
  { id, field }: { id: string | undefined; field: string },
): Promise<NewEvent['integration']> {
  if (id === undefined) return null;
  const row = await findIntegration(tx, workspaceId, id);
  if (!row) throw notFound('integration', `${field}integration_id`);
  return { id: row.id, provider: row.provider };
}

export type StreamQuery = EndpointInput<'events.stream'>['query'];

/** Finds the beginning of a stream: after the last event that the client has seen, after a time, or now. */
export async function streamStart(context: WorkspaceContext, query: StreamQuery, lastEventId: string | null) {
  const { workspaceId } = context.access;
  if (lastEventId !== null) {
    if (!isId('event', lastEventId)) throw invalid('Last-Event-ID', 'must be the ID of an event, evt_…');
    return seqOfEvent(context.store.read, workspaceId, lastEventId);
  }
  const { since } = query;
  if (since === undefined) return newestPosition(context, workspaceId);
  return (await seqRange(context.store.read, 'events', { since })).above ?? 0;
}

/** The position of the newest event of a workspace. */
export const newestPosition = ({ store }: Pick<Context, 'store'>, workspaceId: string): Promise<number> =>
  lastEventSeq(store.read, workspaceId);
