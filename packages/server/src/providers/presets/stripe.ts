import type { Preset } from './preset.ts';

/** https://docs.stripe.com/webhooks#verify-manually */
export const stripe: Preset = {
  definition: {
    provider: 'stripe',
    name: 'Stripe',
    description:
      'Payments, invoices, subscriptions, disputes and everything else that Stripe calls an event.',
    verification: {
      kind: 'hmac',
      header: 'Stripe-Signature',
      separator: ',',
      prefix: 'v1=',
      signed: '{timestamp}.{body}',
      timestamp: { header: 'Stripe-Signature', prefix: 't=', tolerance_seconds: 300 },
    },
    issues_secret: true,
    event_type: { from: ['/type'], default: 'stripe' },
    dedupe_key: ['/id'],
    summary: {
      action: ['/type'],
      subject: {
        id: ['/data/object/id'],
        name: ['/data/object/description', '/data/object/name', '/data/object/number', '/data/object/id'],
        url: ['/data/object/hosted_invoice_url', '/data/object/receipt_url'],
      },
      severity: {
        from: ['/type'],
        map: {
          'charge.failed': 'high',
          'charge.dispute.created': 'high',
          'invoice.payment_failed': 'high',
          'payment_intent.payment_failed': 'high',
          'payout.failed': 'high',
          'radar.early_fraud_warning.created': 'high',
          'customer.subscription.deleted': 'medium',
        },
      },
      occurred_at: ['/created'],
    },
    setup_steps: [
      'In Stripe, open Developers, Webhooks, and choose Add destination (or Add endpoint).',
      'Select the events, and enter {url} as the endpoint URL.',
      'Reveal the signing secret of the endpoint, which begins with whsec_, and reconnect the integration with it, unless it has it already.',
    ],
  },
  sample: {
    headers: {},
    payload: {
      id: 'evt_1Q0PsIJvEtkwdCNYMSaVuRz6',
      object: 'event',
      api_version: '2026-09-30.acacia',
      created: 1_793_606_400,
      type: 'invoice.payment_failed',
      livemode: false,
      data: {
        object: {
          id: 'in_1Q0PsIJvEtkwdCNY',
          object: 'invoice',
          number: 'ACME-0042',
          amount_due: 4900,
          currency: 'eur',
          hosted_invoice_url: 'https://invoice.stripe.com/i/acct_1/test_1',
        },
      },
      request: { id: null, idempotency_key: null },
    },
  },
};
