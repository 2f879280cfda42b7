import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { ATTEMPT_ERROR_KINDS, DELIVERY_STATUSES, DELIVERY_CAUSES } from '../../constants/statuses.ts';
import { text, timestamp, timestampInput } from '../../text.ts';
import { integerText, pageQuery, trigger } from '../common.ts';

/** The status of a delivery. */
export const deliveryStatus = z
  .enum(DELIVERY_STATUSES)
  .meta({ id: 'DeliveryStatus', description: 'Status of a delivery.' });
const cause = z
  .enum(DELIVERY_CAUSES)
  .meta({ id: 'DeliveryCause', description: 'Cause of a delivery or an attempt.' });

/** The error that left an attempt without a usable response. */
export const errorKind = z.enum(ATTEMPT_ERROR_KINDS).meta({
  id: 'AttemptErrorKind',
  description:
    'Why an attempt has no usable response: none arrived, or it was a redirect, which is not followed.',
});

/** An attempt in short, as lists show it. */
export const LastAttempt = z
  .object({
    at: timestamp.describe('Start time.'),
    response_status: z.int().nullable().describe('The HTTP status; `null` without a response.'),
    error_kind: errorKind
      .nullable()
      .describe('The error; `null` when the receiver responded, except with a redirect.'),
    duration_ms: z.int().describe('Duration in milliseconds.'),
  })
  .describe('Summary of an attempt.')
  .meta({ id: 'LastAttempt' });

/** One event for one webhook, with its status. */
export const Delivery = z
  .object({
    id: z.string().describe('`dlv_` and 26 characters; also the `id` of the envelope.'),
    webhook_id: z.string().describe('Webhook of the delivery.'),
    webhook_url: z.string().nullable().describe('URL of the webhook; `null` once the webhook is deleted.'),
    workspace_id: z.string().describe('Owning workspace.'),
    event_id: z.string().nullable().describe('The event; `null` for triggers other than `event.created`.'),
    event_type: z.string().describe('Trigger of the delivery, such as `event.created`.'),
    event_name: z
      .string()
      .nullable()
      .describe('Type of the event, such as `push`; `null` for triggers other than `event.created`.'),
    status: deliveryStatus.describe(
      '`pending` until the first attempt ends, then `delivered`, `retrying` or `failed`; `held` while the webhook is disabled, and `cancelled` if it was deleted.',
    ),
    attempt_count: z.int().describe('Number of attempts so far.'),
    last_attempt: LastAttempt.nullable().describe('The last attempt; `null` until the first has ended.'),
    next_attempt_at: timestamp.nullable().describe('Due time of the next attempt; `null` for none.'),
    created_at: timestamp.describe('Creation time.'),
    completed_at: timestamp.nullable().describe('Time at which it was delivered, failed or cancelled.'),
    trigger: cause.describe(
      'Cause of the delivery: `event` or `test`. `event_type` has its trigger. A retry does not change it: each attempt has its own cause.',
    ),
  })
  .describe('One event on its way to one webhook.')
  .meta({ id: 'Delivery' });

/** One signed POST. */
export const Attempt = z
  .object({
    id: z.string().describe('`att_` and 26 characters.'),
    attempt: z.int().describe('Number of the attempt; 1 for the first.'),
    trigger: cause.describe('Cause of the attempt.'),
    started_at: timestamp.describe('Start time.'),
    duration_ms: z.int().describe('Duration in milliseconds.'),
    response_status: z.int().nullable().describe('The HTTP status; `null` without a response.'),
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe(
        'The headers of the response, without those of the connection such as `connection` and `keep-alive`.',
      ),
    response_body: z.string().nullable().describe('The first 4 KiB of the response, as text.'),
    error: z
      .object({
        kind: errorKind.describe('The kind of error, for programs.'),
        message: z.string().describe('The error, for people.'),
      })
      .nullable()
      .describe('Reason why the attempt failed; `null` when the receiver responded, except with a redirect.'),
  })
  .describe('One signed POST of a delivery.')
  .meta({ id: 'Attempt' });

/** Response of `GET /deliveries/{deliveryId}`. */
export const DeliveryDetail = Delivery.extend({
  request_body: z
    .string()
    .nullable()
    .describe(
      'The exact bytes that are sent and signed, as text: an `Envelope`. `null` only if `request_body_omitted` is `true`.',
    )
    .meta({ contentMediaType: 'application/json', contentSchema: { $ref: '#/components/schemas/Envelope' } }),
  request_body_omitted: z
    .literal(true)
    .optional()
    .describe('The body has more than 8 MiB. `GET /workspaces/{id}/events/{eventId}` returns its payload.'),
  attempts: z
    .array(Attempt)
    .describe(
      `The last ${LIMITS.attemptsShown} attempts, oldest first. \`attempt_count\` counts all of them.`,
    ),
})
  .describe('A delivery with its body and its attempts.')
  .meta({ id: 'DeliveryDetail' });

/** Query of the delivery lists. */
export const deliveryQuery = {
  status: deliveryStatus.optional().describe('Only deliveries with this status.'),
  event_type: trigger.optional().describe('Only deliveries of this trigger, such as `user.invited`.'),
  event_name: text(1, 100).optional().describe('Only deliveries of events of this type, such as `push`.'),
  response_status: integerText(100, 599).describe('Only deliveries whose last attempt got this HTTP status.'),
  error_kind: errorKind
    .optional()
    .describe('Only deliveries whose last attempt failed with this kind of error.'),
  min_duration_ms: integerText(0, LIMITS.attemptTimeoutMs).describe(
    'Only deliveries whose last attempt took this long or longer, in milliseconds.',
  ),
  since: timestampInput.optional().describe('Only deliveries created after this time.'),
  until: timestampInput.optional().describe('Only deliveries created before this time.'),
  ...pageQuery,
};
