import type { Selectable, SelectQueryBuilder } from 'kysely';
import { type Given, hot, hotChange, hotRow, type Place } from './hot.ts';
import type { IntegrationRow } from './integrations.ts';
import { bytesIn, ifShort, lengthOf, toBytes } from './large-text.ts';
import type { Found, PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';
import { LOOKED_AT_MAX, pageRange, type SeqRange, within } from './seq-range.ts';

export type EventRow = Selectable<Database['events']>;

/** An event as it is read. */
export interface StoredEvent extends Omit<EventRow, 'payload'> {
  /** `null` where it is too large to be read with its row: `readPayload`. */
  payload: string | null;
  payload_bytes: number;
}

/** What narrows a list of events. */
export interface EventFilter {
  type?: string | undefined;
  source?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  integrationId?: string | undefined;
  /** Events with a delivery in this state. */
  deliveryStatus?: DeliveryStatus | undefined;
}

type DeliveryStatus = Database['deliveries']['status'];

const insert = hotChange<Omit<EventRow, 'seq'>>((db, p) =>
  db
    .insertInto('events')
    .values({
      id: p('id'),
      workspace_id: p('workspace_id'),
      integration_id: p('integration_id'),
      type: p('type'),
      source: p('source'),
      payload: p('payload'),
      summary: p('summary'),
      dedupe_key: p('dedupe_key'),
      occurred_at: p('occurred_at'),
      created_at: p('created_at'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Inserts an event unless its integration already has one with the same dedupe key; whether it was inserted. */
export async function insertEvent(tx: Tx, row: Omit<EventRow, 'seq'>): Promise<boolean> {
  return (await insert(tx, row)).rows > 0;
}

const selectEvents = (db: Db) =>
  db
    .selectFrom('events')
    .select([
      'seq',
      'id',
      'workspace_id',
      'integration_id',
      'type',
      'source',
      'summary',
      'dedupe_key',
      'occurred_at',
      'created_at',
      ifShort('payload').as('payload'),
      lengthOf('payload').as('payload_bytes'),
    ]);

const byId = hotRow<{ workspaceId: string; id: string }, StoredEvent>((db, p) =>
  selectEvents(db).where('id', '=', p('id')).where('workspace_id', '=', p('workspaceId')),
);

export function findEvent(db: Db, workspaceId: string, id: string): Promise<StoredEvent | undefined> {
  return byId(db, { workspaceId, id });
}

const payloadOf = hotRow<{ id: string }, { payload: Buffer | string | null }>((db, p) =>
  db.selectFrom('events').select(bytesIn(db, 'payload').as('payload')).where('id', '=', p('id')),
);

/** The payload of an event, however large it is; `null` if the event is gone by now. */
export async function readPayload(db: Db, event: Pick<EventRow, 'id'>): Promise<Buffer | null> {
  const { payload = null } = (await payloadOf(db, { id: event.id })) ?? {};
  return payload === null ? null : toBytes(payload);
}

export async function findEventByDedupeKey(
  db: Db,
  integration: Pick<IntegrationRow, 'id'>,
  dedupeKey: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('integration_id', '=', integration.id)
    .where('dedupe_key', '=', dedupeKey)
    .executeTakeFirst();
  return row?.id;
}

/** Whether a workspace has events that came through an integration, connected or not. */
export async function hasEventsOf(db: Db, workspaceId: string, integrationId: string): Promise<boolean> {
  // All of them are of one workspace: any will do.
  const row = await db
    .selectFrom('events')
    .select('workspace_id')
    .where('integration_id', '=', integrationId)
    // As all that came in have: the index of those is the only one that begins with the integration.
    .where('dedupe_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.workspace_id === workspaceId;
}

interface Listed extends EventFilter {
  workspaceId: string;
  limit: number;
}

const newest = hot<Listed & SeqRange, StoredEvent>((db, p, given) =>
  within(filtered(selectEvents(db), p, given), p, given)
    .where('workspace_id', '=', p('workspaceId'))
    .orderBy('seq', 'desc')
    .limit(p('limit')),
);

const floor = hot<{ workspaceId: string; skip: number } & SeqRange, { seq: number }>((db, p, given) =>
  within(db.selectFrom('events').select('seq'), p, given)
    .where('workspace_id', '=', p('workspaceId'))
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(p('skip')),
);

/** Events of the workspaces, newest first. */
export async function listEvents(
  db: Db,
  { workspaceIds, ...filter }: EventFilter & { workspaceIds: readonly string[] },
  { after, limit }: PageRequest,
): Promise<Found<StoredEvent>> {
  const range = await pageRange(db, 'events', { after, ...filter });
  const { type, source, since, until, integrationId, deliveryStatus } = filter;
  const hasIndex = integrationId === undefined && deliveryStatus === undefined;
  // One workspace after the other, each by its own index: a list of several would be sorted as a whole.
  const rows: StoredEvent[] = [];
  let resume: number | null = null;
  for (const workspaceId of workspaceIds) {
    const [stop] = hasIndex ? [] : await floor(db, { workspaceId, skip: LOOKED_AT_MAX - 1, ...range });
    const above = stop === undefined ? range.above : stop.seq - 1;
    if (stop !== undefined) resume = Math.max(resume ?? 0, stop.seq);
    const where = { type, source, since, until, integrationId, deliveryStatus, workspaceId };
    rows.push(...(await newest(db, { ...where, limit, below: range.below, above })));
  }
  if (workspaceIds.length > 1) rows.sort((a, b) => b.seq - a.seq);
  // What one workspace has below the place where the search in another stopped comes after what is still to be found there.
  const found = rows.filter((row) => resume === null || row.seq >= resume).slice(0, limit);
  return { rows: found, resume: found.length < limit ? resume : null };
}

const counted = hot<{ eventId: string }, { status: DeliveryStatus; count: number }>((db, p) =>
  db
    .selectFrom('deliveries')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('event_id', '=', p('eventId'))
    .groupBy('status'),
);

/** How many deliveries of an event are in which state. */
export async function countDeliveries(
  db: Db,
  event: Pick<EventRow, 'id'>,
): Promise<Partial<Record<DeliveryStatus, number>>> {
  const rows = await counted(db, { eventId: event.id });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const oldest = hot<Listed & { after: number }, StoredEvent>((db, p, given) =>
  filtered(selectEvents(db), p, given)
    .where('workspace_id', '=', p('workspaceId'))
    .where('seq', '>', p('after'))
    .orderBy('seq')
    .limit(p('limit')),
);

/** Events of a workspace after a position, oldest first: what a stream sends next. */
export async function listEventsAfter(
  db: Db,
  { workspaceId, seq: after, type, source, since, until }: EventFilter & { workspaceId: string; seq: number },
  limit: number,
): Promise<StoredEvent[]> {
  return oldest(db, { workspaceId, after, type, source, since, until, limit });
}

/** The position of the newest event of a workspace; 0 without one. */
export async function lastEventSeq(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('seq')
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** The position of the last event that is not newer than an id: ids begin with their time, and rows may be gone. */
export async function seqOfEvent(db: Db, workspaceId: string, id: string): Promise<number> {
  const exact = await db
    .selectFrom('events')
    .select('seq')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (exact) return exact.seq;
  const row = await db
    .selectFrom('events')
    .select('seq')
    .where('workspace_id', '=', workspaceId)
    .where('id', '<', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

function filtered<Parameters extends EventFilter>(
  query: SelectQueryBuilder<Database, 'events', StoredEvent>,
  place: Place<Parameters>,
  given: Given<Parameters>,
) {
  let narrowed = query;
  if (given('type')) narrowed = narrowed.where('type', '=', place('type') as string);
  if (given('source')) narrowed = narrowed.where('source', '=', place('source') as string);
  if (given('since')) narrowed = narrowed.where('created_at', '>', place('since') as string);
  if (given('until')) narrowed = narrowed.where('created_at', '<', place('until') as string);
  if (given('integrationId'))
    narrowed = narrowed.where('integration_id', '=', place('integrationId') as string);
  if (given('deliveryStatus'))
    narrowed = narrowed.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.seq')
          .whereRef('deliveries.event_id', '=', 'events.id')
          .where('deliveries.status', '=', place('deliveryStatus') as DeliveryStatus),
      ),
    );
  return narrowed;
}
