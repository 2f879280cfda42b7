import type { Attempt, Delivery, DeliveryDetail, DeliveryStatus } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const deliveryView = view<Delivery>()({
  noun: ['delivery', 'deliveries'],
  fields: [
    'id',
    'webhook_id',
    'workspace_id',
    'event_id',
    'event_type',
    'status',
    'attempt_count',
    'next_attempt_at',
    'created_at',
    'completed_at',
    'trigger',
  ],
  columns: [
    'id',
    { path: 'event_type', header: 'TRIGGER', flexible: true },
    'status',
    { path: 'attempt_count', header: 'TRIES' },
    'created_at',
    { path: 'next_attempt_at', header: 'NEXT', optional: true },
  ],
  id: 'id',
});

export const deliveryDetailView = view<DeliveryDetail>()({
  noun: ['delivery', 'deliveries'],
  fields: [
    'id',
    'webhook_id',
    'workspace_id',
    'event_id',
    'event_type',
    'status',
    'attempt_count',
    'next_attempt_at',
    'created_at',
    'completed_at',
    'trigger',
    'request_body',
    'attempts',
  ],
  columns: ['id', { path: 'event_type', header: 'TRIGGER' }, 'status', 'attempt_count', 'created_at'],
  id: 'id',
});

export const attemptView = view<Attempt>()({
  noun: ['attempt', 'attempts'],
  fields: [
    'id',
    'attempt',
    'trigger',
    'started_at',
    'duration_ms',
    'response_status',
    'response_headers',
    'response_body',
    'error',
  ],
  columns: [
    { path: 'attempt', header: '#' },
    { path: 'trigger', header: 'CAUSE' },
    'started_at',
    { path: 'duration_ms', header: 'MS' },
    { path: 'response_status', header: 'STATUS' },
    { path: 'error.message', header: 'ERROR', flexible: true },
    { path: 'response_body', header: 'ANSWER', flexible: true },
  ],
  id: 'id',
});

/** The states of a delivery, as choices. */
export const STATUSES = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'held',
  'cancelled',
] as const satisfies readonly DeliveryStatus[];
