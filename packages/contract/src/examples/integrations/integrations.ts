import { secondOverlap } from '../errors.ts';
import { type ErrorExample, type ExamplesFor, lastPage } from '../example.ts';
import { ids } from '../ids.ts';

const slackMessage = {
  text: 'Disk of db-1 is 91% full',
  username: 'Alertmanager',
  channel: '#alerts',
  attachments: [{ color: 'danger', text: 'Free 9 GB of 100 GB' }],
};

const unproven: ErrorExample = {
  message: "The call does not prove that its sender knows this integration's secret.",
};

const unknownIntegration: ErrorExample = {
  message: 'No such integration. Check the ID (int_ and 26 characters) and the workspace.',
};

const unreadable: ErrorExample = {
  message:
    'The stored credentials of this integration can no longer be read. Reconnect it; then repeat the call.',
};

export const ingestExamples = {
  'ingest.receive': {
    bodies: {
      'application/json': {
        action: 'opened',
        number: 128,
        pull_request: {
          id: 2094815162,
          title: 'Add a login page',
          html_url: 'https://github.com/acme/web/pull/128',
        },
        repository: { id: 1296269, full_name: 'acme/web' },
        sender: { id: 583231, login: 'li' },
      },
      'application/x-www-form-urlencoded': { payload: '{"action":"opened","number":128}' },
      'text/plain': 'Build 4711 has failed.',
    },
    response: { status: 'accepted', event_id: ids.pullRequest },
    alternatives: {
      duplicate: { status: 'duplicate', event_id: ids.pullRequest },
      ignored: { status: 'ignored', reason: 'ping' },
    },
    errors: {
      invalid_request: { message: 'The body is not JSON.' },
      unauthorized: unproven,
      not_found: unknownIntegration,
      service_unavailable: unreadable,
    },
  },
  'ingest.slack': {
    bodies: {
      'application/json': slackMessage,
      'application/x-www-form-urlencoded': { payload: JSON.stringify(slackMessage) },
    },
    response: 'ok',
    errors: {
      invalid_request: { message: 'The body has no text, blocks or attachments.' },
      unauthorized: unproven,
      not_found: unknownIntegration,
      service_unavailable: unreadable,
    },
  },
} satisfies ExamplesFor<'ingest'>;

const GITHUB_URL = `https://hub.example.com/v1/ingest/${ids.github}`;
const ALERTS_URL = `https://hub.example.com/v1/ingest/${ids.alerts}`;

const config = {
  channel: 'acme/web#42',
  notify_on: ['event.created' as const],
  filters: { severity: ['high'] },
};

const summary = {
  integration_id: ids.github,
  provider: 'github',
  name: null,
  status: 'connected' as const,
  status_detail: null,
  connected_at: '2026-10-05T09:00:44.120Z',
  last_synced_at: '2026-11-02T10:15:30.412Z',
  last_event: { event_id: ids.pullRequest, type: 'pull_request', created_at: '2026-11-02T10:15:30.412Z' },
};

const synced = {
  status: 'running' as const,
  since: '2026-10-30T10:45:09.117Z',
  started_at: '2026-11-02T10:45:09.117Z',
  completed_at: null,
  events: 0,
  called: 0,
  error: null,
};

/** The steps at the provider, as a text and as a list. */
const stepsOf = (...steps: string[]) => ({
  instructions: steps.join(' '),
  steps,
  manifest: null,
  verification_token: null,
  warning: null,
});

const registered = {
  url: GITHUB_URL,
  registered: true,
  ...stepsOf('The webhook is registered at GitHub. Nothing is left to do there.'),
};

const github = { ...summary, workspace_id: ids.workspace, sync: null, config, ingest: registered };

const connectedGithub = {
  ...github,
  status_detail: {
    code: 'awaiting_hook' as const,
    message: 'The webhook is registered at GitHub. Its first call has not arrived yet.',
    since: '2026-10-05T09:00:44.120Z',
  },
  last_synced_at: null,
  last_event: null,
  config: {},
  ingest: { ...registered, secret: 'EXAMPLEsecretThatOpensNothing00000000000001' },
};

const setUpAlerts = stepsOf(
  `Have the tool POST to ${ALERTS_URL}, with the ingest secret in the authorization header.`,
);

const connectedAlerts = {
  integration_id: ids.alerts,
  provider: 'custom',
  name: 'Alerts',
  workspace_id: ids.workspace,
  status: 'connected' as const,
  status_detail: {
    code: 'awaiting_hook' as const,
    message: 'No call from Custom webhook has arrived yet. Set up the webhook there.',
    since: '2026-10-05T09:31:03.871Z',
  },
  connected_at: '2026-10-05T09:31:03.871Z',
  last_synced_at: null,
  last_event: null,
  sync: null,
  config: {},
  ingest: {
    url: ALERTS_URL,
    registered: false,
    ...setUpAlerts,
    secret: 'EXAMPLEsecretThatOpensNothing00000000000002',
  },
};

const setUpGithub = stepsOf(
  'Open your repository or organization, then Settings, Webhooks, and choose Add webhook.',
  `Enter the payload URL ${GITHUB_URL}, the content type application/json, and the ingest secret.`,
  'Choose Send me everything, or the events that you want, and save.',
);

const providerFails: ErrorExample = {
  message: "GitHub's API responded with 502. Nothing was changed; retry later.",
};

const refusedToken: ErrorExample = {
  message: 'credentials.token was refused by GitHub: it is wrong, expired or revoked; create a new one.',
  details: [
    {
      field: 'credentials.token',
      issue: 'was refused by GitHub: it is wrong, expired or revoked; create a new one',
    },
  ],
};

const connectedAlready: ErrorExample = {
  message: `provider is already connected, as ${ids.github}; disconnect it first, or reconnect it.`,
  details: [
    {
      field: 'provider',
      issue: `is already connected, as ${ids.github}; disconnect it first, or reconnect it`,
    },
  ],
};

export const integrationExamples = {
  'integrations.listProviders': {
    response: {
      data: [
        {
          provider: 'github',
          name: 'GitHub',
          description:
            'Pull requests, pushes, issues, checks and all other webhook events; sends notifications as issues and comments.',
          required_credentials: ['token'],
          optional_credentials: ['webhook_secret', 'repository', 'organization', 'domain'],
          oauth: true,
          sync: true,
          methods: [
            {
              method: 'token',
              name: 'Access token',
              description: 'A token for GitHub.',
              credentials: [
                {
                  name: 'token',
                  description: 'A personal access token, or the token of an installed GitHub App.',
                  required: true,
                  secret: true,
                },
                {
                  name: 'repository',
                  description: 'Repository that the webhook is registered at, as `owner/repo`.',
                  required: false,
                  secret: false,
                },
              ],
            },
          ],
          actions: [
            {
              type: 'github.comment',
              name: 'Comment on an issue or pull request',
              inputs: [
                {
                  name: 'repository',
                  type: 'string',
                  description: 'owner/repo. Default: the repository of the integration.',
                  required: false,
                },
                {
                  name: 'number',
                  type: 'number',
                  description: 'Number of the issue or pull request.',
                  required: true,
                },
                {
                  name: 'body',
                  type: 'text',
                  description: 'The comment, in Markdown.',
                  required: true,
                },
              ],
              outputs: ['number', 'url'],
            },
          ],
        },
        {
          provider: 'custom',
          name: 'Custom webhook',
          description:
            'Events from any tool that can call a URL, signed or not, in JSON, forms, text or Slack message format.',
          required_credentials: [],
          optional_credentials: ['preset', 'verification', 'secret', 'source', 'notify_url'],
          oauth: false,
          sync: false,
          methods: [
            {
              method: 'webhook',
              name: 'Webhook',
              description: 'Credentials for any other tool that can call a URL.',
              credentials: [
                {
                  name: 'source',
                  description: 'Source of the events. Default `custom`.',
                  required: false,
                  secret: false,
                },
              ],
            },
          ],
          actions: [],
        },
      ],
      pagination: lastPage,
    },
  },
  'integrations.connect': {
    bodies: {
      github: {
        provider: 'github',
        workspace_id: ids.workspace,
        credentials: { token: 'EXAMPLE-token', repository: 'acme/web' },
      },
      custom: {
        provider: 'custom',
        workspace_id: ids.workspace,
        credentials: { preset: 'shared-token', source: 'alerts' },
      },
    },
    responses: { github: connectedGithub, custom: connectedAlerts },
    errors: { unprocessable_entity: connectedAlready, service_unavailable: providerFails },
  },
  'integrations.create': {
    body: { type: 'github', workspace_id: ids.workspace, config },
    response: {
      ...connectedGithub,
      status: 'disconnected',
      status_detail: {
        code: 'awaiting_credentials',
        message:
          'GitHub has no credentials yet. Reconnect the integration with credentials, or set up its webhook as the instructions say.',
        since: '2026-10-05T09:00:44.120Z',
      },
      config,
      ingest: { ...connectedGithub.ingest, registered: false, ...setUpGithub },
    },
    errors: { unprocessable_entity: connectedAlready, service_unavailable: providerFails },
  },
  'integrations.get': { response: github },
  'integrations.update': { body: { config }, response: github },
  'integrations.test': {
    body: { event_type: 'event.created', payload: { message: 'Hello from Hubline' } },
    responses: {
      delivered: {
        success: true,
        integration_id: ids.github,
        event_type: 'event.created',
        delivered_at: '2026-11-02T10:45:09.504Z',
        destination: 'acme/web#42',
      },
      refused: {
        success: false,
        integration_id: ids.github,
        event_type: 'event.created',
        delivered_at: '2026-11-02T10:45:09.504Z',
        destination: 'acme/web#42',
        error: 'GitHub responded with 404: Not Found',
      },
    },
    errors: {
      unprocessable_entity: {
        message: 'integrationId names a GitHub integration without credentials; reconnect it with token.',
        details: [
          {
            field: 'integrationId',
            issue: 'names a GitHub integration without credentials; reconnect it with token',
          },
        ],
      },
      service_unavailable: providerFails,
    },
  },
  'integrations.reconnect': {
    body: { credentials: { token: 'EXAMPLE-token', repository: 'acme/web' } },
    response: {
      ...github,
      connected_at: '2026-11-02T10:45:09.117Z',
    },
    errors: {
      conflict: secondOverlap,
      unprocessable_entity: refusedToken,
      service_unavailable: providerFails,
    },
  },
  'integrations.sync': {
    response: synced,
    errors: {
      unprocessable_entity: {
        message: 'integrationId names a Slack integration, and Slack has no API that lists past changes.',
        details: [
          {
            field: 'integrationId',
            issue: 'names a Slack integration, and Slack has no API that lists past changes',
          },
        ],
      },
    },
  },
  'integrations.list': { response: { data: [summary], pagination: lastPage } },
  'integrations.disconnect': {},
} satisfies ExamplesFor<'integrations'>;
