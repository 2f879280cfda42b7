import type { Preset } from './preset.ts';

/** https://developer.pagerduty.com/docs/webhooks/webhook-signatures/ */
export const pagerduty: Preset = {
  definition: {
    provider: 'pagerduty',
    name: 'PagerDuty',
    description: 'Incidents and services from PagerDuty (v3 webhooks).',
    verification: { kind: 'hmac', header: 'X-PagerDuty-Signature', separator: ',', prefix: 'v1=' },
    issues_secret: true,
    event_type: { from: ['/event/event_type'], default: 'incident' },
    dedupe_key: ['/event/id'],
    pings: ['pagey.ping'],
    summary: {
      action: ['/event/event_type'],
      actor: { id: ['/event/agent/id'], name: ['/event/agent/summary'] },
      subject: {
        kind: 'incident',
        id: ['/event/data/id', '/event/data/incident/id'],
        name: ['/event/data/title', '/event/data/incident/summary', '/event/data/summary'],
        url: ['/event/data/html_url', '/event/data/incident/html_url'],
      },
      container: {
        kind: 'service',
        id: ['/event/data/service/id'],
        name: ['/event/data/service/summary'],
        url: ['/event/data/service/html_url'],
      },
      severity: {
        from: ['/event/data/priority/summary', '/event/data/urgency'],
        map: { P1: 'critical', P2: 'high', P3: 'medium', P4: 'low', P5: 'low', high: 'high', low: 'low' },
      },
      occurred_at: ['/event/occurred_at'],
    },
    setup_steps: [
      'In PagerDuty, open Integrations, Generic Webhooks (v3), and choose New Webhook.',
      'Enter {url} as the Webhook URL, choose the scope and the events, and add the webhook.',
      'Copy the signing secret, which PagerDuty shows once, and reconnect the integration with it, unless it has it already.',
    ],
  },
  sample: {
    headers: {},
    payload: {
      event: {
        id: '01BZ8YQZ3H4Z5W1K2Q7X3V9B6N',
        event_type: 'incident.triggered',
        resource_type: 'incident',
        occurred_at: '2026-11-02T08:00:00.000Z',
        agent: { id: 'PLH1HKV', summary: 'Ana Example', type: 'user_reference' },
        client: null,
        data: {
          id: 'PGR0VU2',
          type: 'incident',
          html_url: 'https://acme.pagerduty.com/incidents/PGR0VU2',
          number: 2,
          status: 'triggered',
          title: 'The checkout answers 500',
          urgency: 'high',
          priority: { id: 'PSO75BM', summary: 'P1', type: 'priority_reference' },
          service: {
            id: 'PF9KMXH',
            summary: 'Checkout',
            html_url: 'https://acme.pagerduty.com/services/PF9KMXH',
          },
        },
      },
    },
  },
};
