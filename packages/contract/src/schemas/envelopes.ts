import { z } from 'zod';
import type { Trigger } from '../statuses.ts';
import { timestamp } from '../text.ts';
import { jsonObject, role } from './common.ts';
import { EventSummary } from './events.ts';

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
      event_type: z.string().describe('Category of the event, such as `pull_request`.'),
      summary: EventSummary.describe('The normalized view of the payload.'),
      payload: jsonObject.describe('Data of the provider, unchanged.'),
    })
    .describe('A new event.')
    .meta({ id: 'EventCreatedData' }),
  'automation.completed': z
    .object({
      automation_id: z.string().describe('The automation: `aut_` and 26 characters.'),
      automation_name: z.string().describe('Its name when it ran.'),
      run_id: z.string().describe('The run: `run_` and 26 characters.'),
      status: z.enum(['succeeded', 'failed', 'skipped', 'cancelled']).describe('Final state of the run.'),
      event_id: z.string().nullable().describe('The event that started it; `null` if a person did.'),
    })
    .describe('A finished run of an automation.')
    .meta({ id: 'AutomationCompletedData' }),
  'integration.connected': z
    .object({
      integration_id: z.string().describe('The integration: `int_` and 26 characters.'),
      integration_type: integrationType,
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
} satisfies Record<Trigger, z.ZodObject>;

/** Specification, "Webhook delivery envelope". */
const envelope = <Name extends Trigger>(type: Name, id: string) =>
  z
    .object({
      id: z.string().describe('Id of the delivery, the same on every attempt. Use it to deduplicate.'),
      type: z.literal(type).describe('The trigger.'),
      created_at: timestamp.describe('Time of the event.'),
      workspace_id: z.string().describe('Workspace of the event.'),
      data: DATA[type].describe('Details of the event.'),
      event: z
        .object({
          id: z.string().nullable().describe('The stored event; `null` where there is none.'),
          timestamp: timestamp.describe('Time of the event.'),
        })
        .describe('The event behind the delivery.'),
    })
    .describe(`The body of a webhook call for \`${type}\`.`)
    .meta({ id });

/** The envelope of each trigger. */
export const envelopes = {
  'event.created': envelope('event.created', 'EventCreatedEnvelope'),
  'automation.completed': envelope('automation.completed', 'AutomationCompletedEnvelope'),
  'integration.connected': envelope('integration.connected', 'IntegrationConnectedEnvelope'),
  'user.invited': envelope('user.invited', 'UserInvitedEnvelope'),
} as const satisfies Record<Trigger, z.ZodObject>;

/** The body of a webhook call for one trigger. */
export type EnvelopeOf<Name extends Trigger> = z.output<(typeof envelopes)[Name]>;

/** Whatever a webhook call says: `type` tells which. */
export const Envelope = z
  .discriminatedUnion('type', [
    envelopes['event.created'],
    envelopes['automation.completed'],
    envelopes['integration.connected'],
    envelopes['user.invited'],
  ])
  .describe('The body of a webhook call. `type` identifies it; a newer server may send other types.')
  .meta({ id: 'Envelope' });
