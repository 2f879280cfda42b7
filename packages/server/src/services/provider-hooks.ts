import type { Context } from '../context.ts';
import type { IntegrationRow } from '../db/integrations.ts';
import type { ProviderTools } from '../providers/provider.ts';
import { openCredentials } from './credentials.ts';

/** What a provider may use: the guarded way out, and the operator's base URL for its API. */
export function toolsFor(context: Pick<Context, 'outbound' | 'config'>, provider: string): ProviderTools {
  return { outbound: context.outbound, apiUrl: context.config.providerApiUrls[provider] };
}

/** Removes hooks at their providers, in the background: a provider that is down must not keep an integration alive. */
export function removeHooks(context: Context, rows: readonly IntegrationRow[]): void {
  for (const row of rows) {
    const provider = context.providers.get(row.provider);
    if (!provider?.unregister || row.hook === null) continue;
    provider
      .unregister(openCredentials(context, row), JSON.parse(row.hook), toolsFor(context, row.provider))
      .catch((error: unknown) =>
        context.log.warn(
          { err: error, integration_id: row.id },
          'a hook could not be removed at its provider',
        ),
      );
  }
}
