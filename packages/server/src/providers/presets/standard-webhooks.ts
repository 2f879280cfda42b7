import type { Preset } from './preset.ts';

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooks: Preset = {
  definition: {
    provider: 'standard-webhooks',
    name: 'Standard Webhooks',
    description: 'Events of any tool that signs by the Standard Webhooks specification.',
    verification: {
      kind: 'hmac',
      key: 'whsec',
      header: 'webhook-signature',
      separator: ' ',
      prefix: 'v1,',
      encoding: 'base64',
      signed: '{id}.{timestamp}.{body}',
      timestamp: { header: 'webhook-timestamp', tolerance_seconds: 300 },
      id_header: 'webhook-id',
    },
    event_type: { from: ['/type'], default: 'message' },
    dedupe_key: ['header:webhook-id'],
    summary: { occurred_at: ['/timestamp'] },
    setup_steps: [
      'Add a webhook endpoint in the tool, with the URL {url}.',
      'Copy its signing secret, which begins with whsec_, and reconnect the integration with it, unless it has it already; or give the tool the secret of this integration.',
    ],
  },
  sample: {
    headers: { 'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W' },
    payload: {
      type: 'contact.created',
      timestamp: '2026-11-03T20:26:10.344522Z',
      data: { id: '1f81eb52-5198-4599-803e-771906343485', title: 'Ada Lovelace' },
    },
  },
};
