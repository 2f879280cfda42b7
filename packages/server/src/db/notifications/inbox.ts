import type { Insertable, Selectable } from 'kysely';
import type { PageRequest } from '../core/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type NotificationRow = Selectable<Database['notifications']>;

export async function insertNotification(tx: Tx, row: Insertable<Database['notifications']>): Promise<void> {
  await tx.insertInto('notifications').values(row).execute();
}

/** A user, and the workspaces in which their notifications are shown. */
export interface Reader {
  userId: string;
  workspaceIds: readonly string[];
}

/** Newest first. */
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

/** Marks a notification of a user; `undefined` if it is not theirs, or is not shown. */
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

export async function markAllRead(tx: Tx, { userId, workspaceIds }: Reader, readAt: number): Promise<void> {
  if (workspaceIds.length === 0) return;
  await tx
    .updateTable('notifications')
    .set({ read_at: readAt })
    .where('user_id', '=', userId)
    .where('workspace_id', 'in', workspaceIds)
    .where('read_at', 'is', null)
    .execute();
}
