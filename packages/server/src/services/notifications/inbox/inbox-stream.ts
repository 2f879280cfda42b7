import { type EndpointInput, type EndpointOutput, isId } from '@hubline/contract';
import type { UserContext } from '../../../context.ts';
import {
  countUnread,
  lastNotificationSeq,
  listNotificationsAfter,
  seqOfNotification,
} from '../../../db/notifications/inbox.ts';
import { invalid } from '../../../domain/faults/fault.ts';
import { readerOf, toNotification } from './inbox.ts';

export type InboxStreamQuery = EndpointInput<'notifications.stream'>['query'];

/** The position of a stream. */
export interface InboxPosition {
  /** The last notification that the stream has passed. */
  seq: number;
  /** The number of unread notifications that was last sent; `null` before the first. */
  unread: number | null;
}

interface InboxMessage {
  /** The ID of the notification; `null` if only the number has changed. */
  id: string | null;
  change: EndpointOutput<'notifications.stream'>;
}

const BATCH_ROWS = 16;
// A text has at most 16,000 characters, and is in memory twice: as a row and as JSON.
export const INBOX_BYTES = BATCH_ROWS * 2 * 32 * 1_024;

/** Finds the beginning of a stream: after the last notification that the client has seen, after a time, or now. */
export async function inboxStart(
  context: UserContext,
  { workspace_id: workspaceId, since }: InboxStreamQuery,
  lastEventId: string | null,
): Promise<InboxPosition> {
  const { store, actor } = context;
  await readerOf(context, workspaceId);
  if (lastEventId !== null && !isId('notification', lastEventId))
    throw invalid('Last-Event-ID', 'must be the ID of a notification, ntf_…');
  const seq =
    lastEventId !== null
      ? await seqOfNotification(store.read, actor.userId, lastEventId)
      : await lastNotificationSeq(store.read, actor.userId, since === undefined ? null : Date.parse(since));
  return { seq, unread: null };
}

/** The next messages of a stream, if any, and its position after them. */
export async function readInbox(
  context: UserContext,
  { workspace_id: workspaceId }: InboxStreamQuery,
  { seq, unread: sent }: InboxPosition,
): Promise<{ messages: InboxMessage[]; position: InboxPosition }> {
  const { read } = context.store;
  const reader = await readerOf(context, workspaceId);
  const rows = await listNotificationsAfter(read, reader, { seq, limit: BATCH_ROWS });
  const unread = await countUnread(read, reader);
  const messages: InboxMessage[] = rows.map((row) => ({
    id: row.id,
    change: { notification: toNotification(row), unread },
  }));
  if (messages.length === 0 && unread !== sent)
    messages.push({ id: null, change: { notification: null, unread } });
  return { messages, position: { seq: rows.at(-1)?.seq ?? seq, unread } };
}
