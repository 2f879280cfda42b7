import type { WorkContext } from '../../context.ts';
import type { IntegrationRow } from '../../db/integrations/integrations.ts';
import { unprocessable } from '../../domain/faults/fault.ts';
import { missingCredentials } from '../../providers/credentials.ts';
import type { Credentials, Provider } from '../../providers/provider.ts';
import { openCredentials } from './credentials.ts';
import { freshCredentials } from './oauth/refresh.ts';
import { recordUnreadable } from './status.ts';

/**
 * Credentials with which the provider can be called. Throws `unprocessable_entity` if there are none, and
 * `ProviderUnavailable`.
 */
export async function usableCredentials(
  context: WorkContext,
  provider: Provider,
  row: IntegrationRow,
): Promise<Credentials> {
  return freshCredentials(context, row, await storedCredentials(context, provider, row));
}

/**
 * The stored credentials, even if the provider may no longer accept them. Throws `unprocessable_entity` if there are
 * none.
 */
export async function storedCredentials(
  context: WorkContext,
  provider: Provider,
  row: IntegrationRow,
): Promise<Credentials> {
  const credentials = openCredentials(context, row);
  if (!credentials) {
    await recordUnreadable(context, row);
    const issue =
      'names an integration whose stored credentials can no longer be read; reconnect it with new ones';
    throw unprocessable('integrationId', issue, { passing: true });
  }
  const missing = missingCredentials(provider, credentials);
  if (missing.length === 0) return credentials;
  throw unprocessable(
    'integrationId',
    `names a ${provider.name} integration without credentials; reconnect it with ${missing.join(', ')}`,
    { passing: true },
  );
}
