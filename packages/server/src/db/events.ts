import type { Selectable } from 'kysely';
import { hot } from './hot.ts';
import type { PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';

export type EventRow = Selectable<Database['events']>;

/** What narrows a list of events. */
export interface EventFilter {
  type?: string | undefined;
  source?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const insert = hot<Omit<EventRow, 'seq'>, { seq: number }>((db, p) =>
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
    .onConflict((conflict) => conflict.doNothing())
    .returning('seq'),
);

/** Inserts an event unless its integration already has one with the same dedupe key; whether it was inserted. */
export async function insertEvent(tx: Tx, row: Omit<EventRow, 'seq'>): Promise<boolean> {
  return (await insert(tx, row)).length > 0;
}

const byId = hot<{ workspaceId: string; id: string }, EventRow>((db, p) =>
  db.selectFrom('events').selectAll().where('id', '=', p('id')).where('workspace_id', '=', p('workspaceId')),
);

export async function findEvent(db: Db, workspaceId: string, id: string): Promise<EventRow | undefined> {
  const [row] = await byId(db, { workspaceId, id });
  return row;
}

export async function findEventByDedupeKey(
  db: Db,
  integrationId: string,
  dedupeKey: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('integration_id', '=', integrationId)
    .where('dedupe_key', '=', dedupeKey)
    .executeTakeFirst();
  return row?.id;
}

/** Events of the workspaces, newest first. */
export async function listEvents(
  db: Db,
  where: EventFilter & { workspaceIds: readonly string[] },
  page: PageRequest,
): Promise<EventRow[]> {
  if (where.workspaceIds.length === 0) return [];
  let query = filtered(db, where).where('workspace_id', 'in', where.workspaceIds);
  if (page.after !== null) query = query.where('seq', '<', Number(page.after));
  return query.orderBy('seq', 'desc').limit(page.limit).execute();
}

/** Events of a workspace after a position, oldest first: what a stream sends next. */
export async function listEventsAfter(
  db: Db,
  where: EventFilter & { workspaceId: string; seq: number },
  limit: number,
): Promise<EventRow[]> {
  return filtered(db, where)
    .where('workspace_id', '=', where.workspaceId)
    .where('seq', '>', where.seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
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

function filtered(db: Db, filter: EventFilter) {
  let query = db.selectFrom('events').selectAll();
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.source !== undefined) query = query.where('source', '=', filter.source);
  if (filter.since !== undefined) query = query.where('created_at', '>', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<', filter.until);
  return query;
}
