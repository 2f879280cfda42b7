import { z } from 'zod';
import { type Trigger, TRIGGERS } from '../../constants/statuses.ts';
import { timestamp } from '../../text.ts';
import { disabledReason, jsonObject, notificationTrigger, role, severity } from '../common.ts';
import { EventSummary } from '../events.ts';

const integrationType = z.string().describe('Provider key, such as `github`.');

/** The fields of an envelope that depend on its trigger. Specification, "Delivery" 6 and "Webhook delivery envelope". */
const DATA = {
  'event.created': z
    .object({
      integration_id: z
        .string()
        .nullable()
        .describe('The integration that the event came through; `null` if it was published through the API.'),
      integration_type: z.string().describe('Provider key of that integration; `api` for a published event.'),
      event_source: z.string().describe("Name of the event's producer."),
      event_id: z.string().describe('The event: `evt_` and 26 characters.'),
      event_type: z
        .string()
        .describe('Type of the event, such as `pull_request`. The `type` of the envelope is the trigger.'),
      summary: EventSummary.describe('The normalized view of the payload.'),
      payload: jsonObject.describe('Data of the provider, unchanged.'),
    })
    .describe('A new event.')
    .meta({ id: 'EventCreatedData' }),
  'automation.completed': z
    .object({
      automation_id: z.string().describe('The automation: `aut_` and 26 characters.'),
      automation_name: z.string().describe('Name of the automation when it ran.'),
      run_id: z.string().describe('The run: `run_` and 26 characters.'),
      status: z.enum(['succeeded', 'failed', 'skipped', 'cancelled']).describe('Final status of the run.'),
      event_id: z.string().nullable().describe('The event that started the run; `null` for none.'),
    })
    .describe('A finished run of an automation.')
    .meta({ id: 'AutomationCompletedData' }),
  'integration.connected': z
    .object({
      integration_id: z.string().describe('The integration: `int_` and 26 characters.'),
      integration_type: integrationType,
      integration_name: z.string().nullable().describe('Its name; `null` without one.'),
    })
    .describe('A newly connected integration.')
    .meta({ id: 'IntegrationConnectedData' }),
  'user.invited': z
    .object({
      user_id: z.string().describe('The invited user: `usr_` and 26 characters.'),
      email: z.string().describe('Email address of the invitation.'),
      role: role.describe('The role on joining.'),
    })
    .describe('A newly invited user.')
    .meta({ id: 'UserInvitedData' }),
  'webhook.failing': z
    .object({
      webhook_id: z.string().describe('The webhook: `whk_` and 26 characters.'),
      webhook_name: z.string().nullable().describe('Its name; `null` without one.'),
      webhook_host: z.string().describe('Host of its URL.'),
      failing_since: timestamp.nullable().describe('First failure since the last success.'),
    })
    .describe('A webhook that fails at every attempt.')
    .meta({ id: 'WebhookFailingData' }),
  'webhook.disabled': z
    .object({
      webhook_id: z.string().describe('The webhook: `whk_` and 26 characters.'),
      webhook_name: z.string().nullable().describe('Its name; `null` without one.'),
      webhook_host: z.string().describe('Host of its URL.'),
      failing_since: timestamp
        .nullable()
        .describe('First failure since the last success; `null` without one.'),
      reason: disabledReason.describe('Reason why it was disabled.'),
      message: z.string().describe('The reason in words.'),
    })
    .describe('A webhook that Hubline has disabled.')
    .meta({ id: 'WebhookDisabledData' }),
  'integration.error': z
    .object({
      integration_id: z.string().describe('The integration: `int_` and 26 characters.'),
      integration_type: integrationType,
      integration_name: z.string().nullable().describe('Its name; `null` without one.'),
      code: z.string().describe('Code of the problem, such as `credentials_refused`.'),
      message: z.string().describe('The problem in words, and its cure.'),
    })
    .describe('An integration that has a problem.')
    .meta({ id: 'IntegrationErrorData' }),
  'automation.disabled': z
    .object({
      automation_id: z.string().describe('The automation: `aut_` and 26 characters.'),
      automation_name: z.string().describe('Its name.'),
      user_id: z
        .string()
        .describe(
          'The user who was responsible for its calls and may no longer edit automations: `usr_` and 26 characters.',
        ),
      message: z.string().describe('The reason in words, and the cure.'),
    })
    .describe('An automation that Hubline has disabled.')
    .meta({ id: 'AutomationDisabledData' }),
  'notification.sent': z
    .object({
      rule_id: z.string().describe('The rule: `nrl_` and 26 characters.'),
      rule_name: z.string().describe('Its name.'),
      trigger: notificationTrigger.describe('Trigger of the message.'),
      event_id: z.string().nullable().describe('The event; `null` without one.'),
      title: z.string().describe('One line.'),
      text: z.string().describe('The text.'),
      severity: severity.describe('Urgency.'),
    })
    .describe('A message of a rule that has the webhook as a destination.')
    .meta({ id: 'NotificationSentData' }),
} satisfies Record<Trigger, z.ZodObject>;

/** Specification, "Webhook delivery envelope". */
const envelope = <Name extends Trigger, Data extends z.ZodObject>(type: Name, data: Data) =>
  z
    .object({
      id: z.string().describe('ID of the delivery, the same on every attempt. Use it to deduplicate.'),
      type: z.literal(type).describe('Trigger of the delivery.'),
      created_at: timestamp.describe('Time of the event.'),
      workspace_id: z.string().describe('Workspace of the event.'),
      data: data.describe('Details of the event.'),
      event: z
        .object({
          id: z.string().nullable().describe('The stored event; `null` if there is none.'),
          timestamp: timestamp.describe('Time of the event.'),
        })
        .describe('The event behind the delivery.'),
    })
    .describe(`The body of a webhook call for \`${type}\`.`)
    .meta({ id: `${pascalCase(type)}Envelope` });

const pascalCase = (name: string) =>
  name.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The envelope of each trigger. */
export const envelopes = Object.fromEntries(TRIGGERS.map((name) => [name, envelope(name, DATA[name])])) as {
  readonly [Name in Trigger]: ReturnType<typeof envelope<Name, (typeof DATA)[Name]>>;
};

/** The body of a webhook call for one trigger. */
export type EnvelopeOf<Name extends Trigger> = z.output<(typeof envelopes)[Name]>;

/** The body of a webhook call. `type` identifies its form. */
export const Envelope = z
  .discriminatedUnion('type', TRIGGERS.map((name) => envelopes[name]) as [(typeof envelopes)[Trigger]])
  .describe('The body of a webhook call. `type` identifies it; a newer server may send other types.')
  .meta({ id: 'Envelope' });
