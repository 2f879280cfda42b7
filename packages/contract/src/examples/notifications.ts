import { type ExamplesFor, lastPage } from './example.ts';
import { ids } from './ids.ts';

const body = {
  text: '{{ event.summary.actor.name }} {{ event.summary.action }} {{ event.summary.subject.name }}',
  markdown:
    '**{{ event.summary.subject.name }}** was {{ event.summary.action }} by {{ event.summary.actor.name }}',
};

const forms = { markdown: null, html: null, slack_blocks: null, discord_embeds: null, adaptive_card: null };

const template = {
  id: ids.template,
  workspace_id: ids.workspace,
  name: 'Pull requests',
  version: 1,
  subject: '{{ event.summary.subject.name }}',
  body: { ...forms, ...body },
  sample_event_type: 'pull_request',
  created_at: '2026-10-05T09:41:17.402Z',
  updated_at: '2026-10-05T09:41:17.402Z',
};

const rendered = {
  ...forms,
  subject: 'Add a login page',
  text: 'li opened Add a login page',
  markdown: '**Add a login page** was opened by li',
  problems: [],
};

const settings = {
  name: 'Critical alerts',
  notify_on: ['event.created' as const],
  filters: { severity: ['critical' as const, 'high' as const] },
  destinations: [
    { kind: 'integration' as const, integration_id: ids.alerts, channel: '#ops' },
    { kind: 'email' as const, roles: ['owner' as const, 'admin' as const] },
    { kind: 'in_app' as const, user_ids: [ids.ana] },
  ],
  quiet_hours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' },
  dedupe: { key: '{{ event.type }}:{{ event.summary.subject.id }}', window_seconds: 300 },
};

const rule = {
  id: ids.rule,
  workspace_id: ids.workspace,
  enabled: true,
  types: null,
  sources: null,
  integration_ids: null,
  template_id: null,
  conditions: null,
  critical: false,
  digest: null,
  ...settings,
  created_by: ids.ana,
  created_at: '2026-10-05T09:44:02.120Z',
  updated_at: '2026-10-05T09:44:02.120Z',
};

const message = {
  id: ids.message,
  rule_id: ids.rule,
  integration_id: null,
  trigger: 'event.created' as const,
  event_id: ids.alert,
  kind: 'integration' as const,
  to: '#ops',
  subject: 'Disk is full on db-1',
  status: 'sent' as const,
  reason: null,
  attempts: 1,
  next_attempt_at: null,
  created_at: '2026-11-02T10:32:40.114Z',
  completed_at: '2026-11-02T10:32:40.603Z',
};

const notification = {
  id: ids.notification,
  workspace_id: ids.workspace,
  rule_id: ids.rule,
  trigger: 'event.created' as const,
  event_id: ids.alert,
  resource_id: null,
  title: 'Disk is full on db-1',
  text: 'Disk is full on db-1',
  severity: 'critical' as const,
  read_at: null,
  created_at: '2026-11-02T10:32:40.114Z',
};

const noEvent = {
  message: 'event_id is required: the workspace has no event yet; give one as event.',
  details: [{ field: 'event_id', issue: 'is required: the workspace has no event yet; give one as event' }],
};
const unknownEvent = {
  message: 'No such event. Check the ID (evt_ and 26 characters) and the workspace.',
  details: [{ field: 'event_id', issue: 'names no such event' }],
};
const unknownWorkspace = {
  message:
    'No such workspace. Check the ID (ws_ and 26 characters, not the slug), and that your user or API key belongs to it.',
  details: [{ field: 'workspace_id', issue: 'names no such workspace' }],
};
const notMember = {
  message: 'destinations[0].user_ids[0] names a member who has not accepted the invitation yet.',
  details: [
    {
      field: 'destinations[0].user_ids[0]',
      issue: 'names a member who has not accepted the invitation yet',
    },
  ],
};
const unknownIntegration = {
  message: 'No such integration. Check the ID (int_ and 26 characters) and the workspace.',
  details: [{ field: 'destinations[0].integration_id', issue: 'names no such integration' }],
};
const destinationErrors = { not_found: unknownIntegration, unprocessable_entity: notMember };

export const notificationExamples = {
  'notificationTemplates.list': { response: { data: [template], pagination: lastPage } },
  'notificationTemplates.create': {
    body: { name: 'Pull requests', subject: template.subject, body, sample_event_type: 'pull_request' },
    response: template,
  },
  'notificationTemplates.get': { response: template },
  'notificationTemplates.update': {
    body: { name: 'Pull requests of the web team' },
    response: {
      ...template,
      name: 'Pull requests of the web team',
      version: 2,
      updated_at: '2026-10-06T07:12:33.871Z',
    },
  },
  'notificationTemplates.delete': {
    errors: {
      conflict: {
        message: 'A notification rule uses this template. Give the rule another one first.',
        details: [{ field: 'templateId', issue: 'is the template of the rule Critical alerts' }],
      },
    },
  },
  'notificationTemplates.preview': {
    body: { event_id: ids.pullRequest },
    response: rendered,
    errors: { not_found: unknownEvent, unprocessable_entity: noEvent },
  },
  'notificationRules.list': { response: { data: [rule], pagination: lastPage } },
  'notificationRules.create': { body: settings, response: rule, errors: destinationErrors },
  'notificationRules.get': { response: rule },
  'notificationRules.update': {
    body: { digest: { window_seconds: 300, key: '{{ event.source }}' } },
    response: {
      ...rule,
      digest: { window_seconds: 300, key: '{{ event.source }}', max_items: 50 },
      updated_at: '2026-10-06T07:15:10.204Z',
    },
    errors: destinationErrors,
  },
  'notificationRules.delete': {},
  'notificationRules.test': {
    body: { event_id: ids.pullRequest },
    response: {
      event_id: ids.pullRequest,
      matched: false,
      refused_by: 'filters',
      conditions: null,
      rendered: { ...rendered, markdown: null },
      destinations: [
        { kind: 'integration', to: '#ops', problem: null },
        { kind: 'email', to: 'ana@example.com', problem: 'this server sends no email' },
        { kind: 'in_app', to: 'ana@example.com', problem: null },
      ],
      send_at: null,
      dedupe_key: 'pull_request:2094815162',
    },
    errors: { not_found: unknownEvent, unprocessable_entity: noEvent },
  },
  'notificationRules.log': {
    response: {
      data: [
        message,
        {
          ...message,
          kind: 'email',
          to: 'ana@example.com',
          status: 'suppressed',
          reason: 'unsubscribed',
          attempts: 0,
        },
      ],
      pagination: lastPage,
    },
  },
  'notifications.list': {
    response: { data: [notification], pagination: lastPage },
    errors: { not_found: unknownWorkspace },
  },
  'notifications.unread': { response: { unread: 1, email: true } },
  'notifications.stream': {
    response: { notification, unread: 1 },
    errors: { not_found: unknownWorkspace },
  },
  'notifications.update': {
    body: { read: true },
    response: { ...notification, read_at: '2026-11-02T10:40:00.000Z' },
  },
  'notifications.readAll': {
    body: {},
    response: { unread: 0, email: true },
    errors: { not_found: unknownWorkspace },
  },
} satisfies ExamplesFor<'notificationTemplates'> &
  ExamplesFor<'notificationRules'> &
  ExamplesFor<'notifications'>;
