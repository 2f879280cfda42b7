import type { Deps } from '../../context.ts';
import type { IntegrationRow } from '../../db/integrations/integrations.ts';
import type { Credentials } from '../../providers/provider.ts';
import { openIfReadable } from '../../secrets/vault.ts';

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
  const text = openIfReadable(vault, credentials, credentialsContext(id));
  return text === null ? null : (JSON.parse(text) as Credentials);
}
