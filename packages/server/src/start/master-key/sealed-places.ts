import type { SealedColumn } from '../../db/sealed-columns.ts';
import { sealContext } from '../../jobs/enqueue.ts';
import { automationSecretContext } from '../../services/automations/secret.ts';
import { sealedResponse } from '../../services/idempotency.ts';
import { credentialsContext } from '../../services/integrations/credentials.ts';
import { oauthAppContext } from '../../services/integrations/oauth/apps.ts';
import { secretContext } from '../../services/webhooks/webhooks.ts';

/** Every place in which secrets are stored, and the context of the seal of one of its rows. */
export const SEALED_PLACES: readonly (SealedColumn & { context: (key: readonly unknown[]) => string })[] = [
  {
    table: 'integrations',
    column: 'credentials',
    keys: ['id'],
    context: ([id]) => credentialsContext(String(id)),
  },
  {
    table: 'webhooks',
    column: 'secret',
    keys: ['id'],
    context: ([id]) => secretContext(String(id), 'secret'),
  },
  {
    table: 'webhooks',
    column: 'previous_secret',
    keys: ['id'],
    context: ([id]) => secretContext(String(id), 'previous_secret'),
  },
  {
    table: 'automations',
    column: 'secret',
    keys: ['id'],
    context: ([id]) => automationSecretContext(String(id)),
  },
  {
    table: 'oauth_apps',
    column: 'app',
    keys: ['workspace_id', 'provider'],
    context: ([workspaceId, provider]) => oauthAppContext(String(workspaceId), String(provider)),
  },
  {
    table: 'jobs',
    column: 'payload',
    keys: ['kind', 'key'],
    context: ([kind, key]) => sealContext(String(kind), String(key)),
  },
  {
    table: 'idempotency_keys',
    column: 'body',
    keys: ['id'],
    context: ([id]) => sealedResponse(id as Buffer),
  },
];
