import type { Insertable, Selectable } from 'kysely';
import { dialectOf } from '../dialect-of.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type NotificationRow = Selectable<Database['notifications']>;

export type NewNotification = Insertable<Database['notifications']>;

/**
 * Adds notifications. A lock of each user makes the order of `seq` that of commits, in all workspaces: a stream must not miss one
 * that was numbered earlier and committed later. Users are locked in one order, so that units never deadlock.
 */
export async function insertNotifications(tx: Tx, rows: readonly NewNotification[]): Promise<void> {
  for (const row of rows.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1))) {
    await dialectOf(tx).lock(tx, row.user_id);
    await tx.insertInto('notifications').values(row).execute();
  }
}

/** A user, and the workspaces in which their notifications are shown. */
export interface Reader {
  userId: string;
  workspaceIds: readonly string[];
}

/** Notifications, newest first. */
export async function listNotifications(
  db: Db,
  { reader, unread, page }: { reader: Reader; unread: boolean; page: PageRequest },
): Promise<NotificationRow[]> {
  if (reader.workspaceIds.length === 0) return [];
  let query = db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', reader.userId)
    .where('workspace_id', 'in', reader.workspaceIds);
  if (unread) query = query.where('read_at', 'is', null);
  if (page.after !== null) query = query.where('seq', '<', Number(page.after));
  return query.orderBy('seq', 'desc').limit(page.limit).execute();
}

/** Notifications after a position, oldest first. */
export async function listNotificationsAfter(
  db: Db,
  { userId, workspaceIds }: Reader,
  { seq, limit }: { seq: number; limit: number },
): Promise<NotificationRow[]> {
  if (workspaceIds.length === 0) return [];
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('workspace_id', 'in', workspaceIds)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** The position of the newest notification of a user, up to a time; 0 for none. */
export async function lastNotificationSeq(db: Db, userId: string, until: number | null): Promise<number> {
  let query = db.selectFrom('notifications').select('seq').where('user_id', '=', userId);
  if (until !== null) query = query.where('created_at', '<=', until);
  const row = await query.orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** The position of the last notification that is not newer than an ID: IDs begin with their time, and rows may be gone. */
export async function seqOfNotification(db: Db, userId: string, id: string): Promise<number> {
  const own = db.selectFrom('notifications').select('seq').where('user_id', '=', userId);
  const exact = await own.where('id', '=', id).executeTakeFirst();
  if (exact) return exact.seq;
  const row = await own.where('id', '<', id).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

export async function countUnread(db: Db, { userId, workspaceIds }: Reader): Promise<number> {
  if (workspaceIds.length === 0) return 0;
  const { unread } = await db
    .selectFrom('notifications')
    .select((expression) => expression.fn.countAll().as('unread'))
    .where('user_id', '=', userId)
    .where('workspace_id', 'in', workspaceIds)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(unread);
}

/** Marks a notification of a user as read or unread; `undefined` if it is not theirs, or is not shown. */
export async function markNotification(
  tx: Tx,
  { userId, workspaceIds }: Reader,
  { id, readAt }: { id: string; readAt: number | null },
): Promise<NotificationRow | undefined> {
  if (workspaceIds.length === 0) return undefined;
  return tx
    .updateTable('notifications')
    .set({ read_at: readAt })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('workspace_id', 'in', workspaceIds)
    .returningAll()
    .executeTakeFirst();
}

// A few milliseconds on SQLite.
const MARKED_AT_ONCE = 500;

/** Marks unread notifications up to a position as read, newest first. One call marks some; returns `false` if there may be more. */
export async function markSomeRead(
  tx: Tx,
  { userId, workspaceIds }: Reader,
  { readAt, last }: { readAt: number; last: number },
): Promise<boolean> {
  if (workspaceIds.length === 0) return true;
  const rows = await tx
    .selectFrom('notifications')
    .select('seq')
    .where('user_id', '=', userId)
    .where('workspace_id', 'in', workspaceIds)
    .where('read_at', 'is', null)
    .where('seq', '<=', last)
    .orderBy('seq', 'desc')
    .limit(MARKED_AT_ONCE)
    .execute();
  const seqs = rows.map(({ seq }) => seq);
  await tx
    .updateTable('notifications')
    .set({ read_at: readAt })
    .where(dialectOf(tx).isOneOf('seq', seqs))
    .where('read_at', 'is', null)
    .execute();
  return seqs.length < MARKED_AT_ONCE;
}
