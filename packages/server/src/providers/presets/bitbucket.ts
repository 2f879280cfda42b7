import type { Preset } from './preset.ts';

/** https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/ and …/event-payloads/ */
export const bitbucket: Preset = {
  definition: {
    provider: 'bitbucket',
    name: 'Bitbucket',
    description: 'Pushes, pull requests, issues and builds of Bitbucket Cloud.',
    verification: { kind: 'hmac', header: 'X-Hub-Signature', prefix: 'sha256=' },
    event_type: {
      from: ['header:X-Event-Key'],
      map: {
        'repo:push': 'push',
        'repo:commit_comment_created': 'commit',
        'repo:commit_status_created': 'commit',
        'repo:commit_status_updated': 'commit',
        'issue:created': 'issue',
        'issue:updated': 'issue',
        'issue:comment_created': 'issue',
        'pullrequest:created': 'pull_request',
        'pullrequest:updated': 'pull_request',
        'pullrequest:changes_request_created': 'pull_request',
        'pullrequest:changes_request_removed': 'pull_request',
        'pullrequest:approved': 'pull_request',
        'pullrequest:unapproved': 'pull_request',
        'pullrequest:fulfilled': 'pull_request',
        'pullrequest:rejected': 'pull_request',
        'pullrequest:comment_created': 'pull_request',
        'pullrequest:comment_updated': 'pull_request',
        'pullrequest:comment_deleted': 'pull_request',
        'pullrequest:comment_resolved': 'pull_request',
        'pullrequest:comment_reopened': 'pull_request',
      },
      default: 'bitbucket',
    },
    dedupe_key: ['header:X-Request-UUID'],
    pings: ['diagnostics:ping'],
    summary: {
      action: ['header:X-Event-Key'],
      actor: { id: ['/actor/account_id', '/actor/uuid'], name: ['/actor/display_name', '/actor/nickname'] },
      subject: {
        id: ['/pullrequest/id', '/issue/id', '/commit_status/key', '/push/changes/0/new/target/hash'],
        name: [
          '/pullrequest/title',
          '/issue/title',
          '/commit_status/name',
          '/push/changes/0/new/target/message',
          '/push/changes/0/new/name',
        ],
        url: [
          '/pullrequest/links/html/href',
          '/issue/links/html/href',
          '/commit_status/url',
          '/push/changes/0/links/html/href',
        ],
      },
      container: {
        kind: 'repo',
        id: ['/repository/uuid'],
        name: ['/repository/full_name'],
        url: ['/repository/links/html/href'],
      },
      severity: {
        from: ['/commit_status/state', '/issue/priority'],
        map: { FAILED: 'high', blocker: 'critical', critical: 'critical', major: 'high', minor: 'low' },
      },
      occurred_at: ['/pullrequest/updated_on', '/issue/updated_on', '/push/changes/0/new/target/date'],
    },
    setup_steps: [
      'In Bitbucket, open Repository settings, Webhooks, and choose Add webhook.',
      'Enter {url} as the URL, and the secret of this integration as the Secret.',
      'Select the triggers, and save.',
    ],
  },
  sample: {
    headers: {
      'x-event-key': 'pullrequest:created',
      'x-request-uuid': '6a1f0b6e-3a2c-4d33-b6ef-7f6c1b8c8a10',
      'x-hook-uuid': '5d2b6a8c-9e6f-4a53-8d2e-0f8e1b3c5d77',
    },
    payload: {
      actor: { type: 'user', account_id: '557058:ab', display_name: 'Ana Example', nickname: 'ana' },
      pullrequest: {
        id: 12,
        title: 'Add a login page',
        state: 'OPEN',
        updated_on: '2026-11-02T08:00:00.000000+00:00',
        links: { html: { href: 'https://bitbucket.org/acme/web/pull-requests/12' } },
      },
      repository: {
        uuid: '{673a6070-3421-46c9-9d48-90745f7bfe8e}',
        full_name: 'acme/web',
        links: { html: { href: 'https://bitbucket.org/acme/web' } },
      },
    },
  },
};
