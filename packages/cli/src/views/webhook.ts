import type { Webhook, WebhookFilterVerdict, WebhookRotatedSecret } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

const webhookFields = [
  'id',
  'name',
  'url',
  'events',
  'filters',
  'workspace_id',
  'status',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'last_failed_attempt',
  'rate_limit',
  'description',
  'created_at',
  'updated_at',
] as const;

export const webhookView = view<Webhook>()({
  noun: ['webhook', 'webhooks'],
  fields: webhookFields,
  columns: [
    'id',
    { path: 'name', optional: true },
    { path: 'url', flexible: true },
    { path: 'events', header: 'TRIGGERS', flexible: true },
    'status',
    { path: 'created_at', optional: true },
  ],
  id: 'id',
});

/** A webhook that was just made, with the secret if this command generated it. */
type CreatedWebhook = Webhook & { secret?: string | undefined };

export const createdWebhookView = view<CreatedWebhook>()({
  noun: ['webhook', 'webhooks'],
  fields: [...webhookFields, 'secret'],
  columns: ['id', { path: 'url', flexible: true }, { path: 'events', header: 'TRIGGERS' }, 'status'],
  id: 'id',
  oneTimeSecrets: ['secret'],
});

export const rotatedSecretView = view<WebhookRotatedSecret>()({
  noun: ['webhook', 'webhooks'],
  fields: ['id', 'secret', 'previous_valid_until'],
  columns: ['id', 'previous_valid_until'],
  id: 'id',
  oneTimeSecrets: ['secret'],
});

export const filterVerdictView = view<WebhookFilterVerdict>()({
  noun: ['event', 'events'],
  fields: ['event_id', 'type', 'source', 'created_at', 'matched', 'refused_by', 'conditions'],
  columns: ['event_id', 'type', 'source', 'matched', 'refused_by', { path: 'created_at', optional: true }],
  id: 'event_id',
});
