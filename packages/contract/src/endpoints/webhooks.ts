import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { id, page, pageQuery } from '../schemas/common.ts';
import { Delivery } from '../schemas/webhooks/deliveries.ts';
import { Recovery, RecoveryCreate } from '../schemas/webhooks/recoveries.ts';
import { statsQuery } from '../schemas/workspaces/stats.ts';
import { WebhookStats } from '../schemas/webhooks/webhook-stats.ts';
import {
  Webhook,
  WebhookCreate,
  WebhookFilterTest,
  WebhookFilterTestResult,
  WebhookRotatedSecret,
  WebhookRotateSecret,
  WebhookTest,
  WebhookUpdate,
} from '../schemas/webhooks/webhooks.ts';
import { READS_EVENT, from, inWorkspace } from './access.ts';
import { webhookParams } from './params.ts';

export const webhookEndpoints = {
  'webhooks.list': {
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks.',
    description: 'Lists the webhooks of a workspace, oldest first, without their secrets.',
    access: inWorkspace(from.query, 'view', 'webhooks:read'),
    query: z.object({
      workspace_id: id('workspace')
        .optional()
        .describe('Workspace. Default: the one that the key is bound to.'),
      ...pageQuery,
    }),
    response: page(Webhook),
    status: 200,
    write: false,
  },
  'webhooks.create': {
    operationId: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook.',
    description:
      'Subscribes an HTTPS URL to triggers. Each delivery is a POST, signed with `secret` and retried for about 13 minutes; see `webhooks` in this document for bodies and headers.',
    errors: {
      unprocessable_entity: 'The URL is well-formed but not allowed, such as one on a private address.',
    },
    access: inWorkspace(from.body, 'manage_webhooks', 'webhooks:write'),
    body: WebhookCreate,
    response: Webhook,
    status: 201,
    write: true,
  },
  'webhooks.get': {
    operationId: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{webhookId}',
    summary: 'Read a webhook.',
    description: 'Returns the subscription and status of a webhook, without its secret.',
    access: inWorkspace(from.webhook, 'view', 'webhooks:read'),
    params: webhookParams,
    response: Webhook,
    status: 200,
    write: false,
  },
  'webhooks.update': {
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: '/webhooks/{webhookId}',
    summary: 'Update a webhook.',
    description:
      'Changes the fields in the body. The status `disabled` holds deliveries back; `active` sends the held ones.',
    errors: {
      unprocessable_entity: 'The URL is well-formed but not allowed, such as one on a private address.',
    },
    access: inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookUpdate,
    response: Webhook,
    status: 200,
    write: true,
  },
  'webhooks.delete': {
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    summary: 'Delete a webhook.',
    description:
      'Deletes the webhook and cancels its open deliveries: the first 500 at once, the rest within seconds. Finished deliveries stay readable.',
    access: inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    status: 204,
    write: true,
  },
  'webhooks.rotateSecret': {
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{webhookId}/rotate-secret',
    summary: 'Rotate the secret of a webhook.',
    description:
      'Replaces the signing secret. `X-Service-Signature` uses the new secret at once: receivers that check it must know both secrets beforehand. During `overlap_seconds`, `webhook-signature` carries one signature with each secret. Until the overlap ends, another rotation needs `overlap_seconds: 0`, which ends both older secrets at once.',
    errors: { conflict: 'The overlap of the last rotation has not ended, and `overlap_seconds` is not 0.' },
    access: inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookRotateSecret,
    response: WebhookRotatedSecret,
    status: 200,
    write: true,
    secret: 'once',
  },
  'webhooks.test': {
    operationId: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/test',
    summary: 'Send a test call.',
    description:
      'Sends one signed call, without retries, with sample data or an event that you supply. That event is not stored. Read the delivery to see the response.',
    errors: {
      not_found: '`event.integration_id` does not name an integration of this workspace.',
      unprocessable_entity: 'The webhook is disabled.',
    },
    access: inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookTest,
    response: Delivery,
    status: 200,
    write: true,
  },
  'webhooks.testFilters': {
    operationId: 'testWebhookFilters',
    method: 'POST',
    path: '/webhooks/{webhookId}/test-filters',
    summary: 'Try filters on past events.',
    description:
      'Shows for each event whether the webhook would get a delivery, which filter refuses it, and what each comparison of the conditions finds. Nothing is sent or changed.',
    errors: {
      not_found: 'An ID in `event_ids` does not name an event of this workspace.',
    },
    access: { ...inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'), also: READS_EVENT },
    params: webhookParams,
    body: WebhookFilterTest,
    response: WebhookFilterTestResult,
    status: 200,
    write: true,
  },
  'webhooks.stats': {
    operationId: 'getWebhookStats',
    method: 'GET',
    path: '/webhooks/{webhookId}/stats',
    summary: 'Read the statistics of a webhook.',
    description:
      'Counts the attempts and deliveries of a webhook in the last hour, day or week, with the totals of the window before, a series for charts, open deliveries, and failed attempts by cause.',
    access: inWorkspace(from.webhook, 'view', 'webhooks:read'),
    params: webhookParams,
    query: z.object(statsQuery),
    response: WebhookStats,
    status: 200,
    write: false,
  },
  'webhooks.enable': {
    operationId: 'enableWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/enable',
    summary: 'Enable a webhook.',
    description:
      'Makes a disabled webhook `active` and sends its held deliveries. Does nothing for an active one.',
    access: inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    response: Webhook,
    status: 200,
    write: true,
  },
  'webhooks.recover': {
    operationId: 'recoverWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/recover',
    summary: 'Send missed deliveries of a webhook again.',
    description:
      'Starts a job that makes one extra attempt for each matching delivery of the webhook. The job survives a restart; `getRecovery` reports its progress.',
    errors: {
      unprocessable_entity: 'The webhook is disabled.',
    },
    access: inWorkspace(from.webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: RecoveryCreate,
    response: Recovery,
    status: 202,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
