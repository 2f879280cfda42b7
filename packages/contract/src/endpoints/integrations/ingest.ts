import { z } from 'zod';
import type { Endpoint } from '../../endpoint.ts';
import { hookBodies, IngestResult, slackBodies } from '../../schemas/integrations/ingest.ts';
import { integrationParams } from '../params.ts';

export const ingestEndpoints = {
  'ingest.receive': {
    operationId: 'ingestHook',
    method: 'POST',
    path: '/ingest/{integrationId}',
    summary: "Send a provider's webhook.",
    description:
      'Receives the call of a connected tool, checks its signature or token over the raw body, and stores it as an event before it responds. A repeated call creates no second event.',
    errors: {
      invalid_request: 'The body is not in a format that the provider sends.',
      unauthorized: 'The call does not prove that its sender knows the secret of the integration.',
      not_found: 'The integration does not exist, or was disconnected.',
      service_unavailable:
        'The stored credentials of the integration can no longer be read. Reconnect it, then repeat the call.',
    },
    access: { kind: 'public' },
    params: integrationParams,
    bodies: hookBodies,
    response: IngestResult,
    status: 202,
    alternative: {
      status: 200,
      when: 'The call repeats an earlier one, or carries no event, such as a ping. Nothing new is stored.',
    },
    write: false,
    special: 'ingest',
  },
  'ingest.slack': {
    operationId: 'ingestSlackMessage',
    method: 'POST',
    path: '/ingest/{integrationId}/slack',
    summary: 'Send a message in the Slack format.',
    description:
      "Accepts the format of Slack's incoming webhooks, for tools that can send to Slack, and stores the message as an event of the type `message`. The integration is a `custom` one. Its secret is sent as `?token=`, as a bearer token, or as the password of the URL.",
    errors: {
      invalid_request: 'The body is not a Slack message: it has no text, blocks or attachments.',
      unauthorized: 'The call does not carry the secret of the integration.',
      not_found: 'The integration does not exist, was disconnected, or takes no Slack messages.',
      service_unavailable:
        'The stored credentials of the integration can no longer be read. Reconnect it, then repeat the call.',
    },
    access: { kind: 'public' },
    params: integrationParams,
    bodies: slackBodies,
    response: z.literal('ok').describe('The body that Slack returns.'),
    status: 200,
    write: false,
    special: 'ingest',
  },
} as const satisfies Record<string, Endpoint>;
