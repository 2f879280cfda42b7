import { secondOverlap } from '../errors.ts';
import { type ErrorExample, type ExamplesFor, lastPage } from '../example.ts';
import { ids } from '../ids.ts';
import { before, bounds, failure, health, queue, series, totals } from '../stats.ts';

const webhook = {
  id: ids.webhook,
  name: 'Release board',
  url: 'https://app.example.com/hooks/hubline',
  events: ['*' as const],
  filters: null,
  workspace_id: ids.workspace,
  status: 'active' as const,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_failed_attempt: null,
  rate_limit: { per_second: 50 },
  description: 'Shows releases on the wall of the office.',
  created_at: '2026-10-05T09:20:55.002Z',
  updated_at: '2026-10-05T09:20:55.002Z',
};

const mergedToMain = {
  event_types: ['pull_request'],
  conditions: {
    all: [
      { field: 'event.payload.pull_request.merged', op: 'eq' as const, value: true },
      { field: 'event.payload.pull_request.base.ref', op: 'eq' as const, value: 'main' },
    ],
  },
};

const privateAddress: ErrorExample = {
  message:
    'url must point to a public address: loopback, private, reserved and metadata addresses are refused.',
  details: [
    {
      field: 'url',
      issue: 'must point to a public address: loopback, private, reserved and metadata addresses are refused',
    },
  ],
};

const disabled: ErrorExample = {
  message: 'webhookId names a disabled webhook; enable it first.',
  details: [{ field: 'webhookId', issue: 'names a disabled webhook; enable it first' }],
};

const CHANGED_AT = '2026-11-02T10:45:09.117Z';

export const webhookExamples = {
  'webhooks.list': { response: { data: [webhook], pagination: lastPage } },
  'webhooks.create': {
    body: {
      url: 'https://app.example.com/hooks/hubline',
      events: ['*'],
      workspace_id: ids.workspace,
      secret: 'whsec_ZXhhbXBsZSBzZWNyZXQgdGhhdCBvcGVucyBub3RoaW5n',
      rate_limit: { per_second: 50 },
      name: 'Release board',
      description: 'Shows releases on the wall of the office.',
    },
    response: webhook,
    errors: { unprocessable_entity: privateAddress },
  },
  'webhooks.get': { response: webhook },
  'webhooks.update': {
    body: { events: ['event.created'], filters: mergedToMain },
    response: {
      ...webhook,
      events: ['event.created'],
      filters: mergedToMain,
      updated_at: CHANGED_AT,
    },
    errors: { unprocessable_entity: privateAddress },
  },
  'webhooks.delete': {},
  'webhooks.rotateSecret': {
    body: { overlap_seconds: 3_600 },
    response: {
      id: ids.webhook,
      secret: 'whsec_YSBuZXdlciBvbmUgdGhhdCBvcGVucyBub3RoaW5n',
      previous_valid_until: '2026-11-02T11:45:09.117Z',
    },
    errors: { conflict: secondOverlap },
  },
  'webhooks.test': {
    body: { event: { type: 'deploy', source: 'ci', payload: { service: 'web', version: '1.4.2' } } },
    response: {
      id: ids.testDelivery,
      webhook_id: ids.webhook,
      webhook_url: 'https://app.example.com/hooks/hubline',
      workspace_id: ids.workspace,
      event_id: null,
      event_type: 'event.created',
      event_name: null,
      status: 'pending',
      attempt_count: 0,
      last_attempt: null,
      next_attempt_at: '2026-11-02T10:30:00.640Z',
      created_at: '2026-11-02T10:30:00.640Z',
      completed_at: null,
      trigger: 'test',
    },
    errors: {
      unprocessable_entity: disabled,
      not_found: {
        message: 'No such integration. Check the ID (int_ and 26 characters) and the workspace.',
        details: [{ field: 'event.integration_id', issue: 'names no such integration' }],
      },
    },
  },
  'webhooks.testFilters': {
    body: { filters: mergedToMain, event_ids: [ids.pullRequest] },
    response: {
      data: [
        {
          event_id: ids.pullRequest,
          type: 'pull_request',
          source: 'github',
          created_at: '2026-11-02T10:15:30.412Z',
          matched: false,
          refused_by: 'conditions',
          conditions: [
            {
              path: 'all[0]',
              field: 'event.payload.pull_request.merged',
              op: 'eq',
              found: 'false',
              matched: false,
            },
            {
              path: 'all[1]',
              field: 'event.payload.pull_request.base.ref',
              op: 'eq',
              found: '"main"',
              matched: true,
            },
          ],
        },
      ],
    },
    errors: {
      not_found: {
        message: 'No such event. Check the ID (evt_ and 26 characters) and the workspace.',
        details: [{ field: 'event_ids[0]', issue: 'names no such event' }],
      },
    },
  },
  'webhooks.stats': {
    response: {
      webhook_id: ids.webhook,
      workspace_id: ids.workspace,
      ...bounds,
      ...totals,
      previous: before,
      queue,
      health,
      series: series.map(({ events: _, ...point }) => point),
      failures: [
        {
          ...failure,
          message: 'upstream connect error or disconnect/reset before headers',
        },
      ],
    },
  },
  'webhooks.enable': { response: { ...webhook, updated_at: CHANGED_AT } },
  'webhooks.recover': {
    body: { since: '2026-11-02T10:00:00Z', statuses: ['failed', 'retrying'] },
    response: {
      id: ids.recovery,
      workspace_id: ids.workspace,
      webhook_id: ids.webhook,
      status: 'queued',
      matched: 0,
      done: 0,
      filters: {
        event_id: null,
        event_type: null,
        event_name: null,
        response_status: null,
        error_kind: null,
        statuses: ['failed', 'retrying'],
        since: '2026-11-02T10:00:00.000Z',
        until: '2026-11-02T10:40:12.093Z',
      },
      created_at: '2026-11-02T10:40:12.093Z',
      completed_at: null,
    },
    errors: { unprocessable_entity: disabled },
  },
} satisfies ExamplesFor<'webhooks'>;
