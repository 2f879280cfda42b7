import type { EndpointInput, Notification as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { UserContext } from '../../../context.ts';
import {
  countUnread,
  listNotifications,
  markNotification,
  type NotificationRow,
  type Reader,
} from '../../../db/notifications/inbox.ts';
import { isoTimeOrNull } from '../../../db/core/columns/columns.ts';
import type { Db } from '../../../db/core/schema.ts';
import { notFound } from '../../../domain/faults/fault.ts';
import { isoTime } from '../../../domain/time.ts';
import { visibleWorkspaceIds } from '../../identity/me.ts';
import { page } from '../../page.ts';
import { markRead } from './read-notifications-job.ts';

export const toNotification = (row: NotificationRow): z.output<typeof Schema> => ({
  id: row.id,
  workspace_id: row.workspace_id,
  rule_id: row.rule_id,
  trigger: row.trigger,
  event_id: row.event_id,
  resource_id: row.resource_id,
  title: row.title,
  text: row.text,
  severity: row.severity,
  read_at: isoTimeOrNull(row.read_at),
  created_at: isoTime(row.created_at),
});

/**
 * The caller, in the workspaces that the request may see. After leaving a workspace, a user no longer sees its
 * notifications.
 */
export async function readerOf(context: UserContext, workspaceId?: string): Promise<Reader> {
  return {
    userId: context.actor.userId,
    workspaceIds: await visibleWorkspaceIds(context, workspaceId),
  };
}

export async function list(context: UserContext, { query }: EndpointInput<'notifications.list'>) {
  const reader = await readerOf(context, query.workspace_id);
  return page(context, query, {
    rows: (request) =>
      listNotifications(context.store.read, { reader, unread: query.unread === 'true', page: request }),
    position: (row) => row.seq,
    item: toNotification,
    rowBytes: 64 * 1024,
  });
}

const counted = async (db: Db, context: UserContext, reader: Reader) => ({
  unread: await countUnread(db, reader),
  email: context.mail.sends,
});

export async function unread(context: UserContext) {
  return counted(context.store.read, context, await readerOf(context));
}

export async function update(context: UserContext, { params, body }: EndpointInput<'notifications.update'>) {
  const reader = await readerOf(context);
  return context.write(async (tx) => {
    const readAt = body.read ? context.now.getTime() : null;
    const row = await markNotification(tx, reader, { id: params.notificationId, readAt });
    if (!row) throw notFound('notification');
    follow(context);
    return toNotification(row);
  });
}

export async function readAll(context: UserContext, { body }: EndpointInput<'notifications.readAll'>) {
  const reader = await readerOf(context, body.workspace_id);
  const all = await readerOf(context);
  return context.write(async (tx) => {
    await markRead(tx, context, reader);
    follow(context);
    return counted(tx, context, all);
  });
}

/** Wakes the streams in other tabs of the user. */
const follow = ({ afterCommit, announce, actor }: UserContext): void =>
  afterCommit('announce a read notification', () => announce(actor.userId));
