import { envelopeExamples } from '../examples/webhooks/envelopes.ts';
import { ids } from '../examples/ids.ts';
import { DELIVERY_HEADERS } from '../constants/headers.ts';
import { LIMITS } from '../constants/limits.ts';
import { Envelope, envelopes } from '../schemas/webhooks/envelopes.ts';
import { type Trigger, TRIGGERS } from '../constants/statuses.ts';
import type { Components } from './components.ts';
import type { Json } from './json.ts';
import { CALLS_TAG } from './tags.ts';

/** The event behind each trigger. Specification, "Trigger and subscription names" 1 to 10. */
const SUMMARIES = {
  'event.created': 'A new event was received from an integration, or published.',
  'integration.connected': 'A new integration was connected.',
  'user.invited': 'Somebody was invited to the workspace.',
  'automation.completed': 'A run of an automation has ended.',
  'webhook.failing': 'Every attempt of a webhook fails. `*` does not include it.',
  'webhook.disabled': 'Hubline has disabled a webhook. `*` does not include it.',
  'integration.error': 'An integration has a problem. `*` does not include it.',
  'automation.disabled': 'Hubline has disabled an automation. `*` does not include it.',
  'notification.sent': 'A notification rule has sent a message to the webhook. `*` does not include it.',
} satisfies Record<Trigger, string>;

const seconds = LIMITS.attemptTimeoutMs / 1_000;

const DELIVERY = `Hubline sends this call to every webhook that subscribes to the trigger. Verify a signature over the raw body before you trust it, and
deduplicate by \`id\`: a delivery can arrive more than once. Respond with any 2xx within ${seconds} seconds, and do longer work afterward.`;

/** The headers of a call. */
const HEADER_PARAMETERS = {
  signature: {
    description: 'HMAC-SHA256 of the raw body in hex, keyed with the secret of the webhook.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: '5f3c0a8f4e6b1f4e0c8d1b0a0b9a7c5d3e2f1a4b6c8d0e2f4a6b8c0d2e4f6a8b',
  },
  standardId: {
    description: 'Standard Webhooks: the ID of the delivery.',
    schema: { type: 'string' },
    example: ids.delivery,
  },
  standardTimestamp: {
    description:
      'Standard Webhooks: the time of the signature, in Unix seconds. Refuse calls that are older than five minutes.',
    schema: { type: 'integer', format: 'int64' },
    example: 1793614530,
  },
  standardSignature: {
    description:
      'Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`. During a rotation, one signature for each valid secret, separated by spaces.',
    schema: { type: 'string' },
    example: 'v1,XzwKj05rH04MjRsKC5qnxdPi8vSkpriy9KbIwNLkb4s=',
  },
  event: { description: 'The trigger, as in `type`.', schema: { type: 'string' }, example: 'event.created' },
  delivery: {
    description: 'The ID of the delivery, as in `id`.',
    schema: { type: 'string' },
    example: ids.delivery,
  },
  attempt: {
    description: 'Number of the attempt; 1 for the first.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
} satisfies Record<keyof typeof DELIVERY_HEADERS, Json>;

const retryAfter = {
  'Retry-After': {
    description: `Seconds to wait. It may move the next attempt later, by at most ${LIMITS.retryAfterMaxMs / 3_600_000} hour.`,
    schema: { type: 'integer', minimum: 0 },
  },
};

/** The responses of a receiver, with their effects. */
const RESPONSES = {
  '2XX': { description: 'The delivery is done. Up to 4 KiB of the body are kept with the attempt.' },
  '410': { description: 'The webhook is disabled at once.' },
  '429': { description: 'The attempt has failed.', headers: retryAfter },
  '503': { description: 'The attempt has failed.', headers: retryAfter },
  default: {
    description: `The attempt has failed; redirects are not followed. There are ${LIMITS.retryDelaysMs.length} attempts; the delays before them are ${delays()}.`,
  },
};

function delays(): string {
  return LIMITS.retryDelaysMs
    .map((ms) => (ms < 60_000 ? `${ms / 1_000} s` : `${ms / 60_000} min`))
    .join(', ');
}

/** The calls that Hubline makes, as the document's `webhooks`. */
export function deliveries(components: Components): Json {
  // Adds the schema: `request_body` of `DeliveryDetail` refers to it by name.
  components.schema(Envelope);
  const parameters = (Object.keys(HEADER_PARAMETERS) as (keyof typeof HEADER_PARAMETERS)[]).map((name) =>
    components.refer('parameters', `Delivery${capitalized(name)}`, {
      name: DELIVERY_HEADERS[name],
      in: 'header',
      required: true,
      ...HEADER_PARAMETERS[name],
    }),
  );
  const call = (trigger: Trigger): Json => ({
    operationId: trigger.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
    tags: [CALLS_TAG.name],
    summary: SUMMARIES[trigger].replace(/\.$/, ''),
    description: DELIVERY,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.schema(envelopes[trigger]),
          example: envelopeExamples[trigger],
        },
      },
    },
    responses: RESPONSES,
  });
  return Object.fromEntries(TRIGGERS.map((trigger) => [trigger, { post: call(trigger) }]));
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
