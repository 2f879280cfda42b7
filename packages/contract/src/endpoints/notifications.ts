import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { id, integerText, page } from '../schemas/common.ts';
import {
  NotificationTemplate,
  NotificationTemplateCreate,
  NotificationTemplateUpdate,
  RenderedTemplate,
  TemplatePreview,
} from '../schemas/notifications/notification-templates.ts';
import {
  InboxChange,
  inboxStreamQuery,
  Notification,
  notificationQuery,
  NotificationsReadAll,
  NotificationUpdate,
  UnreadNotifications,
} from '../schemas/notifications/notifications.ts';
import {
  NotificationRule,
  NotificationRuleCreate,
  NotificationRuleUpdate,
  RuleTest,
  RuleTestResult,
} from '../schemas/notifications/notification-rules.ts';
import { LoggedMessage, logQuery } from '../schemas/notifications/notification-log.ts';
import { READS_EVENT_UNLESS_SUPPLIED, from, inWorkspace } from './access.ts';
import { pageOnly, workspaceParams } from './params.ts';

const ruleParams = z.object({ id: id('workspace'), ruleId: id('notificationRule') });
const templateParams = z.object({ id: id('workspace'), templateId: id('notificationTemplate') });
const notificationParams = z.object({ notificationId: id('notification') });

export const notificationEndpoints = {
  'notificationTemplates.list': {
    operationId: 'listNotificationTemplates',
    method: 'GET',
    path: '/workspaces/{id}/notification-templates',
    summary: 'List notification templates.',
    description: 'Lists the templates of a workspace, oldest first, each in its current version.',
    access: inWorkspace(from.path, 'view', 'notifications:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(NotificationTemplate),
    status: 200,
    write: false,
  },
  'notificationTemplates.create': {
    operationId: 'createNotificationTemplate',
    method: 'POST',
    path: '/workspaces/{id}/notification-templates',
    summary: 'Create a notification template.',
    description:
      'Stores a template in Liquid, with a form for each channel. A template that cannot be rendered is refused, with the path and the line of the error.',
    access: inWorkspace(from.path, 'edit_automations', 'notifications:write'),
    params: workspaceParams,
    body: NotificationTemplateCreate,
    response: NotificationTemplate,
    status: 201,
    write: true,
  },
  'notificationTemplates.get': {
    operationId: 'getNotificationTemplate',
    method: 'GET',
    path: '/workspaces/{id}/notification-templates/{templateId}',
    summary: 'Read a notification template.',
    description: 'Returns the current version, or an older one.',
    access: inWorkspace(from.path, 'view', 'notifications:read'),
    params: templateParams,
    query: z.object({
      version: integerText(1, 999_999).describe('Number of the version. Default: the current one.'),
    }),
    response: NotificationTemplate,
    status: 200,
    write: false,
  },
  'notificationTemplates.update': {
    operationId: 'updateNotificationTemplate',
    method: 'PATCH',
    path: '/workspaces/{id}/notification-templates/{templateId}',
    summary: 'Update a notification template.',
    description:
      'Creates a new version, unless nothing changes. Waiting messages keep the version that was current when their rule matched.',
    access: inWorkspace(from.path, 'edit_automations', 'notifications:write'),
    params: templateParams,
    body: NotificationTemplateUpdate,
    response: NotificationTemplate,
    status: 200,
    write: true,
  },
  'notificationTemplates.delete': {
    operationId: 'deleteNotificationTemplate',
    method: 'DELETE',
    path: '/workspaces/{id}/notification-templates/{templateId}',
    summary: 'Delete a notification template.',
    description: 'Deletes the template with all its versions.',
    errors: { conflict: 'A notification rule or an automation uses it.' },
    access: inWorkspace(from.path, 'edit_automations', 'notifications:write'),
    params: templateParams,
    status: 204,
    write: true,
  },
  'notificationTemplates.preview': {
    operationId: 'previewNotificationTemplate',
    method: 'POST',
    path: '/workspaces/{id}/notification-templates/{templateId}/preview',
    summary: 'Preview a notification template.',
    description:
      'Renders the template, or the text in the body, with the values of an event: a stored one, a sample, or the newest. Nothing is sent.',
    errors: {
      not_found: 'The `event_id` does not name an event of this workspace.',
      unprocessable_entity: 'No event is given, and the workspace has none.',
    },
    access: {
      ...inWorkspace(from.path, 'edit_automations', 'notifications:write'),
      also: READS_EVENT_UNLESS_SUPPLIED,
    },
    params: templateParams,
    body: TemplatePreview,
    response: RenderedTemplate,
    status: 200,
    write: true,
  },

  'notificationRules.list': {
    operationId: 'listNotificationRules',
    method: 'GET',
    path: '/workspaces/{id}/notification-rules',
    summary: 'List notification rules.',
    description:
      'Lists the rules of a workspace, oldest first. Notification settings of integrations (`config.notify_on`) are not in this list; read the integration.',
    access: inWorkspace(from.path, 'view', 'notifications:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(NotificationRule),
    status: 200,
    write: false,
  },
  'notificationRules.create': {
    operationId: 'createNotificationRule',
    method: 'POST',
    path: '/workspaces/{id}/notification-rules',
    summary: 'Create a notification rule.',
    description:
      'Creates a rule. Later matches are sent to its destinations. Every message is stored first and retried if it fails.',
    errors: {
      not_found:
        'A destination names an integration, or `template_id` a template, that the workspace does not have.',
      unprocessable_entity:
        'A destination names an integration that cannot receive messages, or a member who has not accepted the invitation yet; or the workspace has 10,000 rules.',
    },
    access: inWorkspace(from.path, 'edit_automations', 'notifications:write'),
    params: workspaceParams,
    body: NotificationRuleCreate,
    response: NotificationRule,
    status: 201,
    write: true,
  },
  'notificationRules.get': {
    operationId: 'getNotificationRule',
    method: 'GET',
    path: '/workspaces/{id}/notification-rules/{ruleId}',
    summary: 'Read a notification rule.',
    description: 'Returns one rule with all its settings.',
    access: inWorkspace(from.path, 'view', 'notifications:read'),
    params: ruleParams,
    response: NotificationRule,
    status: 200,
    write: false,
  },
  'notificationRules.update': {
    operationId: 'updateNotificationRule',
    method: 'PATCH',
    path: '/workspaces/{id}/notification-rules/{ruleId}',
    summary: 'Update a notification rule.',
    description:
      'Changes the rule for later matches. Waiting messages are not sent if the rule is disabled when their time comes.',
    errors: {
      not_found:
        'A destination names an integration, or `template_id` a template, that the workspace does not have.',
      unprocessable_entity:
        'A destination names an integration that cannot receive messages, or a member who has not accepted the invitation yet.',
    },
    access: inWorkspace(from.path, 'edit_automations', 'notifications:write'),
    params: ruleParams,
    body: NotificationRuleUpdate,
    response: NotificationRule,
    status: 200,
    write: true,
  },
  'notificationRules.delete': {
    operationId: 'deleteNotificationRule',
    method: 'DELETE',
    path: '/workspaces/{id}/notification-rules/{ruleId}',
    summary: 'Delete a notification rule.',
    description: 'Waiting messages are not sent. The log keeps the messages that were sent.',
    access: inWorkspace(from.path, 'edit_automations', 'notifications:write'),
    params: ruleParams,
    status: 204,
    write: true,
  },
  'notificationRules.test': {
    operationId: 'testNotificationRule',
    method: 'POST',
    path: '/workspaces/{id}/notification-rules/{ruleId}/test',
    summary: 'Try a notification rule.',
    description:
      'Shows whether the rule matches an event, which part does not match, and the text, destinations and time of its messages. Nothing is sent. `changes` are tried without being saved.',
    errors: {
      not_found:
        '`event_id` or `changes` names an event, an integration or a template that this workspace does not have.',
      unprocessable_entity:
        'No event is given and the workspace has none, or `changes` name a destination that cannot be notified.',
    },
    access: {
      ...inWorkspace(from.path, 'edit_automations', 'notifications:write'),
      also: READS_EVENT_UNLESS_SUPPLIED,
    },
    params: ruleParams,
    body: RuleTest,
    response: RuleTestResult,
    status: 200,
    write: true,
  },
  'notificationRules.log': {
    operationId: 'listNotificationLog',
    method: 'GET',
    path: '/workspaces/{id}/notification-log',
    summary: 'Read the notification log.',
    description:
      'Lists every message that rules and integrations have asked for, newest first, with its destination, its status, and the reason if it was not sent.',
    access: inWorkspace(from.path, 'view', 'notifications:read'),
    params: workspaceParams,
    query: z.object(logQuery),
    response: page(LoggedMessage),
    status: 200,
    write: false,
  },

  'notifications.list': {
    operationId: 'listNotifications',
    method: 'GET',
    path: '/me/notifications',
    summary: 'List your notifications.',
    description:
      'Lists the in-app notifications of the calling user in every workspace that the key sees, newest first.',
    errors: { not_found: 'The key sees no workspace with the given `workspace_id`.' },
    access: { kind: 'user', scope: 'notifications:read' },
    query: z.object(notificationQuery),
    response: page(Notification),
    status: 200,
    write: false,
  },
  'notifications.unread': {
    operationId: 'countUnreadNotifications',
    method: 'GET',
    path: '/me/notifications/unread',
    summary: 'Count your unread notifications.',
    description: 'Returns the number of unread in-app notifications, and whether this server sends email.',
    access: { kind: 'user', scope: 'notifications:read' },
    response: UnreadNotifications,
    status: 200,
    write: false,
  },
  'notifications.stream': {
    operationId: 'streamNotifications',
    method: 'GET',
    path: '/me/notifications/stream',
    summary: 'Follow your notifications.',
    description:
      'Streams the in-app notifications of the calling user as server-sent events. The first message has the number of unread notifications; another message follows whenever a notification arrives or is read elsewhere. `id` is the ID of the notification, `event` is `notification`, `data` is the change as JSON. Without `since`, the stream begins now. A client that reconnects with `Last-Event-ID` misses nothing. A comment every 10 seconds keeps the connection open. A client that reads nothing for 15 seconds is disconnected.',
    errors: { not_found: 'The key sees no workspace with the given `workspace_id`.' },
    access: { kind: 'user', scope: 'notifications:read' },
    query: z.object(inboxStreamQuery),
    response: InboxChange,
    status: 200,
    write: false,
    special: 'event-stream',
  },
  'notifications.update': {
    operationId: 'updateNotification',
    method: 'PATCH',
    path: '/me/notifications/{notificationId}',
    summary: 'Mark a notification.',
    description: 'Marks one of your in-app notifications as read, or as unread again.',
    access: { kind: 'user', scope: 'notifications:write' },
    params: notificationParams,
    body: NotificationUpdate,
    response: Notification,
    status: 200,
    write: true,
  },
  'notifications.readAll': {
    operationId: 'readAllNotifications',
    method: 'POST',
    path: '/me/notifications/read-all',
    summary: 'Mark all your notifications as read.',
    description:
      'Marks every in-app notification as read, or those of one workspace. The first 500 are marked at once, the rest within seconds. Returns the number of notifications that are still unread.',
    errors: { not_found: 'The key sees no workspace with the given `workspace_id`.' },
    access: { kind: 'user', scope: 'notifications:write' },
    body: NotificationsReadAll,
    response: UnreadNotifications,
    status: 200,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
