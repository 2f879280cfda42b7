import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { COMMON_TRIGGERS, NAMED_TRIGGERS, TRIGGERS } from '../../constants/statuses.ts';
import { displayName, text, timestamp } from '../../text.ts';
import { overlapSeconds } from '../api-keys.ts';
import { allOf, disabledReason, id, integer, list, trigger } from '../common.ts';
import { Conditions, ConditionVerdict } from '../automations/conditions.ts';
import { LastAttempt } from './deliveries.ts';
import { EventPublish } from '../events.ts';

const subscription = z
  .enum(['*', ...TRIGGERS], {
    error: `must be one of *, ${TRIGGERS.join(', ')}; to narrow by event type, use filters.event_types`,
  })
  .meta({
    id: 'Subscription',
    description: `A trigger, or \`*\` for ${allOf(COMMON_TRIGGERS)}. The others must be named.`,
  });
const DAY_MS = 24 * 60 * 60_000;
const PER_SECOND_RULE = `must be an integer from 1 to ${LIMITS.webhookRateMax}; for no limit, rate_limit: null`;
const RATE_RULE = `must be an object such as {"per_second": 10}, from 1 to ${LIMITS.webhookRateMax}; for no limit, null`;
const names = list(text(1, 200), {
  min: 1,
  rule: 'must not be empty; leave it out for everything',
  max: LIMITS.filterMax,
});

/** Narrows a subscription by event type, source and resource ID. Specification, "Trigger and subscription names" 12. */
export const WebhookFilters = z
  .strictObject({
    event_types: names.optional().describe('Event types, such as `pull_request`.'),
    sources: names.optional().describe('Sources of events, such as `github`.'),
    resource_ids: names
      .optional()
      .describe('Integration IDs, or IDs of the subject or container in the provider.'),
    conditions: Conditions.optional().describe('Conditions on the content of the event.'),
  })
  .describe('Narrows a subscription. Every given filter must match.')
  .meta({ id: 'WebhookFilters' });

/** The maximum rate at which a webhook is called. Deliveries beyond it wait; waiting does not count as an attempt. */
const RateLimit = z
  .strictObject(
    {
      per_second: integer(1, LIMITS.webhookRateMax, PER_SECOND_RULE).describe(
        `Calls per second, from 1 to ${LIMITS.webhookRateMax}.`,
      ),
    },
    RATE_RULE,
  )
  .describe('Maximum rate of calls. Faster deliveries wait; waiting does not count as an attempt.')
  .meta({ id: 'WebhookRateLimit' });

/** Specification, "Webhook". */
export const Webhook = z
  .object({
    id: z.string().describe('`whk_` and 26 characters.'),
    name: z.string().nullable().describe('Display name; `null` for none.'),
    url: z.string().describe('HTTPS target.'),
    events: z
      .array(subscription)
      .describe('Triggers that it subscribes to; `*` is all except those that must be named.'),
    filters: WebhookFilters.nullable().describe('Filters of the subscription; `null` for none.'),
    workspace_id: z.string().describe('Owning workspace.'),
    status: z.enum(['active', 'disabled']).describe('A disabled webhook keeps its deliveries as `held`.'),
    disabled_reason: disabledReason
      .nullable()
      .describe(
        `Cause of the disabled state: by hand, every attempt failed for ${LIMITS.failingMaxMs / DAY_MS} days, it responded with 410, or its secret no longer decrypts; \`null\` while active.`,
      ),
    disabled_at: timestamp.nullable().describe('Time at which it was disabled; `null` while active.'),
    failing_since: timestamp.nullable().describe('First failure since the last success; `null` without one.'),
    last_failed_attempt: LastAttempt.nullable().describe('Last failed attempt; `null` for none.'),
    rate_limit: RateLimit.nullable().describe('Maximum rate of calls; `null` for no limit.'),
    description: z.string().nullable().describe('Purpose of the webhook.'),
    created_at: timestamp.describe('Creation time.'),
    updated_at: timestamp.describe('Time of the last change.'),
  })
  .describe('An HTTPS URL that receives signed calls.')
  .meta({ id: 'Webhook' });

// The server refuses a secret that @hubline/webhooks would refuse in a receiver: it must be a copy-and-paste accident.
const secret = text(1, LIMITS.secretMax)
  .refine((value) => value.trim() === value, 'must not begin or end with white space')
  .refine((value) => !/^(['"]).*\1$/s.test(value), 'must not be wrapped in quotes')
  .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters');

const url = text(1, LIMITS.urlMax);
const events = list(subscription, {
  min: 1,
  rule: 'must name at least one trigger, or "*" for all',
  max: TRIGGERS.length + 1,
}).overwrite((wanted) => {
  const each = [...new Set(wanted)];
  return each.includes('*') ? each.filter((name) => name === '*' || isNamed(name)) : each;
});
const NAMED: ReadonlySet<string> = new Set(NAMED_TRIGGERS);
const isNamed = (name: string) => NAMED.has(name);
const description = text(0, 500).nullable();
const name = displayName.nullable();

/** Body of `POST /webhooks`. */
export const WebhookCreate = z
  .strictObject({
    url: url.describe('HTTPS target, reachable from the internet.'),
    events: events.describe(
      'Trigger names to subscribe to; `["*"]` for all except those that must be named.',
    ),
    workspace_id: id('workspace').describe('Owning workspace.'),
    secret: secret.describe(`Signing secret, 1 to ${LIMITS.secretMax} characters. Never returned.`),
    filters: WebhookFilters.nullable().optional().describe('Filters of the subscription.'),
    rate_limit: RateLimit.nullable().optional().describe('Maximum rate of calls. Default: no limit.'),
    name: name.optional().describe('Display name, at most 100 characters.'),
    description: description.optional().describe('Purpose of the webhook, at most 500 characters.'),
  })
  .describe('A webhook to register.')
  .meta({ id: 'WebhookCreate' });

/** Body of `PATCH /webhooks/{webhookId}`. */
export const WebhookUpdate = z
  .strictObject({
    url: url.optional().describe('New target.'),
    events: events.optional().describe('New subscription.'),
    filters: WebhookFilters.nullable().optional().describe('New filters; `null` removes them.'),
    rate_limit: RateLimit.nullable().optional().describe('New rate limit; `null` removes it.'),
    name: name.optional().describe('New name; `null` removes it.'),
    description: description.optional().describe('New description.'),
    status: z.enum(['active', 'disabled']).optional().describe('`active` also sends held deliveries.'),
  })
  .describe('Changes to a webhook.')
  .meta({ id: 'WebhookUpdate' });

/** Body of `POST /webhooks/{webhookId}/rotate-secret`. */
export const WebhookRotateSecret = z
  .strictObject({
    secret: secret.optional().describe('New signing secret. Default: one is generated.'),
    overlap_seconds: overlapSeconds.describe(
      'Seconds for which `webhook-signature` also has a signature with the old secret, at most 7 days. Default 0.',
    ),
  })
  .describe('A secret rotation.')
  .meta({ id: 'WebhookRotateSecret' });

/** Response of `POST /webhooks/{webhookId}/rotate-secret`. */
export const WebhookRotatedSecret = z
  .object({
    id: z.string().describe('`whk_` and 26 characters.'),
    secret: z.string().optional().describe('Generated secret, if the request had none. Shown once.'),
    previous_valid_until: timestamp
      .nullable()
      .describe(
        'End of the overlap, during which `webhook-signature` also has a signature with the old secret; `null` for no overlap.',
      ),
  })
  .describe('A rotated signing secret.')
  .meta({ id: 'WebhookRotatedSecret' });

/** Body of `POST /webhooks/{webhookId}/test`. */
export const WebhookTest = z
  .strictObject({
    event_type: trigger
      .default('event.created')
      .describe('Trigger to simulate; it becomes the `event_type` of the delivery. Default `event.created`.'),
    event: EventPublish.omit({ occurred_at: true })
      .describe(
        'Event to send instead of sample data, such as a stored one that you edited. It is not stored, and filters do not apply.',
      )
      .meta({ id: 'WebhookTestEvent' })
      .optional(),
  })
  .describe('A test call.')
  .meta({ id: 'WebhookTest' });

/** Body of `POST /webhooks/{webhookId}/test-filters`. */
export const WebhookFilterTest = z
  .strictObject({
    filters: WebhookFilters.nullable()
      .optional()
      .describe('Filters to try. Default: those of the webhook; `null` for none.'),
    event_ids: list(id('event'), { min: 1, rule: 'must name at least one event', max: LIMITS.pageDefault })
      .optional()
      .describe('Events to try them on. Default: the newest 20 of the workspace.'),
  })
  .describe('A dry run of filters on past events.')
  .meta({ id: 'WebhookFilterTest' });

/** The verdict of filters on one event. */
export const WebhookFilterVerdict = z
  .object({
    event_id: z.string().describe('`evt_` and 26 characters.'),
    type: z.string().describe('Type of the event.'),
    source: z.string().describe('Source of the event.'),
    created_at: timestamp.describe('Time at which the service received the event.'),
    matched: z.boolean().describe('True if the webhook would get a delivery.'),
    refused_by: z
      .enum(['events', 'event_types', 'sources', 'resource_ids', 'conditions'])
      .meta({ id: 'FilterName', description: 'A part of a subscription.' })
      .nullable()
      .describe('The first part of the subscription that does not match; `null` if all do.'),
    conditions: z
      .array(ConditionVerdict)
      .nullable()
      .describe('Every comparison of the conditions; `null` without conditions.'),
  })
  .describe('The verdict of filters on one event.')
  .meta({ id: 'WebhookFilterVerdict' });

/** Response of `POST /webhooks/{webhookId}/test-filters`. */
export const WebhookFilterTestResult = z
  .object({ data: z.array(WebhookFilterVerdict).describe('The verdicts, newest event first.') })
  .describe('The result of a dry run of filters.')
  .meta({ id: 'WebhookFilterTestResult' });
