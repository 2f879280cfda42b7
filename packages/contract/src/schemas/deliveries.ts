import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ATTEMPT_ERROR_KINDS, DELIVERY_STATUSES, DELIVERY_TRIGGERS } from '../statuses.ts';
import { text, timestamp, timestampInput } from '../text.ts';
import { integerText, pageQuery, trigger as triggerName } from './common.ts';

/** The state of a delivery. */
export const deliveryStatus = z
  .enum(DELIVERY_STATUSES)
  .meta({ id: 'DeliveryStatus', description: 'State of a delivery.' });
const trigger = z
  .enum(DELIVERY_TRIGGERS)
  .meta({ id: 'DeliveryTrigger', description: 'Why a delivery or an attempt exists.' });

/** The failure that kept an attempt from an HTTP answer. */
const errorKind = z
  .enum(ATTEMPT_ERROR_KINDS)
  .meta({ id: 'AttemptErrorKind', description: 'What kept an attempt from getting an HTTP answer.' });

/** An attempt in short, as lists show it. */
export const LastAttempt = z
  .object({
    at: timestamp.describe('When it began.'),
    response_status: z.int().nullable().describe('The HTTP status; `null` without an answer.'),
    error_kind: errorKind.nullable().describe('What went wrong; `null` when the receiver answered.'),
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
  })
  .describe('An attempt in short.')
  .meta({ id: 'LastAttempt' });

/** One event on its way to one webhook. */
export const Delivery = z
  .object({
    id: z.string().describe('`dlv_` and 26 characters; also the `id` of the envelope.'),
    webhook_id: z.string().describe('The webhook it goes to.'),
    webhook_url: z.string().nullable().describe('Where it goes; `null` once the webhook is deleted.'),
    workspace_id: z.string().describe('Owning workspace.'),
    event_id: z.string().nullable().describe('The event; `null` for the other triggers.'),
    event_type: z.string().describe('The trigger name, such as `event.created`.'),
    event_name: z
      .string()
      .nullable()
      .describe("The event's own type, such as `push`; `null` for the other triggers."),
    status: deliveryStatus.describe(
      '`pending` until the first attempt ends, then `delivered`, `retrying` or `failed`.',
    ),
    attempt_count: z.int().describe('Attempts made so far.'),
    last_attempt: LastAttempt.nullable().describe('The last attempt; `null` before the first has ended.'),
    next_attempt_at: timestamp.nullable().describe('When the next attempt is due; `null` for none.'),
    created_at: timestamp.describe('When the delivery was made.'),
    completed_at: timestamp.nullable().describe('When it was delivered, failed or cancelled.'),
    trigger: trigger.describe(
      'Why it exists: `event`, or `test`. Sending it again does not change that: its attempts say why they were made.',
    ),
  })
  .describe('One event on its way to one webhook.')
  .meta({ id: 'Delivery' });

/** One signed POST. */
export const Attempt = z
  .object({
    id: z.string().describe('`att_` and 26 characters.'),
    attempt: z.int().describe('1 for the first.'),
    trigger: trigger.describe('Why it was made.'),
    started_at: timestamp.describe('When it began.'),
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
    response_status: z.int().nullable().describe('The HTTP status; `null` without an answer.'),
    response_headers: z.record(z.string(), z.string()).nullable().describe('The headers of the answer.'),
    response_body: z.string().nullable().describe('The first 4 KiB of the answer, as text.'),
    error: z
      .object({
        kind: errorKind.describe('What went wrong, for programs.'),
        message: z.string().describe('What went wrong, for people.'),
      })
      .nullable()
      .describe('Why the attempt failed; `null` when the receiver answered.'),
  })
  .describe('One signed POST of a delivery.')
  .meta({ id: 'Attempt' });

/** Response of `GET /deliveries/{deliveryId}`. */
export const DeliveryDetail = Delivery.extend({
  request_body: z
    .string()
    .nullable()
    .describe(
      'The exact bytes that are sent and signed, as text: an `Envelope`. `null` only where `request_body_omitted` is `true`.',
    )
    .meta({ contentMediaType: 'application/json', contentSchema: { $ref: '#/components/schemas/Envelope' } }),
  request_body_omitted: z
    .literal(true)
    .optional()
    .describe('The body has more than 8 MiB. `GET /workspaces/{id}/events/{eventId}` answers its payload.'),
  attempts: z
    .array(Attempt)
    .describe(
      `The last ${LIMITS.attemptsShown} attempts, oldest first. \`attempt_count\` counts all of them.`,
    ),
})
  .describe('A delivery with what was sent and what came back.')
  .meta({ id: 'DeliveryDetail' });

/** Query of the delivery lists. */
export const deliveryQuery = {
  status: deliveryStatus.optional().describe('Only deliveries in this state.'),
  event_type: triggerName.optional().describe('Only deliveries of this trigger.'),
  event_name: text(1, 100).optional().describe('Only deliveries of events of this type, such as `push`.'),
  response_status: integerText(100, 599).describe('Only deliveries whose last attempt got this HTTP status.'),
  error_kind: errorKind.optional().describe('Only deliveries whose last attempt failed in this way.'),
  min_duration_ms: integerText(0, LIMITS.attemptTimeoutMs).describe(
    'Only deliveries whose last attempt took this long or longer, in milliseconds.',
  ),
  since: timestampInput.optional().describe('Only deliveries created after this time.'),
  until: timestampInput.optional().describe('Only deliveries created before this time.'),
  ...pageQuery,
};
