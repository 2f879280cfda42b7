import type { ErrorExample, ExamplesFor } from './example.ts';
import { ids } from './ids.ts';

const slackMessage = {
  text: 'Disk of db-1 is 91 % full',
  username: 'Alertmanager',
  channel: '#alerts',
  attachments: [{ color: 'danger', text: 'Free 9 GB of 100 GB' }],
};

const unproven: ErrorExample = {
  message: "The call does not prove that it knows this integration's secret.",
};

const unknownIntegration: ErrorExample = {
  message: 'No such integration. Ids are scoped to a workspace: check the id and the workspace.',
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
