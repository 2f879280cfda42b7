import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { id, page } from '../schemas/common.ts';
import { Delivery, DeliveryDetail, deliveryQuery } from '../schemas/webhooks/deliveries.ts';
import { DeliveryRetryAll, Recovery } from '../schemas/webhooks/recoveries.ts';
import { READS_EVENT, from, inWorkspace } from './access.ts';
import { webhookParams, workspaceParams } from './params.ts';

const deliveryParams = z.object({ deliveryId: id('delivery') });

export const deliveryEndpoints = {
  'deliveries.listForWebhook': {
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/{webhookId}/deliveries',
    summary: 'List the deliveries of a webhook.',
    description:
      'Lists the deliveries to one webhook, newest first, filtered by status, trigger, last attempt and time.',
    access: inWorkspace(from.webhook, 'view', 'webhooks:read'),
    params: webhookParams,
    query: z.object(deliveryQuery),
    response: page(Delivery),
    status: 200,
    write: false,
  },
  'deliveries.list': {
    operationId: 'listDeliveries',
    method: 'GET',
    path: '/workspaces/{id}/deliveries',
    summary: 'List deliveries.',
    description:
      'Lists the deliveries of a workspace, newest first, filtered by webhook, event, status, trigger, last attempt and time.',
    access: inWorkspace(from.path, 'view', 'webhooks:read'),
    params: workspaceParams,
    query: z.object({
      webhook_id: id('webhook').optional().describe('Only deliveries to this webhook.'),
      event_id: id('event').optional().describe('Only deliveries of this event.'),
      ...deliveryQuery,
    }),
    response: page(Delivery),
    status: 200,
    write: false,
  },
  'deliveries.get': {
    operationId: 'getDelivery',
    method: 'GET',
    path: '/deliveries/{deliveryId}',
    summary: 'Read a delivery.',
    description:
      'Returns a delivery with the exact body that is sent, and its attempts with their time, duration and response.',
    access: { ...inWorkspace(from.delivery, 'view', 'webhooks:read'), also: READS_EVENT },
    params: deliveryParams,
    response: DeliveryDetail,
    status: 200,
    write: false,
  },
  'deliveries.retry': {
    operationId: 'retryDelivery',
    method: 'POST',
    path: '/deliveries/{deliveryId}/retry',
    summary: 'Retry a delivery.',
    description:
      'Makes one extra attempt now, regardless of earlier ones. If it fails, only attempts that were already scheduled follow.',
    errors: {
      conflict: 'An attempt is in progress, or the first one still waits for its turn.',
      unprocessable_entity: 'The webhook of the delivery is disabled or deleted.',
    },
    access: inWorkspace(from.delivery, 'manage_webhooks', 'webhooks:write'),
    params: deliveryParams,
    response: Delivery,
    status: 200,
    write: true,
  },

  'deliveries.retryAll': {
    operationId: 'retryDeliveries',
    method: 'POST',
    path: '/workspaces/{id}/deliveries/retry',
    summary: 'Retry matching deliveries.',
    description:
      'Starts a job that makes one extra attempt for each matching delivery of the workspace. The job survives a restart; `getRecovery` reports its progress.',
    errors: {
      not_found:
        '`webhook_id` does not name a webhook of this workspace, or `event_id` does not name an event of this workspace, past or present.',
      unprocessable_entity: '`webhook_id` names a disabled webhook.',
    },
    access: inWorkspace(from.path, 'manage_webhooks', 'webhooks:write'),
    params: workspaceParams,
    body: DeliveryRetryAll,
    response: Recovery,
    status: 202,
    write: true,
  },

  'recoveries.get': {
    operationId: 'getRecovery',
    method: 'GET',
    path: '/recoveries/{recoveryId}',
    summary: 'Read a recovery.',
    description:
      'Returns the number of deliveries that a recovery has found, and of those that it has queued for a retry.',
    access: inWorkspace(from.recovery, 'view', 'webhooks:read'),
    params: z.object({ recoveryId: id('recovery') }),
    response: Recovery,
    status: 200,
    write: false,
  },
} as const satisfies Record<string, Endpoint>;
