import type {
  InboxChange,
  Notification,
  NotificationsReadAll,
  NotificationUpdate,
  UnreadNotifications,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../../core/api-promise.ts';
import type { EventStream } from '../../core/event-stream.ts';
import type { RequestOptions, StreamOptions } from '../../core/options.ts';
import { type QueryOf, Resource } from '../../core/resource.ts';
import { get, patch, post } from '../../internal/url.ts';

/**
 * Query of {@link Notifications.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const unread = await client.notifications.list({ unread: 'true' }).toArray();
 * ```
 */
export type NotificationListQuery = QueryOf<'notifications.list'>;

/**
 * Query of {@link Notifications.stream}. See docs/decisions/notifications.md.
 *
 * @example
 * ```ts
 * for await (const { unread } of client.notifications.stream({ workspace_id: workspaceId })) console.log(unread);
 * ```
 */
export type NotificationStreamQuery = QueryOf<'notifications.stream'>;

/**
 * The in-app notifications of the caller. See docs/decisions/notifications.md.
 *
 * @example
 * ```ts
 * for await (const { title } of client.notifications.list({ unread: 'true' })) console.log(title);
 * await client.notifications.readAll();
 * ```
 */
export class Notifications extends Resource<'notifications'> {
  /**
   * Lists the notifications of the caller, newest first.
   *
   * @throws {@link NotFoundError} when the key does not see the workspace.
   *
   * @example
   * ```ts
   * for await (const { title, read_at } of client.notifications.list({ limit: 100 })) console.log(title, read_at);
   * ```
   */
  list(query?: NotificationListQuery, options?: RequestOptions): PagePromise<Notification> {
    return this.page('list', get`/me/notifications`, options, query);
  }

  /**
   * Counts the unread notifications.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `notifications:read`.
   *
   * @example
   * ```ts
   * const { unread } = await client.notifications.unread();
   * ```
   */
  unread(options?: RequestOptions): ApiPromise<UnreadNotifications> {
    return this.call('unread', get`/me/notifications/unread`, options);
  }

  /**
   * Follows notifications as they come, and reconnects when the connection is lost. The first change says how many are unread.
   *
   * @throws {@link NotFoundError} when the key does not see the workspace.
   *
   * @example
   * ```ts
   * for await (const { notification, unread } of client.notifications.stream()) console.log(unread, notification?.title);
   * ```
   */
  stream(query?: NotificationStreamQuery, options?: StreamOptions): EventStream<InboxChange> {
    return this.follow('stream', get`/me/notifications/stream`, options, query);
  }

  /**
   * Marks a notification as read, or as unread again.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.notifications.update('ntf_…', { read: true });
   * ```
   */
  update(
    notificationId: string,
    body: NotificationUpdate,
    options?: RequestOptions,
  ): ApiPromise<Notification> {
    return this.call('update', patch`/me/notifications/${notificationId}`, options, body);
  }

  /**
   * Marks all notifications as read, or those of one workspace.
   *
   * @throws {@link NotFoundError} when the key does not see the workspace.
   *
   * @example
   * ```ts
   * await client.notifications.readAll({ workspace_id: workspaceId });
   * ```
   */
  readAll(body: NotificationsReadAll = {}, options?: RequestOptions): ApiPromise<UnreadNotifications> {
    return this.call('readAll', post`/me/notifications/read-all`, options, body);
  }
}
