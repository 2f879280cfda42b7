import type { Preset } from './preset.ts';

// Datadog signs nothing, and its users write the payload. So the secret goes into a header, and this is the payload.
const PAYLOAD =
  '{"id": "$ID", "event_type": "$EVENT_TYPE", "transition": "$ALERT_TRANSITION", "priority": "$ALERT_PRIORITY", "title": "$EVENT_TITLE", "text": "$TEXT_ONLY_MSG", "url": "$LINK", "date": "$DATE", "alert_id": "$ALERT_ID", "user": "$USER", "organization": "$ORG_NAME"}';

/** https://docs.datadoghq.com/integrations/webhooks/ */
export const datadog: Preset = {
  definition: {
    provider: 'datadog',
    name: 'Datadog',
    description: 'Alerts from Datadog monitors.',
    verification: { kind: 'token', header: 'Authorization', prefix: 'Bearer ' },
    event_type: { from: ['/event_type'], default: 'alert' },
    dedupe_key: ['/id'],
    summary: {
      action: ['/transition'],
      actor: { name: ['/user'] },
      subject: { kind: 'monitor', id: ['/alert_id'], name: ['/title'], url: ['/url'] },
      container: { kind: 'organization', name: ['/organization'] },
      severity: {
        from: ['/priority'],
        map: { P1: 'critical', P2: 'high', P3: 'medium', P4: 'low', P5: 'low' },
      },
      occurred_at: ['/date'],
    },
    setup_steps: [
      'In Datadog, open Integrations, Webhooks, and add a webhook with the URL {url}.',
      `Enter this as its payload: ${PAYLOAD}`,
      'Switch on Custom Headers, and enter {"Authorization": "Bearer …"} with the secret of this integration in place of the dots.',
      'Add @webhook- and the name of the webhook to the message of each monitor.',
    ],
  },
  sample: {
    headers: {},
    payload: {
      id: '1234567',
      event_type: 'metric_alert_monitor',
      transition: 'Triggered',
      priority: 'P1',
      title: '[Triggered] Disk of db-1 is full',
      text: 'Free 9 GB of 100 GB',
      url: 'https://app.datadoghq.com/event/event?id=1234567',
      date: '1793606400000',
      alert_id: '4711',
      user: 'ana@example.com',
      organization: 'Acme',
    },
  },
};
