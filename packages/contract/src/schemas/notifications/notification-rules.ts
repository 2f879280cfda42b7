import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { ROLES } from '../../constants/roles.ts';
import { NOTIFICATION_TRIGGERS, SEVERITIES } from '../../constants/statuses.ts';
import { displayName, text, timestamp } from '../../text.ts';
import { evenIfWrong, id, integer, list, notificationTrigger, role } from '../common.ts';
import { Conditions, ConditionVerdict } from '../automations/conditions.ts';
import { RenderedTemplate, sampleEvent } from './notification-templates.ts';

const names = list(text(1, 100), {
  min: 1,
  rule: 'must not be empty; leave it out for everything',
  max: LIMITS.filterMax,
});
const roles = list(role, { min: 1, rule: 'must name at least one role', max: ROLES.length });
const users = list(id('user'), { min: 1, rule: 'must name at least one user', max: LIMITS.filterMax });
const PEOPLE_RULE = 'must name roles, user_ids or both';
const people = {
  roles: roles.optional().describe('Members with one of these roles.'),
  user_ids: users.optional().describe('These members.'),
};
const hasPeople = ({ roles: byRole, user_ids: byId }: { roles?: unknown; user_ids?: unknown }) =>
  byRole !== undefined || byId !== undefined;

const Destination = z
  .discriminatedUnion(
    'kind',
    [
      z
        .strictObject({
          kind: z.literal('integration').describe('A message through a connected tool.'),
          integration_id: id('integration').describe('A connected tool that takes messages.'),
          channel: text(1, 200).optional().describe('Channel. Default: the one of the integration.'),
        })
        .meta({ id: 'IntegrationDestination', description: 'A message through a connected tool.' }),
      z
        .strictObject({
          kind: z.literal('webhook').describe('A delivery of `notification.sent` to a webhook.'),
          webhook_id: id('webhook').describe('A webhook of the workspace, whatever it subscribes to.'),
        })
        .meta({
          id: 'WebhookDestination',
          description: 'A delivery of `notification.sent` to a webhook: signed and retried like every other.',
        }),
      z
        .strictObject({ kind: z.literal('email').describe('An email to each member.'), ...people })
        .refine(hasPeople, { error: PEOPLE_RULE, ...evenIfWrong })
        .meta({ id: 'EmailDestination', description: 'An email to each selected member.' }),
      z
        .strictObject({ kind: z.literal('in_app').describe('A notification in the dashboard.'), ...people })
        .refine(hasPeople, { error: PEOPLE_RULE, ...evenIfWrong })
        .meta({
          id: 'InAppDestination',
          description: 'A notification in the dashboard for each selected member.',
        }),
    ],
    { error: 'must have the kind integration, webhook, email or in_app' },
  )
  .meta({ id: 'Destination', description: 'A place that notifications go to.' });

/** A place that notifications go to. */
export type Destination = z.output<typeof Destination>;

/** The kinds of destinations. */
export const destinationKind = z
  .enum(['integration', 'webhook', 'email', 'in_app'])
  .meta({ id: 'DestinationKind', description: 'Kind of a destination.' });

const seconds = (min: number) => integer(min, LIMITS.windowMaxSeconds);
const key = text(1, 1_000);
const TIME_RULE = 'must be a time of day, such as 22:00';
const timeOfDay = z
  .string()
  .max(5, TIME_RULE)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME_RULE);

const Digest = z
  .strictObject({
    window_seconds: seconds(LIMITS.digestMinSeconds).describe(
      'Seconds for which notifications are collected, from the first one.',
    ),
    key: key
      .optional()
      .describe('Template; notifications with the same key are sent together. Default: all are.'),
    max_items: integer(1, LIMITS.digestItemsMax)
      .default(50)
      .describe('Number of items that are listed one by one; the others are counted. Default 50.'),
  })
  .describe('Collects notifications, and sends them together.')
  .meta({ id: 'NotificationDigest' });

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const QuietHours = z
  .strictObject({
    timezone: text(1, 100).describe('IANA time zone, such as `Europe/Berlin`.'),
    days: list(z.enum(DAYS), { min: 1, rule: 'must name at least one day', max: DAYS.length })
      .overwrite((days) => [...new Set(days)])
      .optional()
      .describe('Days on which the hours start. Default: every day.'),
    from: timeOfDay.describe('Start, in local time.'),
    to: timeOfDay.describe('End, in local time; before `from`, it is on the next day.'),
  })
  .refine(({ from, to }) => from === undefined || from !== to, {
    path: ['to'],
    error: 'must differ from quiet_hours.from',
    ...evenIfWrong,
  })
  .describe(
    'Hours in which nothing is sent; waiting messages are sent at their end. In-app notifications are sent at once.',
  )
  .meta({ id: 'QuietHours' });

const Dedupe = z
  .strictObject({
    key: key.describe('Template, such as `{{ event.type }}:{{ event.summary.subject.id }}`.'),
    window_seconds: seconds(1).describe('Seconds for which messages with the same key are dropped.'),
  })
  .describe('Drops messages that repeat a recent one.')
  .meta({ id: 'NotificationDedupe' });

const Filters = z
  .strictObject({
    severity: list(z.enum(SEVERITIES), {
      min: 1,
      rule: 'must name at least one severity',
      max: SEVERITIES.length,
    })
      .overwrite((wanted) => [...new Set(wanted)])
      .optional()
      .describe('Severities of events.'),
  })
  .describe('Filters of a rule.')
  .meta({ id: 'NotificationFilters' });

const settings = {
  enabled: z.boolean().optional().describe('False: nothing is sent. Default true.'),
  notify_on: list(notificationTrigger, {
    min: 1,
    rule: 'must name at least one trigger',
    max: NOTIFICATION_TRIGGERS.length,
  })
    .overwrite((wanted) => [...new Set(wanted)])
    .describe('Triggers to notify on.'),
  types: names.nullable().optional().describe('Event types, such as `pull_request`. Default: all.'),
  sources: names.nullable().optional().describe('Sources of events, such as `github`. Default: all.'),
  integration_ids: list(id('integration'), {
    min: 1,
    rule: 'must not be empty; leave it out for everything',
    max: LIMITS.filterMax,
  })
    .nullable()
    .optional()
    .describe('Integrations that events came through. Default: all.'),
  filters: Filters.nullable().optional().describe('Filters.'),
  conditions: Conditions.nullable()
    .optional()
    .describe('Conditions on the content of the event, or on `data` of other triggers.'),
  destinations: list(Destination, {
    min: 1,
    rule: 'must have at least one destination',
    max: LIMITS.destinationsMax,
  }).describe('Destinations of the messages.'),
  template_id: id('notificationTemplate')
    .nullable()
    .optional()
    .describe('Template of the text. Default: one line about the event.'),
  critical: z
    .boolean()
    .optional()
    .describe('True: sent at once, whatever `digest` and `quiet_hours` say. Default false.'),
  digest: Digest.nullable()
    .optional()
    .describe('Collects notifications. By default, each is sent separately.'),
  quiet_hours: QuietHours.nullable().optional().describe('Hours in which nothing is sent.'),
  dedupe: Dedupe.nullable().optional().describe('Drops messages that repeat a recent one.'),
};

/** A notification rule. */
export const NotificationRule = z
  .object({
    id: z.string().describe('`nrl_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    name: z.string().describe('Display name.'),
    enabled: z.boolean().describe('False: nothing is sent.'),
    notify_on: z.array(notificationTrigger).describe('Triggers.'),
    types: z.array(z.string()).nullable().describe('Types of events; `null` for all.'),
    sources: z.array(z.string()).nullable().describe('Sources of events; `null` for all.'),
    integration_ids: z.array(z.string()).nullable().describe('Integrations; `null` for all.'),
    filters: Filters.nullable().describe('Filters; `null` for none.'),
    conditions: Conditions.nullable().describe('Conditions; `null` for none.'),
    destinations: z.array(Destination).describe('Destinations of the messages.'),
    template_id: z.string().nullable().describe('Template of the text; `null` for the default.'),
    critical: z.boolean().describe('True: sent at once, whatever `digest` and `quiet_hours` say.'),
    digest: Digest.nullable().describe('Collects notifications; `null` if each is sent separately.'),
    quiet_hours: QuietHours.nullable().describe('Hours in which nothing is sent; `null` for none.'),
    dedupe: Dedupe.nullable().describe('Drops messages that repeat a recent one; `null` for none.'),
    created_by: z.string().nullable().describe('User who created the rule.'),
    created_at: timestamp.describe('Creation time.'),
    updated_at: timestamp.describe('Time of the last change.'),
  })
  .describe('A rule about who is notified of what, when and where.')
  .meta({ id: 'NotificationRule' });

/** Body of `POST /workspaces/{id}/notification-rules`. */
export const NotificationRuleCreate = z
  .strictObject({ name: displayName.describe('Display name, 1 to 100 characters.'), ...settings })
  .describe('A rule to create.')
  .meta({ id: 'NotificationRuleCreate' });

/** Body of `PATCH /workspaces/{id}/notification-rules/{ruleId}`. */
export const NotificationRuleUpdate = z
  .strictObject({
    ...settings,
    name: displayName.optional().describe('New name.'),
    notify_on: settings.notify_on.optional().describe('New triggers.'),
    destinations: settings.destinations.optional().describe('New destinations, all of them.'),
  })
  .describe('Changes to a rule; `null` removes a setting.')
  .meta({ id: 'NotificationRuleUpdate' });

/** Body of `POST /workspaces/{id}/notification-rules/{ruleId}/test`. */
export const RuleTest = z
  .strictObject({
    ...sampleEvent,
    changes: NotificationRuleUpdate.optional().describe(
      'Changes to try without saving them. They are checked as if they were saved.',
    ),
  })
  .describe(
    'A dry run of a rule on an event. Without an event, a rule that is only about other triggers is tried with sample `data`.',
  )
  .meta({ id: 'RuleTest' });

const PARTS = [
  'enabled',
  'notify_on',
  'types',
  'sources',
  'integration_ids',
  'filters',
  'conditions',
] as const;

/** Response of `POST /workspaces/{id}/notification-rules/{ruleId}/test`. */
export const RuleTestResult = z
  .object({
    event_id: z.string().nullable().describe('The event; `null` for a sample.'),
    matched: z.boolean().describe('True if the rule would notify.'),
    refused_by: z
      .enum(PARTS)
      .meta({ id: 'RulePart', description: 'A part of a rule.' })
      .nullable()
      .describe('The first part of the rule that does not match; `null` if all do.'),
    conditions: z
      .array(ConditionVerdict)
      .nullable()
      .describe('Every comparison of the conditions; `null` without conditions.'),
    rendered: RenderedTemplate.describe('The text, whether the rule matches or not.'),
    destinations: z
      .array(
        z.object({
          kind: destinationKind.describe('Kind of the destination.'),
          to: z.string().describe('Channel, host of the webhook, email address or user.'),
          problem: z
            .string()
            .nullable()
            .describe('Reason why nothing could be sent there; otherwise `null`.'),
        }),
      )
      .describe('The destinations it would be sent to.'),
    send_at: timestamp
      .nullable()
      .describe('Time at which it would be sent: after quiet hours, or with a digest; `null` for now.'),
    dedupe_key: z.string().nullable().describe('The rendered key; `null` without one.'),
  })
  .describe('The result of a dry run of a rule. Nothing was sent.')
  .meta({ id: 'RuleTestResult' });
