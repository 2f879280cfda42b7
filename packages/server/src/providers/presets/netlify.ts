import type { Preset } from './preset.ts';

/** https://docs.netlify.com/site-deploys/notifications/#payload-signature */
export const netlify: Preset = {
  definition: {
    provider: 'netlify',
    name: 'Netlify',
    description: 'Deploys on Netlify.',
    verification: { kind: 'jwt', header: 'X-Webhook-Signature', body_claim: 'sha256', issuer: 'netlify' },
    event_type: { from: ['header:X-Netlify-Event'], default: 'deploy' },
    // There is no dedupe key: Netlify's calls have no ID, and one deploy causes several. Calls with equal bodies are
    // the same.
    summary: {
      action: ['/state'],
      actor: { name: ['/committer'] },
      subject: { kind: 'deploy', id: ['/id'], name: ['/title', '/branch', '/name'], url: ['/admin_url'] },
      container: { kind: 'site', id: ['/site_id'], name: ['/name'], url: ['/ssl_url', '/url'] },
      severity: { from: ['/state'], map: { error: 'high', rejected: 'medium' } },
      occurred_at: ['/updated_at', '/created_at'],
    },
    setup_steps: [
      'In Netlify, open the project configuration, Notifications, Emails and webhooks, and add an HTTP POST request under Deploy notifications.',
      'Choose the event, enter {url} as the URL to notify, and the secret of this integration as the JWS secret token.',
      'Repeat this for each event: Netlify sends one event to each notification.',
    ],
  },
  sample: {
    headers: { 'x-netlify-event': 'deploy_failed' },
    payload: {
      id: '6905f0bf4fea0b01f02efa3a',
      site_id: 'fa4dd95a-994e-4f89-8a7a-2d9e9fc36a32',
      state: 'error',
      name: 'acme-web',
      url: 'http://acme-web.netlify.app',
      ssl_url: 'https://acme-web.netlify.app',
      admin_url: 'https://app.netlify.com/projects/acme-web',
      created_at: '2026-11-02T07:58:15.346Z',
      updated_at: '2026-11-02T08:00:00.000Z',
      branch: 'main',
      title: 'Add a login page',
      committer: 'li',
      error_message: 'Build script returned non-zero exit code: 2',
    },
  },
};
