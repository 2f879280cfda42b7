import type {
  LoggedMessage,
  Notification,
  NotificationRule,
  NotificationTemplate,
  RenderedTemplate,
  RuleTestResult,
  UnreadNotifications,
} from '@hubline/contract/types';
import type { Applied } from '../client/apply-by-name.ts';
import { view } from '../spec/view.ts';

/** The fields of a rule, without those that belong to one workspace or one moment. */
const exportedRuleFields = [
  'name',
  'enabled',
  'notify_on',
  'types',
  'sources',
  'integration_ids',
  'filters',
  'conditions',
  'destinations',
  'template_id',
  'critical',
  'digest',
  'quiet_hours',
  'dedupe',
] as const;

export const ruleView = view<NotificationRule>()({
  noun: ['rule', 'rules'],
  fields: ['id', ...exportedRuleFields, 'workspace_id', 'created_by', 'created_at', 'updated_at'],
  columns: ['id', { path: 'name', flexible: true }, 'enabled', { path: 'notify_on', flexible: true }],
  id: 'id',
});

type ExportedRule = Pick<NotificationRule, (typeof exportedRuleFields)[number]>;

export const exportedRuleView = view<ExportedRule>()({
  noun: ['rule', 'rules'],
  fields: exportedRuleFields,
  columns: ['name', 'enabled'],
  id: 'name',
});

/** A template without the parts that belong to one workspace or one moment. */
type ExportedTemplate = Pick<NotificationTemplate, 'name' | 'subject' | 'body' | 'sample_event_type'>;

export const exportedTemplateView = view<ExportedTemplate>()({
  noun: ['template', 'templates'],
  fields: ['name', 'subject', 'body', 'sample_event_type'],
  columns: ['name', 'subject'],
  id: 'name',
});

export const ruleTestView = view<RuleTestResult>()({
  noun: ['dry run', 'dry runs'],
  fields: [
    'event_id',
    'matched',
    'refused_by',
    'conditions',
    'rendered',
    'destinations',
    'send_at',
    'dedupe_key',
  ],
  columns: ['event_id', 'matched', 'refused_by', 'send_at'],
  id: 'event_id',
});

export const messageView = view<LoggedMessage>()({
  noun: ['message', 'messages'],
  fields: [
    'id',
    'rule_id',
    'integration_id',
    'trigger',
    'event_id',
    'kind',
    'to',
    'subject',
    'status',
    'reason',
    'attempts',
    'next_attempt_at',
    'created_at',
    'completed_at',
  ],
  columns: [
    'id',
    { path: 'rule_id', header: 'RULE', optional: true },
    'kind',
    { path: 'to', flexible: true },
    { path: 'subject', flexible: true },
    'status',
    { path: 'reason', flexible: true },
    { path: 'created_at', optional: true },
  ],
  id: 'id',
});

export const templateView = view<NotificationTemplate>()({
  noun: ['template', 'templates'],
  fields: [
    'id',
    'name',
    'version',
    'subject',
    'body',
    'sample_event_type',
    'workspace_id',
    'created_at',
    'updated_at',
  ],
  columns: ['id', { path: 'name', flexible: true }, 'version', { path: 'updated_at', optional: true }],
  id: 'id',
});

export const renderedView = view<RenderedTemplate>()({
  noun: ['preview', 'previews'],
  fields: [
    'subject',
    'text',
    'markdown',
    'html',
    'slack_blocks',
    'discord_embeds',
    'adaptive_card',
    'problems',
  ],
  columns: [
    { path: 'subject', flexible: true },
    { path: 'text', flexible: true },
  ],
  id: 'subject',
});

export const notificationView = view<Notification>()({
  noun: ['notification', 'notifications'],
  fields: [
    'id',
    'workspace_id',
    'rule_id',
    'trigger',
    'event_id',
    'resource_id',
    'title',
    'text',
    'severity',
    'read_at',
    'created_at',
  ],
  columns: [
    'id',
    { path: 'title', flexible: true },
    'severity',
    'read_at',
    { path: 'created_at', optional: true },
  ],
  id: 'id',
});

export const unreadView = view<UnreadNotifications>()({
  noun: ['count', 'counts'],
  fields: ['unread', 'email'],
  columns: ['unread', 'email'],
  id: 'unread',
});

export const appliedView = view<Applied>()({
  noun: ['change', 'changes'],
  fields: ['document', 'line', 'id', 'name', 'change'],
  columns: ['id', { path: 'name', flexible: true }, 'change'],
  id: 'id',
});
