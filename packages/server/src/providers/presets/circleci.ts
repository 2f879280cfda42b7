import type { Preset } from './preset.ts';

/** https://circleci.com/docs/guides/integration/outbound-webhooks/ */
export const circleci: Preset = {
  definition: {
    provider: 'circleci',
    name: 'CircleCI',
    description: 'Workflows and jobs of CircleCI that have finished.',
    verification: { kind: 'hmac', header: 'circleci-signature', separator: ',', prefix: 'v1=' },
    event_type: { from: ['/type'], default: 'build' },
    dedupe_key: ['/id'],
    pings: ['ping'],
    summary: {
      action: ['/job/status', '/workflow/status'],
      actor: {
        name: ['/pipeline/vcs/commit/author/name', '/pipeline/trigger_parameters/git/commit_author_name'],
      },
      subject: {
        id: ['/job/id', '/workflow/id'],
        name: ['/job/name', '/workflow/name'],
        url: ['/workflow/url'],
      },
      container: { kind: 'project', id: ['/project/id'], name: ['/project/slug', '/project/name'] },
      severity: {
        from: ['/job/status', '/workflow/status'],
        map: { failed: 'high', error: 'high', unauthorized: 'medium', canceled: 'low' },
      },
      occurred_at: ['/happened_at'],
    },
    setup_steps: [
      'In CircleCI, open Project Settings, Webhooks, and choose Add Webhook.',
      'Enter {url} as the Receiver URL, and the secret of this integration as the Secret token.',
      'Select the events, and save.',
    ],
  },
  sample: {
    headers: { 'circleci-event-type': 'workflow-completed' },
    payload: {
      type: 'workflow-completed',
      id: '3888f21b-eaa7-38e3-8f3d-75a63bba8895',
      happened_at: '2026-11-02T08:00:00.123Z',
      webhook: { id: 'cf8c4fdd-0587-4da1-b4ca-4846e9640af9', name: 'Hubline' },
      project: { id: '84996744-a854-4f5e-aea3-04e2851dc1d2', name: 'web', slug: 'github/acme/web' },
      organization: { id: 'f22b6566-597d-46d5-ba74-99ef5bb3d85c', name: 'acme' },
      workflow: {
        id: 'fda08377-fe7e-46b1-8992-3a7aaecac9c3',
        name: 'build-test-deploy',
        status: 'failed',
        url: 'https://app.circleci.com/pipelines/github/acme/web/130/workflows/fda08377',
      },
      pipeline: {
        id: '1285fe1d-d3a6-44fc-8886-8979558254c4',
        number: 130,
        vcs: {
          provider_name: 'github',
          branch: 'main',
          commit: { subject: 'Add a login page', author: { name: 'Li', email: 'li@example.com' } },
        },
      },
    },
  },
};
