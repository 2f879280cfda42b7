import { type ErrorExample, type ExamplesFor, firstPage } from './example.ts';
import { ids } from './ids.ts';

/** The pull request as GitHub sends it. */
export const pullRequestPayload = {
  action: 'opened',
  number: 128,
  pull_request: {
    id: 2094815162,
    title: 'Add a login page',
    html_url: 'https://github.com/acme/web/pull/128',
  },
  repository: { id: 1296269, full_name: 'acme/web' },
  sender: { id: 583231, login: 'li' },
};

/** The same pull request, reduced to the common form. */
export const pullRequestSummary = {
  action: 'opened',
  actor: { id: '583231', name: 'li' },
  subject: {
    kind: 'pull_request',
    id: '2094815162',
    name: 'Add a login page',
    url: 'https://github.com/acme/web/pull/128',
  },
  container: { kind: 'repo', id: '1296269', name: 'acme/web', url: 'https://github.com/acme/web' },
  text: 'li opened Add a login page',
  severity: 'none' as const,
  occurred_at: '2026-11-02T10:15:29.000Z',
};

const pullRequest = {
  event_id: ids.pullRequest,
  type: 'pull_request',
  source: 'github',
  payload: pullRequestPayload,
  created_at: '2026-11-02T10:15:30.412Z',
  workspace_id: ids.workspace,
  integration_id: ids.github,
  summary: pullRequestSummary,
};

const deploy = {
  event_id: ids.deploy,
  type: 'deploy',
  source: 'ci',
  payload: { service: 'web', version: '1.4.2' },
  created_at: '2026-11-02T10:21:07.958Z',
  workspace_id: ids.workspace,
  integration_id: null,
  summary: {
    action: null,
    actor: null,
    subject: null,
    container: null,
    text: 'service: web · version: 1.4.2',
    severity: 'none' as const,
    occurred_at: '2026-11-02T10:21:06.000Z',
  },
};

const foreignIntegration = (field: string): ErrorExample => ({
  message: 'No such integration. Check the ID (int_ and 26 characters) and the workspace.',
  details: [{ field, issue: 'names no such integration' }],
});

const published = {
  type: 'deploy',
  source: 'ci',
  payload: { service: 'web', version: '1.4.2' },
  occurred_at: '2026-11-02T10:21:06Z',
};

export const eventExamples = {
  'events.list': { response: { data: [deploy, pullRequest], pagination: firstPage } },
  'events.listAll': {
    response: { data: [deploy, pullRequest], pagination: firstPage },
    errors: {
      not_found: {
        message:
          'No such workspace. Check the ID (ws_ and 26 characters, not the slug), and that your user or API key belongs to it.',
        details: [{ field: 'workspace_id', issue: 'names no such workspace' }],
      },
    },
  },
  'events.get': { response: pullRequest },
  'events.publish': {
    body: published,
    response: deploy,
    errors: { not_found: foreignIntegration('integration_id') },
  },
  'events.publishBatch': {
    body: { events: [published, { type: 'migration', source: 'ci', payload: { service: 'web', id: 7 } }] },
    response: { data: [{ event_id: ids.deploy }, { event_id: ids.migration }] },
    errors: { not_found: foreignIntegration('events[1].integration_id') },
  },
  'events.stream': { response: pullRequest },
} satisfies ExamplesFor<'events'>;
