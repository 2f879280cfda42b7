import { deliveredEvent } from './envelopes.ts';
import { type ExamplesFor, lastPage } from '../example.ts';
import { ids } from '../ids.ts';

const delivered = {
  id: ids.delivery,
  webhook_id: ids.webhook,
  webhook_url: 'https://app.example.com/hooks/hubline',
  workspace_id: ids.workspace,
  event_id: ids.pullRequest,
  event_type: 'event.created',
  event_name: 'pull_request',
  status: 'delivered' as const,
  attempt_count: 1,
  last_attempt: {
    at: '2026-11-02T10:15:30.430Z',
    response_status: 200,
    error_kind: null,
    duration_ms: 42,
  },
  next_attempt_at: null,
  created_at: '2026-11-02T10:15:30.412Z',
  completed_at: '2026-11-02T10:15:30.472Z',
  trigger: 'event' as const,
};

const retrying = {
  id: ids.deployDelivery,
  webhook_id: ids.webhook,
  webhook_url: 'https://app.example.com/hooks/hubline',
  workspace_id: ids.workspace,
  event_id: ids.deploy,
  event_type: 'event.created',
  event_name: 'deploy',
  status: 'retrying' as const,
  attempt_count: 1,
  last_attempt: {
    at: '2026-11-02T10:21:07.970Z',
    response_status: 503,
    error_kind: null,
    duration_ms: 118,
  },
  next_attempt_at: '2026-11-02T10:21:13.093Z',
  created_at: '2026-11-02T10:21:07.958Z',
  completed_at: null,
  trigger: 'event' as const,
};

const recovery = {
  id: ids.recovery,
  workspace_id: ids.workspace,
  webhook_id: null,
  status: 'queued' as const,
  matched: 0,
  done: 0,
  filters: {
    event_id: null,
    event_type: null,
    event_name: null,
    response_status: null,
    error_kind: null,
    statuses: ['failed' as const],
    since: '2026-11-02T10:00:00.000Z',
    until: '2026-11-02T10:40:12.093Z',
  },
  created_at: '2026-11-02T10:40:12.093Z',
  completed_at: null,
};

export const deliveryExamples = {
  'deliveries.listForWebhook': { response: { data: [retrying, delivered], pagination: lastPage } },
  'deliveries.list': { response: { data: [retrying, delivered], pagination: lastPage } },
  'deliveries.get': {
    response: {
      ...delivered,
      request_body: JSON.stringify(deliveredEvent),
      attempts: [
        {
          id: ids.attempt,
          attempt: 1,
          trigger: 'event',
          started_at: '2026-11-02T10:15:30.430Z',
          duration_ms: 42,
          response_status: 200,
          response_headers: { 'content-type': 'text/plain', 'content-length': '2' },
          response_body: 'ok',
          error: null,
        },
      ],
    },
  },
  'deliveries.retry': {
    response: { ...retrying, next_attempt_at: '2026-11-02T10:45:09.117Z' },
    errors: {
      conflict: {
        message:
          'The first attempt of this delivery waits for its turn or is under way. Read the delivery to see its result. If it waits long, its webhook responds slowly or has a low rate_limit.',
      },
      unprocessable_entity: {
        message: 'deliveryId belongs to a disabled webhook; enable the webhook first.',
        details: [{ field: 'deliveryId', issue: 'belongs to a disabled webhook; enable the webhook first' }],
      },
    },
  },
  'deliveries.retryAll': {
    body: { since: '2026-11-02T10:00:00Z' },
    response: recovery,
    errors: {
      not_found: {
        message: 'No such webhook. Check the ID (whk_ and 26 characters) and the workspace.',
        details: [{ field: 'webhook_id', issue: 'names no such webhook' }],
      },
      unprocessable_entity: {
        message: 'webhook_id names a disabled webhook; enable it first.',
        details: [{ field: 'webhook_id', issue: 'names a disabled webhook; enable it first' }],
      },
    },
  },
  'recoveries.get': {
    response: {
      ...recovery,
      status: 'done',
      matched: 12,
      done: 12,
      completed_at: '2026-11-02T10:40:14.870Z',
    },
  },
} satisfies ExamplesFor<'deliveries' | 'recoveries'>;
