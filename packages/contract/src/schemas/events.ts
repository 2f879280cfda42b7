import { z } from 'zod';
import { LIMITS } from '../constants/limits.ts';
import { SEVERITIES } from '../constants/statuses.ts';
import { eventName, text, timestamp, timestampInput } from '../text.ts';
import { id, jsonObject, list, pageQuery } from './common.ts';
import { deliveryStatus } from './webhooks/deliveries.ts';

const entity = z.object({
  kind: z.string().nullable().describe('Kind, such as `pull_request` or `repo`.'),
  id: z.string().nullable().describe('ID at the provider, which `resource_ids` of webhook filters match.'),
  name: z.string().nullable().describe('Title or name.'),
  url: z.string().nullable().describe('URL of its page, for people.'),
});

/** Common form of every provider's payload, for timelines, filters and templates. Only `severity` is never null. */
export const EventSummary = z
  .object({
    action: z.string().nullable().describe('The action, such as `opened`.'),
    actor: z
      .object({
        id: z.string().nullable().describe('ID at the provider.'),
        name: z.string().nullable().describe('Name or login.'),
      })
      .nullable()
      .describe('The person or program that acted, as the provider names it.'),
    subject: entity.nullable().describe('The subject of the action.'),
    container: entity.nullable().describe('The repository, project or channel of the subject.'),
    text: z.string().nullable().describe('One line for people, at most 280 characters.'),
    severity: z.enum(SEVERITIES).describe('Urgency of the event.'),
    occurred_at: timestamp.nullable().describe("Time of the event in the provider's own clock."),
  })
  .describe("A provider's payload, reduced to the needs of timelines, filters and templates.")
  .meta({ id: 'EventSummary' });

/** Specification, "Event (queried through the API)". */
export const Event = z
  .object({
    event_id: z.string().describe('`evt_` and 26 characters.'),
    type: z.string().describe('Event type, such as `pull_request`, `push`, `message`, `issue`, `commit`.'),
    source: z.string().describe("Provider key, or name of the event's producer."),
    payload: jsonObject.describe('Data of the provider, unchanged.'),
    created_at: timestamp.describe('Time at which the service received the event.'),
    workspace_id: z.string().describe('Owning workspace.'),
    integration_id: z.string().nullable().describe('Integration of the event; `null` if it was published.'),
    summary: EventSummary.describe('The normalized view of the payload.'),
  })
  .describe('Something that happened in a connected tool.')
  .meta({ id: 'Event' });

/** An event in a list or a stream, both of which are limited in bytes. */
export const ListedEvent = Event.extend({
  payload: jsonObject
    .nullable()
    .describe('Data of the provider, unchanged; `null` only if `payload_omitted` is `true`.'),
  payload_omitted: z
    .literal(true)
    .optional()
    .describe(
      'The payload has more than 8 MiB, or the request has `omit=payload`. `GET /workspaces/{id}/events/{eventId}` returns it.',
    ),
  deliveries: z
    .partialRecord(deliveryStatus, z.int())
    .optional()
    .describe('Number of deliveries with each status; only in lists, with `include=deliveries`.'),
})
  .describe('An event in a list or a stream, without a payload of more than 8 MiB.')
  .meta({ id: 'ListedEvent' });

/** Body of `POST /workspaces/{id}/events`. */
export const EventPublish = z
  .strictObject({
    type: eventName.describe('Event type, such as `deploy` or `pull_request`.'),
    source: eventName.default('api').describe('Name of the producer. Default `api`.'),
    payload: jsonObject.describe('Event data, stored unchanged.'),
    integration_id: id('integration')
      .optional()
      .describe('Integration on whose behalf the event is published.'),
    occurred_at: timestampInput.optional().describe('Time of the event. Default: now.'),
  })
  .describe('An event to publish.')
  .meta({ id: 'EventPublish' });

/** Body of `POST /workspaces/{id}/events/batch`. */
export const EventBatch = z
  .strictObject({
    events: list(EventPublish, {
      min: 1,
      rule: 'must have at least one event',
      max: LIMITS.batchMax,
    }).describe('1 to 1,000 events: all are stored, or none.'),
  })
  .describe('Events to publish together.')
  .meta({ id: 'EventBatch' });

/** Response of `POST /workspaces/{id}/events/batch`. */
export const EventBatchResult = z
  .object({
    data: z
      .array(z.object({ event_id: z.string().describe('`evt_` and 26 characters.') }))
      .describe('The stored events, in the order of the request.'),
  })
  .describe('The events of a batch.')
  .meta({ id: 'EventBatchResult' });

/** Filters of the event lists and of the stream. Specification, "Events" 1. */
export const eventFilters = {
  type: text(1, 100).optional().describe('Only events of this type.'),
  source: text(1, 100).optional().describe('Only events from this source.'),
  since: timestampInput.optional().describe('Only events created after this time.'),
  omit: z
    .enum(['payload'])
    .optional()
    .describe('`payload`: leaves the payloads out, for lists that show only summaries.'),
};

/** Query of the event lists. */
export const eventQuery = {
  ...eventFilters,
  until: timestampInput.optional().describe('Only events created before this time.'),
  integration_id: id('integration').optional().describe('Only events of this integration.'),
  q: text(1, LIMITS.searchMax)
    .optional()
    .describe(
      'Only events that match every word, such as `deploy payload.environment=production`. A word is an event ID; a part of the type, the source or the texts of the summary; `payload.path=value`, which compares a value of the payload; or `payload:text`, which finds a text anywhere in the payload. Payloads of more than 64 KiB are not searched. Put a text with spaces in quotes. One request searches a limited number of events, so a page can be empty although more pages follow.',
    ),
  delivery_status: deliveryStatus.optional().describe('Only events with a delivery of this status.'),
  include: z
    .enum(['deliveries'])
    .optional()
    .describe('`deliveries`: adds the number of deliveries with each status to every event.'),
  ...pageQuery,
};
