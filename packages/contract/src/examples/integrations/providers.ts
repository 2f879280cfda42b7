import { type ExamplesFor, lastPage } from '../example.ts';
import { ids } from '../ids.ts';

const rules = {
  name: 'Acme CI',
  description: 'Builds of Acme CI.',
  verification: {
    kind: 'hmac' as const,
    header: 'X-Acme-Signature',
    prefix: 'v1=',
    separator: ',' as const,
    signed: '{timestamp}.{body}',
    timestamp: { header: 'X-Acme-Signature', prefix: 't=', tolerance_seconds: 300 },
  },
  event_type: { from: ['/event'], map: { 'build.finished': 'build' }, default: 'build' },
  dedupe_key: ['/id'],
  pings: ['ping'],
  summary: {
    action: ['/build/status'],
    actor: { name: ['/build/started_by'] },
    subject: { kind: 'build', id: ['/build/number'], name: ['/build/title'], url: ['/build/url'] },
    severity: { from: ['/build/status'], map: { failed: 'high' as const } },
    occurred_at: ['/build/finished_at'],
  },
  setup_steps: ['In the settings of the project, add a webhook with the URL {url}.'],
};

const definition = {
  provider: 'acme-ci',
  ...rules,
  provider_id: ids.provider,
  workspace_id: ids.workspace,
  required_credentials: [],
  optional_credentials: ['secret', 'notify_url'],
  oauth: false,
  sync: false,
  methods: [
    {
      method: 'webhook',
      name: 'Webhook',
      description: 'The secret or key that verifies its calls, and the URL for notifications.',
      credentials: [
        {
          name: 'secret',
          description: 'The secret that verifies calls. Default: a generated one, shown once.',
          required: false,
          secret: true,
        },
        {
          name: 'notify_url',
          description: 'HTTPS URL that receives notifications.',
          required: false,
          secret: true,
        },
      ],
    },
  ],
  actions: [],
  created_at: '2026-10-06T10:12:44.120Z',
  updated_at: '2026-10-06T10:12:44.120Z',
};

const call = JSON.stringify({
  id: 'd-4711',
  event: 'build.finished',
  build: { number: 128, title: 'Add a login page', status: 'failed', started_by: 'li' },
});

const taken = `is the key of ${ids.provider}; change that definition, or choose another key`;
const used = `is used by ${ids.alerts}; disconnect that integration first`;
const builtIn = 'is built in; choose another key, such as my-github';

export const providerExamples = {
  'providers.listPresets': {
    response: {
      data: [
        {
          preset: 'acme-ci',
          definition: { provider: 'acme-ci', ...rules },
          sample: { headers: { 'content-type': 'application/json' }, body: call },
        },
      ],
      pagination: lastPage,
    },
  },
  'providers.list': { response: { data: [definition], pagination: lastPage } },
  'providers.create': {
    body: { provider: 'acme-ci', ...rules },
    response: definition,
    errors: {
      conflict: { message: `provider ${taken}.`, details: [{ field: 'provider', issue: taken }] },
      unprocessable_entity: {
        message: `provider ${builtIn}.`,
        details: [{ field: 'provider', issue: builtIn }],
      },
    },
  },
  'providers.preview': {
    body: {
      provider_id: ids.provider,
      body: call,
      headers: { 'X-Acme-Signature': 't=1791277964,v1=00' },
      secret: 'EXAMPLE-secret',
    },
    response: {
      verification: {
        result: 'refused',
        reason: 'the timestamp is missing, or too far from the current time',
      },
      outcome: 'event',
      reason: null,
      event: {
        type: 'build',
        source: 'acme-ci',
        summary: {
          action: 'failed',
          actor: { id: null, name: 'li' },
          subject: { kind: 'build', id: '128', name: 'Add a login page', url: null },
          container: null,
          text: 'li: build failed: Add a login page',
          severity: 'high',
          occurred_at: null,
        },
        dedupe_key: 'd-4711',
      },
      answer: null,
    },
  },
  'providers.get': { response: definition },
  'providers.update': {
    body: { name: 'Acme builds', pings: null },
    response: { ...definition, name: 'Acme builds', updated_at: '2026-10-06T10:15:01.044Z' },
  },
  'providers.delete': {
    errors: { conflict: { message: `providerId ${used}.`, details: [{ field: 'providerId', issue: used }] } },
  },
} satisfies ExamplesFor<'providers'>;
