import type { SealedColumn } from '../../../db/sealed-columns.ts';
import { sealContext } from '../../../jobs/enqueue.ts';
import { automationSecretContext } from '../../../services/automations/secret.ts';
import { sealedResponse } from '../../../services/idempotency.ts';
import { credentialsContext } from '../../../services/integrations/credentials.ts';
import { oauthAppContext } from '../../../services/integrations/oauth/apps.ts';
import { secretContext } from '../../../services/webhooks/webhooks.ts';

/** Every column in which secrets are stored, and the associated data with which those of one row are sealed. */
export const SEALED_COLUMNS: readonly (SealedColumn & {
  associatedData: (key: readonly unknown[]) => string;
})[] = [
  {
    table: 'integrations',
    column: 'credentials',
    keys: ['id'],
    associatedData: ([id]) => credentialsContext(String(id)),
  },
  {
    table: 'webhooks',
    column: 'secret',
    keys: ['id'],
    associatedData: ([id]) => secretContext(String(id), 'secret'),
  },
  {
    table: 'webhooks',
    column: 'previous_secret',
    keys: ['id'],
    associatedData: ([id]) => secretContext(String(id), 'previous_secret'),
  },
  {
    table: 'automations',
    column: 'secret',
    keys: ['id'],
    associatedData: ([id]) => automationSecretContext(String(id)),
  },
  {
    table: 'oauth_apps',
    column: 'app',
    keys: ['workspace_id', 'provider'],
    associatedData: ([workspaceId, provider]) => oauthAppContext(String(workspaceId), String(provider)),
  },
  {
    table: 'jobs',
    column: 'payload',
    keys: ['kind', 'key'],
    associatedData: ([kind, key]) => sealContext(String(kind), String(key)),
  },
  {
    table: 'idempotency_keys',
    column: 'body',
    keys: ['id'],
    associatedData: ([id]) => sealedResponse(id as Buffer),
  },
];
