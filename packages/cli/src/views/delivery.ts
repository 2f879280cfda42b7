import type { Attempt, Delivery, DeliveryDetail } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

const deliveryFields = [
  'id',
  'webhook_id',
  'webhook_url',
  'workspace_id',
  'event_id',
  'event_type',
  'event_name',
  'status',
  'attempt_count',
  'last_attempt',
  'next_attempt_at',
  'created_at',
  'completed_at',
  'trigger',
] as const;

export const deliveryView = view<Delivery>()({
  noun: ['delivery', 'deliveries'],
  fields: deliveryFields,
  columns: [
    'id',
    { path: 'event_name', header: 'TYPE', flexible: true },
    { path: 'event_type', header: 'TRIGGER', optional: true },
    'status',
    { path: 'attempt_count', header: 'ATTEMPTS' },
    { path: 'last_attempt.response_status', header: 'CODE' },
    { path: 'last_attempt.error_kind', header: 'ERROR', optional: true },
    { path: 'last_attempt.duration_ms', header: 'MS', optional: true },
    'created_at',
    { path: 'next_attempt_at', header: 'NEXT', optional: true },
  ],
  id: 'id',
});

export const deliveryDetailView = view<DeliveryDetail>()({
  noun: ['delivery', 'deliveries'],
  fields: [...deliveryFields, 'request_body', 'request_body_omitted', 'attempts'],
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
    { path: 'response_body', header: 'RESPONSE', flexible: true },
  ],
  id: 'id',
});
