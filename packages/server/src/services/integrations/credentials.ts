import type { Deps } from '../../context.ts';
import type { IntegrationRow } from '../../db/integrations/integrations.ts';
import type { Credentials } from '../../providers/provider.ts';
import { VaultError } from '../../secrets/vault.ts';

/** The associated data with which the credentials of an integration are sealed. */
export const credentialsContext = (integrationId: string) => `integration:${integrationId}:credentials`;

/** Credentials as they are stored: one sealed JSON object, bound to its integration. */
export function sealCredentials(
  context: Pick<Deps, 'vault'>,
  integrationId: string,
  credentials: Credentials,
): string {
  return context.vault.seal(JSON.stringify(credentials), credentialsContext(integrationId));
}

/** The stored credentials; `null` if they no longer decrypt, because the row was damaged or moved. */
export function openCredentials(
  { vault }: Pick<Deps, 'vault'>,
  { id, credentials }: Pick<IntegrationRow, 'id' | 'credentials'>,
): Credentials | null {
  try {
    return JSON.parse(vault.open(credentials, credentialsContext(id))) as Credentials;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
