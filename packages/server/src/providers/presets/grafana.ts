import type { Preset } from './preset.ts';

/** https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/ */
export const grafana: Preset = {
  definition: {
    provider: 'grafana',
    name: 'Grafana',
    description: 'Alerts from Grafana, sent by a contact point.',
    verification: {
      kind: 'hmac',
      header: 'X-Grafana-Alerting-Signature',
      signed: '{timestamp}:{body}',
      timestamp: { header: 'X-Grafana-Alerting-Timestamp', tolerance_seconds: 300 },
    },
    event_type: { default: 'alert' },
    summary: {
      action: ['/status'],
      subject: {
        kind: 'alert',
        id: ['/alerts/0/fingerprint', '/groupKey'],
        name: ['/commonLabels/alertname', '/alerts/0/labels/alertname', '/title'],
        url: ['/alerts/0/panelURL', '/alerts/0/generatorURL', '/externalURL'],
      },
      container: { kind: 'folder', name: ['/commonLabels/grafana_folder'] },
      text: ['/title', '/message'],
      severity: { from: ['/commonLabels/severity', '/alerts/0/labels/severity'] },
      occurred_at: ['/alerts/0/startsAt'],
    },
    setup_steps: [
      'In Grafana, open Alerting, Contact points, and add a contact point of the type Webhook with the URL {url}.',
      'Under HMAC Signature, enter the secret of this integration, and X-Grafana-Alerting-Timestamp as the Timestamp header.',
      'Save the contact point, and send a test notification.',
    ],
  },
  sample: {
    headers: {},
    payload: {
      receiver: 'Hubline',
      status: 'firing',
      orgId: 1,
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'High memory usage', grafana_folder: 'Servers', severity: 'critical' },
          annotations: { summary: 'Memory of web-1 is at 98%' },
          startsAt: '2026-11-02T08:00:00Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://play.grafana.org/alerting/grafana/mem/view',
          fingerprint: 'a9d2f2c2f7c7e6ae',
        },
      ],
      groupLabels: { alertname: 'High memory usage' },
      commonLabels: { alertname: 'High memory usage', grafana_folder: 'Servers', severity: 'critical' },
      commonAnnotations: {},
      externalURL: 'https://play.grafana.org/',
      groupKey: '{}:{alertname="High memory usage"}',
      title: '[FIRING:1] High memory usage Servers',
      state: 'alerting',
      message: '**Firing** Memory of web-1 is at 98%',
    },
  },
};
