import type { Preset } from './preset.ts';

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export const sentry: Preset = {
  definition: {
    provider: 'sentry',
    name: 'Sentry',
    description: 'Issues, errors, alerts and comments of Sentry.',
    // Sentry's own timestamp header is not signed: it proves nothing.
    verification: { kind: 'hmac', header: 'Sentry-Hook-Signature' },
    issues_secret: true,
    event_type: {
      from: ['header:Sentry-Hook-Resource'],
      map: { event_alert: 'alert', metric_alert: 'alert', comment: 'message' },
      default: 'sentry',
    },
    dedupe_key: ['header:Request-ID'],
    pings: ['installation'],
    summary: {
      action: ['/action'],
      actor: { id: ['/actor/id'], name: ['/actor/name'] },
      subject: {
        id: ['/data/issue/id', '/data/error/issue_id', '/data/event/issue_id', '/data/metric_alert/id'],
        name: [
          '/data/issue/title',
          '/data/error/title',
          '/data/event/title',
          '/data/metric_alert/title',
          '/data/comment',
        ],
        url: ['/data/issue/web_url', '/data/error/web_url', '/data/event/web_url', '/data/web_url'],
      },
      severity: {
        from: ['/data/issue/level', '/data/error/level', '/data/event/level', '/action'],
        map: { fatal: 'critical', error: 'high', critical: 'critical', warning: 'medium', info: 'low' },
      },
      occurred_at: ['/data/error/datetime', '/data/event/datetime', '/data/issue/lastSeen'],
    },
    setup_steps: [
      'In Sentry, open Settings, Developer Settings (Custom Integrations), and create an internal integration.',
      'Enter {url} as the Webhook URL, switch on Alert Rule Action if you want alerts, and select the webhooks issue, error or comment.',
      'Save, copy the Client Secret, and reconnect the integration with it as its secret, unless it has it already.',
    ],
  },
  sample: {
    headers: {
      'request-id': '8f3f9c6e-43d8-4c9e-9e2b-0a6f4d2f2f11',
      'sentry-hook-resource': 'issue',
      'sentry-hook-timestamp': '1793606400',
    },
    payload: {
      action: 'created',
      installation: { uuid: '24b64f5e-7d5d-4d0a-9b4e-2b8f6d4a4c0e' },
      data: {
        issue: {
          id: '4711',
          shortId: 'WEB-1A',
          title: 'TypeError: cart is undefined',
          level: 'error',
          status: 'unresolved',
          web_url: 'https://acme.sentry.io/issues/4711/',
          lastSeen: '2026-11-02T08:00:00.000000Z',
          project: { id: '1', name: 'web', slug: 'web' },
        },
      },
      actor: { type: 'application', id: 'sentry', name: 'Sentry' },
    },
  },
};
