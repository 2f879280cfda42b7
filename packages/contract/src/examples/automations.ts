import type { ExamplesFor } from './example.ts';
import { lastPage } from './example.ts';
import { ids } from './ids.ts';

const definition = {
  name: 'Merged pull requests to #releases',
  description: null,
  trigger: { event: 'event.created' as const, types: ['pull_request'], sources: ['github'] },
  conditions: { field: 'event.payload.pull_request.merged', op: 'eq' as const, value: true },
  actions: [
    {
      id: 'tell',
      type: 'slack.post_message' as const,
      integration_id: ids.slack,
      input: { channel: '#releases', text: 'Merged: {{ event.summary.subject.name }}' },
      on_error: 'continue' as const,
    },
    {
      id: 'board',
      type: 'call_webhook' as const,
      url: 'https://board.example.com/merged',
      payload: { number: '{{ event.payload.number }}' },
    },
  ],
  throttle: { max_runs: 60, per_seconds: 60 },
  concurrency_key: null,
};

const automation = {
  id: ids.automation,
  workspace_id: ids.workspace,
  ...definition,
  enabled: true,
  signed: true,
  created_by: ids.ana,
  created_at: '2026-10-05T09:41:12.310Z',
  updated_at: '2026-10-05T09:41:12.310Z',
  last_run_at: '2026-11-02T10:30:00.512Z',
  recent_runs: ['succeeded' as const],
  next_run_at: null,
};

const run = {
  id: ids.run,
  automation_id: ids.automation,
  automation_name: definition.name,
  workspace_id: ids.workspace,
  trigger: 'event.created' as const,
  event_id: ids.pullRequest,
  status: 'succeeded' as const,
  error: null,
  created_at: '2026-11-02T10:30:00.512Z',
  started_at: '2026-11-02T10:30:00.530Z',
  resume_at: null,
  completed_at: '2026-11-02T10:30:00.981Z',
  duration_ms: 451,
};

const queued = { ...run, status: 'queued' as const, started_at: null, completed_at: null, duration_ms: null };

const noIntegration = {
  message: 'No such integration. Check the ID (int_ and 26 characters) and the workspace.',
  details: [{ field: 'actions[0].integration_id', issue: 'names no such integration' }],
};
const privateAddress = {
  message:
    'actions[0].url must point to a public address: loopback, private, reserved and metadata addresses are refused.',
  details: [
    {
      field: 'actions[0].url',
      issue: 'must point to a public address: loopback, private, reserved and metadata addresses are refused',
    },
  ],
};
const noEvent = {
  message: 'No such event. Check the ID (evt_ and 26 characters) and the workspace.',
  details: [{ field: 'event_id', issue: 'names no such event' }],
};

export const automationExamples = {
  'automations.list': { response: { data: [automation], pagination: lastPage } },
  'automations.create': {
    body: { ...definition, secret: 'whsec_ZXhhbXBsZSBzZWNyZXQgdGhhdCBvcGVucyBub3RoaW5n' },
    response: { ...automation, last_run_at: null, recent_runs: [] },
    errors: { not_found: noIntegration, unprocessable_entity: privateAddress },
  },
  'automations.get': { response: automation },
  'automations.update': {
    body: { enabled: false },
    response: { ...automation, enabled: false, updated_at: '2026-11-02T10:45:09.117Z' },
    errors: { not_found: noIntegration, unprocessable_entity: privateAddress },
  },
  'automations.delete': {},
  'automations.test': {
    body: { event_id: ids.pullRequest },
    response: {
      event_id: ids.pullRequest,
      matched: true,
      refused_by: null,
      conditions: [
        {
          path: '',
          field: 'event.payload.pull_request.merged',
          op: 'eq',
          found: 'true',
          matched: true,
        },
      ],
      concurrency_key: null,
      results_of: null,
      steps: [
        {
          action_id: 'tell',
          type: 'slack.post_message',
          runs: true,
          conditions: null,
          request: {
            integration_id: ids.slack,
            input: { channel: '#releases', text: 'Merged: Add a release board' },
          },
          error: null,
        },
        {
          action_id: 'board',
          type: 'call_webhook',
          runs: true,
          conditions: null,
          request: {
            method: 'POST',
            url: 'https://board.example.com/merged',
            headers: {},
            payload: { number: 42 },
          },
          error: null,
        },
      ],
    },
    errors: { not_found: noEvent, unprocessable_entity: privateAddress },
  },
  'automations.run': {
    body: { event_id: ids.pullRequest },
    response: { ...queued, trigger: 'manual' },
    errors: { not_found: noEvent },
  },
  'automations.listRuns': { response: { data: [run], pagination: lastPage } },
  'automations.getRun': {
    response: {
      ...run,
      steps: [
        {
          action_id: 'tell',
          type: 'slack.post_message',
          status: 'succeeded',
          attempt: 1,
          started_at: '2026-11-02T10:30:00.530Z',
          completed_at: '2026-11-02T10:30:00.781Z',
          request: {
            integration_id: ids.slack,
            input: { channel: '#releases', text: 'Merged: Add a release board' },
          },
          response: { channel: 'C024BE91L', ts: '1793615430.123459' },
          error: null,
        },
        {
          action_id: 'board',
          type: 'call_webhook',
          status: 'succeeded',
          attempt: 1,
          started_at: '2026-11-02T10:30:00.784Z',
          completed_at: '2026-11-02T10:30:00.981Z',
          request: {
            method: 'POST',
            url: 'https://board.example.com/merged',
            headers: {},
            payload: { number: 42 },
          },
          response: { status: 204, body: '' },
          error: null,
        },
      ],
    },
  },
  'automations.retryRun': {
    response: queued,
    errors: {
      unprocessable_entity: {
        message: 'runId names a run that has neither failed nor been cancelled.',
        details: [{ field: 'runId', issue: 'names a run that has neither failed nor been cancelled' }],
      },
    },
  },
  'automations.cancelRun': {
    response: { ...run, status: 'cancelled' },
    errors: {
      unprocessable_entity: {
        message: 'runId names a run that has ended.',
        details: [{ field: 'runId', issue: 'names a run that has ended' }],
      },
    },
  },
} satisfies ExamplesFor<'automations'>;
