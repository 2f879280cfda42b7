import { LIMITS } from '@hubline/contract';
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { SearchTerm } from '../../domain/events/search.ts';
import { type DeliveryStatus, STATUS } from '../core/columns/codes.ts';
import {
  type IdBytes,
  idBytes,
  idBytesOrNull,
  idText,
  idTextOrNull,
  isoTime,
  millis,
} from '../core/columns/columns.ts';
import { type Build, type Given, prepared, preparedRow, type Place } from '../core/queries/prepared-query.ts';
import type { IntegrationRow } from './integrations.ts';
import { dialectOf } from '../core/dialect-of.ts';
import { ifShort, lengthOf, READ_WITH_ROW_BYTES, toBytes } from '../core/columns/large-text.ts';
import type { Found, PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import { LOOKED_AT_MAX, pageRange, type SeqRange, within, seqRange } from '../core/queries/seq-range.ts';
import { workspaceSeq } from '../workspaces/workspaces.ts';

/** An event as services know it. */
export interface EventRow {
  seq: number;
  id: string;
  workspace_id: string;
  integration_id: string | null;
  type: string;
  source: string;
  /** Of its integration. */
  provider: string | null;
  /** The provider's JSON, byte for byte. */
  payload: string;
  summary: string;
  dedupe_key: string | null;
  occurred_at: string;
  created_at: string;
}

/** An event as it is read. */
export interface StoredEvent extends Omit<EventRow, 'payload' | 'dedupe_key'> {
  /** `null` where it is too large to be read with its row: `readPayload`. */
  payload: string | null;
  payload_bytes: number;
}

/** Filters of a list of events. */
export interface EventFilter {
  type?: string | undefined;
  source?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  integrationId?: string | undefined;
  /** Events with a delivery in this state. */
  deliveryStatus?: DeliveryStatus | undefined;
  /** Events in which all of these are found. */
  search?: readonly SearchTerm[] | undefined;
}

/** Which parts of events to read: `bare`, for lists that show no payloads. */
interface Parts {
  bare?: boolean | undefined;
}

/** Inserts an event unless its integration already has one with the same dedupe key; whether it was inserted. */
export async function insertEvent(tx: Tx, row: Omit<EventRow, 'seq'>): Promise<boolean> {
  const { id, workspace_id, integration_id, occurred_at, created_at, ...rest } = row;
  const stored = {
    ...rest,
    id: idBytes(id),
    workspace: await workspaceSeq(tx, workspace_id),
    integration_id: idBytesOrNull(integration_id),
    occurred_at: occurred_at === created_at ? null : millis(occurred_at),
    created_at: millis(created_at),
  };
  return dialectOf(tx).insertEvent(tx, stored);
}

/** An event as its columns are read, but for its workspace, which whoever asks knows. */
interface ReadEvent {
  seq: number;
  id: IdBytes;
  integration_id: IdBytes | null;
  occurred_at: number | null;
  created_at: number;
  type: string;
  source: string;
  provider: string | null;
  summary: string;
  payload: string | null;
  payload_bytes: number;
}

const selectBare = (db: Db) =>
  db
    .selectFrom('events')
    .select([
      'seq',
      'id',
      'integration_id',
      'occurred_at',
      'created_at',
      'type',
      'source',
      'provider',
      'summary',
    ]);

const selectEvents = (db: Db, { bare = false }: Parts = {}) =>
  bare
    ? selectBare(db).select([sql<null>`null`.as('payload'), sql.lit(0).as('payload_bytes')])
    : selectBare(db).select([ifShort('payload').as('payload'), lengthOf('payload').as('payload_bytes')]);

const toEvent = (row: ReadEvent, workspaceId: string): StoredEvent => ({
  seq: row.seq,
  id: idText('event', row.id),
  workspace_id: workspaceId,
  integration_id: idTextOrNull('integration', row.integration_id),
  type: row.type,
  source: row.source,
  provider: row.provider,
  summary: row.summary,
  occurred_at: isoTime(row.occurred_at ?? row.created_at),
  created_at: isoTime(row.created_at),
  payload: row.payload,
  payload_bytes: row.payload_bytes,
});

const byId = preparedRow<{ workspace: number; id: IdBytes }, ReadEvent>((db, p) =>
  selectEvents(db).where('id', '=', p('id')).where('workspace', '=', p('workspace')),
);

export async function findEvent(db: Db, workspaceId: string, id: string): Promise<StoredEvent | undefined> {
  const row = await byId(db, { workspace: await workspaceSeq(db, workspaceId), id: idBytes(id) });
  return row && toEvent(row, workspaceId);
}

const payloadOf = preparedRow<{ id: IdBytes }, { payload: Buffer | string | null }>((db, p) =>
  db.selectFrom('events').select(dialectOf(db).bytesIn('payload').as('payload')).where('id', '=', p('id')),
);

/** The payload of an event, however large it is; `null` if the event is gone by now. */
export async function readPayload(db: Db, event: Pick<EventRow, 'id'>): Promise<Buffer | null> {
  const { payload = null } = (await payloadOf(db, { id: idBytes(event.id) })) ?? {};
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
    .where('integration_id', '=', idBytes(integration.id))
    .where('dedupe_key', '=', dedupeKey)
    .executeTakeFirst();
  return row && idText('event', row.id);
}

/** Those of the dedupe keys that events of an integration have. */
export async function listKnownKeys(
  db: Db,
  integration: Pick<IntegrationRow, 'id'>,
  dedupeKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (dedupeKeys.length === 0) return new Set();
  const rows = await db
    .selectFrom('events')
    .select('dedupe_key')
    .where('integration_id', '=', idBytes(integration.id))
    .where('dedupe_key', 'in', dedupeKeys)
    .execute();
  return new Set(rows.flatMap(({ dedupe_key: key }) => key ?? []));
}

/** The summaries of the newest events that came through an integration since a time. */
export async function listSummaries(
  db: Db,
  integration: Pick<IntegrationRow, 'id' | 'workspace_id'>,
  { since, limit }: { since: string; limit: number },
): Promise<string[]> {
  const { above } = await seqRange(db, 'events', { since });
  let query = db
    .selectFrom('events')
    .select('summary')
    .where('workspace', '=', await workspaceSeq(db, integration.workspace_id))
    .where('integration_id', '=', idBytes(integration.id));
  if (above !== undefined) query = query.where('seq', '>', above);
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
  return rows.map(({ summary }) => summary);
}

/** Reports whether a workspace has events that came through an integration, connected or not. */
export async function hasEventsOf(db: Db, workspaceId: string, integrationId: string): Promise<boolean> {
  // All of them are of one workspace: any will do.
  const row = await db
    .selectFrom('events')
    .select('workspace')
    .where('integration_id', '=', idBytes(integrationId))
    // As all that came in have: the index of those is the only one that begins with the integration.
    .where('dedupe_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.workspace === (await workspaceSeq(db, workspaceId));
}

/** `EventFilter`, as its columns are stored. */
interface StoredFilter {
  type: string | undefined;
  source: string | undefined;
  since: number | undefined;
  until: number | undefined;
  integrationId: IdBytes | undefined;
  deliveryStatus: number | undefined;
}

const toStored = ({
  type,
  source,
  since,
  until,
  integrationId,
  deliveryStatus,
}: EventFilter): StoredFilter => ({
  type,
  source,
  since: since === undefined ? undefined : millis(since),
  until: until === undefined ? undefined : millis(until),
  integrationId: integrationId === undefined ? undefined : idBytes(integrationId),
  deliveryStatus: deliveryStatus === undefined ? undefined : STATUS.of[deliveryStatus],
});

interface Listed extends StoredFilter {
  workspace: number;
  limit: number;
}

const newestOf =
  (parts: Parts): Build<Listed & SeqRange, ReadEvent> =>
  (db, p, given) =>
    within(filtered(selectEvents(db, parts), p, given), p, given)
      .where('workspace', '=', p('workspace'))
      .orderBy('seq', 'desc')
      .limit(p('limit'));
const newest = { whole: prepared(newestOf({})), bare: prepared(newestOf({ bare: true })) };

/** The newest events in which something is found. Every search has other words: there is nothing to prepare. */
function searched(
  db: Db,
  listed: Listed & SeqRange,
  { search, bare }: { search: readonly SearchTerm[] } & Parts,
): Promise<ReadEvent[]> {
  const place: Place<Listed & SeqRange> = (name) => listed[name];
  const given: Given<Listed & SeqRange> = (name) => listed[name] !== undefined;
  return within(filtered(selectEvents(db, { bare }), place, given), place, given)
    .where('workspace', '=', listed.workspace)
    .where((eb) => eb.and(search.map((term) => holds(db, term))))
    .orderBy('seq', 'desc')
    .limit(listed.limit)
    .execute();
}

/** The parts of a summary that are searched. */
const SEARCHED = [
  ['text'],
  ['subject', 'name'],
  ['subject', 'id'],
  ['container', 'name'],
  ['actor', 'name'],
] as const;

function holds(db: Db, term: SearchTerm): RawBuilder<SqlBool> {
  const dialect = dialectOf(db);
  switch (term.kind) {
    case 'id':
      return sql`id = ${idBytes(term.id)}`;
    case 'text': {
      const texts = [
        sql.ref('type'),
        sql.ref('source'),
        ...SEARCHED.map((path) => dialect.valueAt('summary', path)),
      ];
      return sql`(${sql.join(
        texts.map((text) => dialect.contains(text, term.text)),
        sql` or `,
      )})`;
    }
    case 'value':
      return sql`case when ${lengthOf('payload')} <= ${sql.lit(READ_WITH_ROW_BYTES)} then ${dialect.valueAt('payload', term.path)} end = ${term.value}`;
    case 'payload':
      return dialect.contains(ifShort('payload'), term.text);
  }
}

const floor = prepared<{ workspace: number; skip: number } & SeqRange, { seq: number }>((db, p, given) =>
  within(db.selectFrom('events').select('seq'), p, given)
    .where('workspace', '=', p('workspace'))
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(p('skip')),
);

/** Events of the workspaces, newest first. */
export async function listEvents(
  db: Db,
  { workspaceIds, bare, ...filter }: EventFilter & Parts & { workspaceIds: readonly string[] },
  { after, limit }: PageRequest,
): Promise<Found<StoredEvent>> {
  const range = await pageRange(db, 'events', { after, ...filter });
  const stored = toStored(filter);
  const { search } = filter;
  const isPlain =
    filter.integrationId === undefined && filter.deliveryStatus === undefined && search === undefined;
  const hasIndex = isPlain || search?.some(({ kind }) => kind === 'id');
  const readsPayloads = search?.some(({ kind }) => kind === 'value' || kind === 'payload');
  const lookedAt = readsPayloads ? LIMITS.searchedPayloads : LOOKED_AT_MAX;
  // One workspace after the other, each by its own index: a list of several would be sorted as a whole.
  const rows: StoredEvent[] = [];
  let resume: number | null = null;
  for (const workspaceId of workspaceIds) {
    const workspace = await workspaceSeq(db, workspaceId);
    const [stop] = hasIndex ? [] : await floor(db, { workspace, skip: lookedAt - 1, ...range });
    const above = stop === undefined ? range.above : stop.seq - 1;
    if (stop !== undefined) resume = Math.max(resume ?? 0, stop.seq);
    const listed = { ...stored, workspace, limit, below: range.below, above };
    const found = await (search
      ? searched(db, listed, { search, bare })
      : newest[bare ? 'bare' : 'whole'](db, listed));
    for (const row of found) rows.push(toEvent(row, workspaceId));
  }
  if (workspaceIds.length > 1) rows.sort((a, b) => b.seq - a.seq);
  // Rows below the place where the search in another workspace stopped come after those still to be found there.
  const found = rows.filter((row) => resume === null || row.seq >= resume).slice(0, limit);
  return { rows: found, resume: found.length < limit ? resume : null };
}

const counted = prepared<{ eventId: IdBytes }, { status: number; count: number }>((db, p) =>
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
  const rows = await counted(db, { eventId: idBytes(event.id) });
  return Object.fromEntries(rows.map(({ status, count }) => [STATUS.name(status), count]));
}

const oldestOf =
  (parts: Parts): Build<Listed & { after: number }, ReadEvent> =>
  (db, p, given) =>
    filtered(selectEvents(db, parts), p, given)
      .where('workspace', '=', p('workspace'))
      .where('seq', '>', p('after'))
      .orderBy('seq')
      .limit(p('limit'));
const oldest = { whole: prepared(oldestOf({})), bare: prepared(oldestOf({ bare: true })) };

/** Events of a workspace after a position, oldest first: what a stream sends next. */
export async function listEventsAfter(
  db: Db,
  { workspaceId, seq: after, bare, ...filter }: EventFilter & Parts & { workspaceId: string; seq: number },
  limit: number,
): Promise<StoredEvent[]> {
  const workspace = await workspaceSeq(db, workspaceId);
  const rows = await oldest[bare ? 'bare' : 'whole'](db, { ...toStored(filter), workspace, after, limit });
  return rows.map((row) => toEvent(row, workspaceId));
}

/** The position of the newest event of a workspace; 0 without one. */
export async function lastEventSeq(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('seq')
    .where('workspace', '=', await workspaceSeq(db, workspaceId))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** The position of the last event that is not newer than an id: ids begin with their time, and rows may be gone. */
export async function seqOfEvent(db: Db, workspaceId: string, id: string): Promise<number> {
  const ofWorkspace = db
    .selectFrom('events')
    .select('seq')
    .where('workspace', '=', await workspaceSeq(db, workspaceId));
  const bytes = idBytes(id);
  const exact = await ofWorkspace.where('id', '=', bytes).executeTakeFirst();
  if (exact) return exact.seq;
  const row = await ofWorkspace.where('id', '<', bytes).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

function filtered<Parameters extends StoredFilter>(
  query: SelectQueryBuilder<Database, 'events', ReadEvent>,
  place: Place<Parameters>,
  given: Given<Parameters>,
) {
  let narrowed = query;
  if (given('type')) narrowed = narrowed.where('type', '=', place('type') as string);
  if (given('source')) narrowed = narrowed.where('source', '=', place('source') as string);
  if (given('since')) narrowed = narrowed.where('created_at', '>', place('since') as number);
  if (given('until')) narrowed = narrowed.where('created_at', '<', place('until') as number);
  if (given('integrationId'))
    narrowed = narrowed.where('integration_id', '=', place('integrationId') as IdBytes);
  if (given('deliveryStatus'))
    narrowed = narrowed.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.seq')
          .whereRef('deliveries.event_id', '=', 'events.id')
          .where('deliveries.status', '=', place('deliveryStatus') as number),
      ),
    );
  return narrowed;
}
