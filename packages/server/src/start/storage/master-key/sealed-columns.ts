import type { SEALED_COLUMNS } from '../../../db/sealed-columns.ts';
import { sealContext } from '../../../jobs/enqueue.ts';
import { automationSecretContext } from '../../../services/automations/secret.ts';
import { sealedResponse } from '../../../services/idempotency.ts';
import { credentialsContext } from '../../../services/integrations/credentials.ts';
import { oauthAppContext } from '../../../services/integrations/oauth/apps.ts';
import { webhookSecretContext } from '../../../services/webhooks/secret.ts';

type Column = (typeof SEALED_COLUMNS)[number];
type NameOf<Each> = Each extends Column ? `${Each['table']}.${Each['column']}` : never;

const ASSOCIATED_DATA: Record<NameOf<Column>, (key: readonly unknown[]) => string> = {
  'integrations.credentials': ([id]) => credentialsContext(String(id)),
  'webhooks.secret': ([id]) => webhookSecretContext(String(id), 'secret'),
  'webhooks.previous_secret': ([id]) => webhookSecretContext(String(id), 'previous_secret'),
  'automations.secret': ([id]) => automationSecretContext(String(id)),
  'oauth_apps.app': ([workspaceId, provider]) => oauthAppContext(String(workspaceId), String(provider)),
  'jobs.payload': ([kind, key]) => sealContext(String(kind), String(key)),
  'idempotency_keys.body': ([id]) => sealedResponse(id as Buffer),
};

/** The associated data with which the secret of a row is sealed, by the key of the row. */
export const associatedData = ({ table, column }: Column, key: readonly unknown[]): string =>
  ASSOCIATED_DATA[`${table}.${column}` as NameOf<Column>](key);
