import type { Preset } from './preset.ts';

/** https://shopify.dev/docs/apps/build/webhooks/subscribe/https */
export const shopify: Preset = {
  definition: {
    provider: 'shopify',
    name: 'Shopify',
    description: 'Orders, products, customers and everything else that Shopify has a topic for.',
    verification: { kind: 'hmac', header: 'X-Shopify-Hmac-Sha256', encoding: 'base64' },
    issues_secret: true,
    event_type: { from: ['header:X-Shopify-Topic'], default: 'shopify' },
    // X-Shopify-Event-Id is unsuitable: calls of several topics about one action share it.
    dedupe_key: ['header:X-Shopify-Webhook-Id'],
    summary: {
      action: ['header:X-Shopify-Topic'],
      actor: { id: ['/customer/id'], name: ['/customer/email', '/email'] },
      subject: {
        id: ['/admin_graphql_api_id', '/id'],
        name: ['/name', '/title', '/email'],
        url: ['/order_status_url'],
      },
      container: { kind: 'shop', name: ['header:X-Shopify-Shop-Domain'] },
      occurred_at: ['header:X-Shopify-Triggered-At', '/updated_at', '/created_at'],
    },
    setup_steps: [
      'In the Shopify admin, open Settings, Notifications, Webhooks, and choose Create webhook.',
      'Choose the event, the format JSON, and enter {url} as the URL.',
      'Copy the key under "Your webhooks will be signed with", and reconnect the integration with it as its secret, unless it has it already. For webhooks of an app, that is the client secret of the app.',
    ],
  },
  sample: {
    headers: {
      'x-shopify-topic': 'orders/create',
      'x-shopify-shop-domain': 'acme.myshopify.com',
      'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
      'x-shopify-triggered-at': '2026-11-02T08:00:00.123456789Z',
    },
    payload: {
      id: 450789469,
      admin_graphql_api_id: 'gid://shopify/Order/450789469',
      name: '#1042',
      email: 'ana@example.com',
      created_at: '2026-11-02T09:00:00+01:00',
      currency: 'EUR',
      total_price: '49.00',
      order_status_url: 'https://acme.myshopify.com/548380009/orders/123456abcd',
      customer: { id: 115_310_627_314_723, email: 'ana@example.com' },
    },
  },
};
