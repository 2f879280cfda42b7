import type { Preset } from './preset.ts';

/** https://vercel.com/docs/webhooks/webhooks-api */
export const vercel: Preset = {
  definition: {
    provider: 'vercel',
    name: 'Vercel',
    description: 'Deployments, projects and domains of Vercel.',
    verification: { kind: 'hmac', algorithm: 'sha1', header: 'x-vercel-signature' },
    issues_secret: true,
    event_type: { from: ['/type'], default: 'vercel' },
    dedupe_key: ['/id'],
    summary: {
      action: ['/type'],
      actor: { id: ['/payload/user/id'], name: ['/payload/deployment/meta/githubCommitAuthorName'] },
      subject: {
        id: ['/payload/deployment/id', '/payload/project/id'],
        name: ['/payload/deployment/name', '/payload/name', '/payload/project/name'],
        url: ['/payload/links/deployment', '/payload/links/project'],
      },
      container: { kind: 'project', id: ['/payload/project/id'], name: ['/payload/project/name'] },
      severity: {
        from: ['/type'],
        map: {
          'deployment.error': 'high',
          'deployment.canceled': 'low',
          'deployment.check-rerequested': 'low',
        },
      },
      occurred_at: ['/createdAt'],
    },
    setup_steps: [
      'In Vercel, open the settings of the team, then Webhooks.',
      'Select the events and the projects, enter {url} as the Endpoint URL, and choose Create Webhook.',
      'Copy the secret, which Vercel shows once, and reconnect the integration with it, unless it has it already.',
    ],
  },
  sample: {
    headers: {},
    payload: {
      id: 'evt_5f2K8mJ3rQ',
      type: 'deployment.error',
      createdAt: 1_793_606_400_123,
      region: 'fra1',
      payload: {
        team: { id: 'team_1' },
        user: { id: 'usr_1' },
        project: { id: 'prj_1', name: 'web' },
        deployment: {
          id: 'dpl_1',
          name: 'web',
          url: 'web-1.vercel.app',
          meta: { githubCommitAuthorName: 'Li' },
        },
        links: {
          deployment: 'https://vercel.com/acme/web/dpl_1',
          project: 'https://vercel.com/acme/web',
        },
      },
    },
  },
};
