import { hmacHex, refusal, seconds, type Tool } from './tool.ts';

export const customWebhook: Tool = {
  provider: 'custom',
  credentials: {
    notify_url: '{api}/notify',
    delivery_id_header: 'X-Delivery',
    timestamp_header: 'X-Time',
    signed: '{timestamp}.{body}',
  },
  api: ({ url }) => (url === '/notify' ? { status: 200 } : undefined),
  refusals: {
    401: refusal(401, null, 'destination_refused'),
    403: refusal(403, null, 'destination_refused'),
  },
  // Any server may be there.
  fine: ['a page', 'nothing'],
  destination: '{host}',
  calls: {
    prove: ({ secret, body, at, id }) => ({
      'x-hub-signature-256': `sha256=${hmacHex(secret, `${seconds(at)}.${body}`)}`,
      'x-delivery': id,
      'x-time': seconds(at),
    }),
    event: ({ padding = '' }) => JSON.stringify({ status: 'passed', padding }),
    type: 'custom',
    success: [{ status: 202 }, { status: 200 }],
    maxAge: 300,
  },
};
