import { type DeliveryStatus, LIMITS } from '@hubline/contract';
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { SearchTerm } from '../../domain/events/search.ts';
import { STATUS } from '../core/columns/codes.ts';
import { type IdBytes, idBytes } from '../core/columns/columns.ts';
import { millis } from '../../domain/time.ts';
import { ifShort, lengthOf, READ_WITH_ROW_BYTES } from '../core/columns/large-text.ts';
import { dialectOf } from '../dialect-of.ts';
import type { FoundRows, PageRequest } from '../core/queries/paging.ts';
import { type Build, type Given, type Placeholder, prepared } from '../core/queries/prepared-query.ts';
import { LOOKED_AT_MAX, pageRange, type SeqRange, within } from '../core/queries/seq-range.ts';
import type { Database, Db } from '../core/schema.ts';
import { workspaceSeq } from '../workspaces/workspaces.ts';
import { type EventColumns, type EventRow, type Parts, selectEvents, toEventRow } from './event-row.ts';
import { lastEventLookedAt } from './last-looked-at.ts';

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
  (parts: Parts): Build<Listed & SeqRange, EventColumns> =>
  (db, p, given) =>
    within(filtered(selectEvents(db, parts), p, given), p, given)
      .where('workspace', '=', p('workspace'))
      .orderBy('seq', 'desc')
      .limit(p('limit'));
const newest = { whole: prepared(newestOf({})), bare: prepared(newestOf({ bare: true })) };

/** The newest events that match a search. Every search has different words: there is nothing to prepare. */
function searched(
  db: Db,
  listed: Listed & SeqRange,
  { search, bare }: { search: readonly SearchTerm[] } & Parts,
): Promise<EventColumns[]> {
  const placeholder: Placeholder<Listed & SeqRange> = (name) => listed[name];
  const given: Given<Listed & SeqRange> = (name) => listed[name] !== undefined;
  return within(filtered(selectEvents(db, { bare }), placeholder, given), placeholder, given)
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

/** The list that a page belongs to. */
interface List extends Parts {
  /** The IDs of its workspaces, by their `seq`. */
  workspaces: ReadonlyMap<number, string>;
  stored: StoredFilter;
  search: readonly SearchTerm[] | undefined;
}

/**
 * Events of the workspaces, newest first. However many workspaces there are, a page looks at as many events as for one, and holds at most
 * twice as many.
 */
export async function listEvents(
  db: Db,
  { workspaceIds, bare, ...filter }: EventFilter & Parts & { workspaceIds: readonly string[] },
  { after, limit }: PageRequest,
): Promise<FoundRows<EventRow>> {
  const range = await pageRange(db, 'events', { after, ...filter });
  const { search } = filter;
  const list = { workspaces: await seqsOf(db, workspaceIds), stored: toStored(filter), search, bare };
  const isPlain =
    filter.integrationId === undefined && filter.deliveryStatus === undefined && search === undefined;
  const hasIndex = isPlain || search?.some(({ kind }) => kind === 'id');
  return hasIndex
    ? { rows: await newestIn(db, list, { ...range, limit }), resume: null }
    : lookThrough(db, list, { ...range, limit });
}

// The first part of a list without an index for its filter is small: the events may have thousands of deliveries each. A part that took
// little time is followed by a larger one.
const PART_EVENTS = 16;
const PART_MS = 4;
const PART_GROWTH = 4;

/** Reads a list without an index for its filter, part by part, so that the event loop has its turn in between. */
async function lookThrough(
  db: Db,
  list: List,
  { above, limit, ...range }: SeqRange & { limit: number },
): Promise<FoundRows<EventRow>> {
  const workspaces = [...list.workspaces.keys()];
  const readsPayloads = list.search?.some(({ kind }) => kind === 'value' || kind === 'payload');
  let left = readsPayloads ? LIMITS.searchedPayloads : LOOKED_AT_MAX;
  let { below } = range;
  const rows: EventRow[] = [];
  for (let part = PART_EVENTS; ;) {
    const startedAt = performance.now();
    const most = Math.min(part, left);
    const last = await lastEventLookedAt(db, { workspaces, range: { above, below }, most });
    const found = { above: last === null ? above : last - 1, below, limit: limit - rows.length };
    rows.push(...(await newestIn(db, list, found)));
    if (last === null || rows.length === limit) return { rows, resume: null };
    left -= most;
    if (left === 0) return { rows, resume: last };
    below = last;
    if (performance.now() - startedAt < PART_MS) part *= PART_GROWTH;
    await dialectOf(db).yieldToEventLoop();
  }
}

/**
 * The newest events of a list in a range. Looks at one workspace after the other, each by its own index: a list of several would be sorted
 * as a whole.
 */
async function newestIn(
  db: Db,
  { workspaces, stored, search, bare }: List,
  { above, below, limit }: SeqRange & { limit: number },
): Promise<EventRow[]> {
  let rows: EventRow[] = [];
  let newer = above;
  for (const [workspace, workspaceId] of workspaces) {
    const listed = { ...stored, workspace, limit, below, above: newer };
    const found = await (search
      ? searched(db, listed, { search, bare })
      : newest[bare ? 'bare' : 'whole'](db, listed));
    rows.push(...found.map((row) => toEventRow(row, workspaceId)));
    rows = rows.toSorted((a, b) => b.seq - a.seq).slice(0, limit);
    // Older events of the other workspaces do not belong to a full page.
    if (rows.length === limit) newer = rows.at(-1)?.seq;
  }
  return rows;
}

/** The IDs of workspaces, by their `seq`. */
async function seqsOf(db: Db, workspaceIds: readonly string[]): Promise<ReadonlyMap<number, string>> {
  const seqs = new Map<number, string>();
  for (const id of workspaceIds) seqs.set(await workspaceSeq(db, id), id);
  return seqs;
}

const oldestOf =
  (parts: Parts): Build<Listed & { after: number }, EventColumns> =>
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
): Promise<EventRow[]> {
  const workspace = await workspaceSeq(db, workspaceId);
  const rows = await oldest[bare ? 'bare' : 'whole'](db, { ...toStored(filter), workspace, after, limit });
  return rows.map((row) => toEventRow(row, workspaceId));
}

function filtered<Parameters extends StoredFilter>(
  query: SelectQueryBuilder<Database, 'events', EventColumns>,
  placeholder: Placeholder<Parameters>,
  given: Given<Parameters>,
) {
  let narrowed = query;
  if (given('type')) narrowed = narrowed.where('type', '=', placeholder('type') as string);
  if (given('source')) narrowed = narrowed.where('source', '=', placeholder('source') as string);
  if (given('since')) narrowed = narrowed.where('created_at', '>', placeholder('since') as number);
  if (given('until')) narrowed = narrowed.where('created_at', '<', placeholder('until') as number);
  if (given('integrationId'))
    narrowed = narrowed.where('integration_id', '=', placeholder('integrationId') as IdBytes);
  if (given('deliveryStatus'))
    narrowed = narrowed.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.seq')
          .whereRef('deliveries.event_id', '=', 'events.id')
          .where('deliveries.status', '=', placeholder('deliveryStatus') as number),
      ),
    );
  return narrowed;
}
