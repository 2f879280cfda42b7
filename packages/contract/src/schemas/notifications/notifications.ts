import { z } from 'zod';
import { timestamp, timestampInput } from '../../text.ts';
import { id, notificationTrigger, pageQuery, severity } from '../common.ts';

/** An in-app notification. */
export const Notification = z
  .object({
    id: z.string().describe('`ntf_` and 26 characters.'),
    workspace_id: z.string().describe('Workspace of the notification.'),
    rule_id: z.string().nullable().describe('The rule that sent it; `null` for none.'),
    trigger: notificationTrigger.describe('Trigger of the notification.'),
    event_id: z.string().nullable().describe('The event; `null` without one.'),
    resource_id: z
      .string()
      .nullable()
      .describe(
        'ID of the webhook, integration, automation or user that the notification is about; `null` for an event.',
      ),
    title: z.string().describe('One line.'),
    text: z.string().describe('The text.'),
    severity: severity.describe('Urgency.'),
    read_at: timestamp.nullable().describe('Time at which it was read; `null` while it is unread.'),
    created_at: timestamp.describe('Creation time.'),
  })
  .describe('A notification in the dashboard.')
  .meta({ id: 'Notification' });

/** Body of `PATCH /me/notifications/{notificationId}`. */
export const NotificationUpdate = z
  .strictObject({ read: z.boolean().describe('True: read. False: unread again.') })
  .describe('A change to a notification.')
  .meta({ id: 'NotificationUpdate' });

/** Body of `POST /me/notifications/read-all`. */
export const NotificationsReadAll = z
  .strictObject({
    workspace_id: id('workspace').optional().describe('Only notifications of this workspace.'),
  })
  .describe('Notifications to mark as read.')
  .meta({ id: 'NotificationsReadAll' });

/** Response of `GET /me/notifications/unread` and `POST /me/notifications/read-all`. */
export const UnreadNotifications = z
  .object({
    unread: z.int().describe('Number of unread notifications, in every workspace that the key sees.'),
    email: z
      .boolean()
      .describe('True if this server sends email. False: its operator has to set `HUBLINE_SMTP_URL`.'),
  })
  .describe('The number of unread notifications.')
  .meta({ id: 'UnreadNotifications' });

/** A message of `GET /me/notifications/stream`. */
export const InboxChange = z
  .object({
    notification: Notification.nullable().describe(
      'A new notification; `null` in a message that has only the number of unread ones.',
    ),
    unread: z
      .int()
      .describe(
        'Number of unread notifications, in the workspace asked for or in every one that the key sees.',
      ),
  })
  .describe('A new notification, or a new number of unread ones.')
  .meta({ id: 'InboxChange' });

/** Query of `GET /me/notifications/stream`. */
export const inboxStreamQuery = {
  workspace_id: id('workspace').optional().describe('Only notifications of this workspace.'),
  since: timestampInput.optional().describe('Only notifications created after this time.'),
};

/** Query of `GET /me/notifications`. */
export const notificationQuery = {
  unread: z.enum(['true', 'false']).optional().describe('`true`: only unread ones.'),
  workspace_id: id('workspace').optional().describe('Only notifications of this workspace.'),
  ...pageQuery,
};
