import type { Deps } from '../context.ts';
import type { IntegrationRow } from '../db/integrations.ts';
import type { Credentials } from '../providers/provider.ts';

const place = (integrationId: string) => `integration:${integrationId}:credentials`;

/** Credentials as they are stored: one sealed JSON object, bound to its integration. */
export function sealCredentials(
  context: Pick<Deps, 'vault'>,
  integrationId: string,
  credentials: Credentials,
): string {
  return context.vault.seal(JSON.stringify(credentials), place(integrationId));
}

/** Throws `VaultError` when the row was damaged or swapped. */
export function openCredentials(
  context: Pick<Deps, 'vault'>,
  row: Pick<IntegrationRow, 'id' | 'credentials'>,
): Credentials {
  return JSON.parse(context.vault.open(row.credentials, place(row.id))) as Credentials;
}
