import type { Preset } from './preset.ts';

/** https://docs.gitea.com/usage/webhooks */
export const gitea: Preset = {
  definition: {
    provider: 'gitea',
    name: 'Gitea',
    description: 'Pushes, pull requests, issues and releases of Gitea, Forgejo or Codeberg.',
    verification: { kind: 'hmac', header: 'X-Gitea-Signature' },
    event_type: {
      from: ['header:X-Gitea-Event'],
      map: {
        issues: 'issue',
        issue_comment: 'issue',
        pull_request_approved: 'pull_request',
        pull_request_rejected: 'pull_request',
        pull_request_comment: 'pull_request',
      },
      default: 'gitea',
    },
    dedupe_key: ['header:X-Gitea-Delivery'],
    summary: {
      action: ['/action'],
      actor: { id: ['/sender/id'], name: ['/sender/login', '/pusher/login'] },
      subject: {
        id: ['/pull_request/number', '/issue/number', '/release/id', '/after'],
        name: ['/pull_request/title', '/issue/title', '/release/name', '/head_commit/message', '/ref'],
        url: ['/pull_request/html_url', '/issue/html_url', '/release/html_url', '/compare_url'],
      },
      container: {
        kind: 'repo',
        id: ['/repository/id'],
        name: ['/repository/full_name'],
        url: ['/repository/html_url'],
      },
      occurred_at: [
        '/pull_request/updated_at',
        '/issue/updated_at',
        '/release/published_at',
        '/head_commit/timestamp',
      ],
    },
    setup_steps: [
      'In Gitea, open the repository, then Settings, Webhooks, and add a webhook of the type Gitea.',
      'Enter {url} as the Target URL, POST, application/json, and the secret of this integration as the Secret.',
      'Choose the events, and add the webhook.',
    ],
  },
  sample: {
    headers: { 'x-gitea-event': 'push', 'x-gitea-delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473' },
    payload: {
      ref: 'refs/heads/main',
      before: '28e1879d029cb852e4844d9c718537df08844e03',
      after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
      compare_url: 'https://git.example.com/acme/web/compare/28e1879...bffeb74',
      head_commit: { message: 'Add a login page', timestamp: '2026-11-02T08:00:00Z' },
      repository: {
        id: 140,
        full_name: 'acme/web',
        html_url: 'https://git.example.com/acme/web',
      },
      pusher: { id: 1, login: 'li' },
      sender: { id: 1, login: 'li' },
    },
  },
};
