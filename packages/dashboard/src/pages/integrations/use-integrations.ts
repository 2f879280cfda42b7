import { LIMITS } from '@hubline/contract/constants';
import type { Integration, IntegrationSummary } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { visibleText } from '../../data/visible-text.ts';
import { useQuery } from '../../data/use-query.ts';

const READ_MAX = 500;

/** The integrations of a workspace by their ids, to name them in lists; `undefined` until they are there. */
export function useIntegrations(workspaceId: string) {
  const { data } = useQuery(
    (signal) =>
      client.integrations
        .list(workspaceId, { limit: LIMITS.pageMax }, { signal })
        .toArray({ limit: READ_MAX }),
    ['integrations', workspaceId, 'all'],
  );
  return data && new Map(data.map((integration) => [integration.integration_id, integration]));
}

/** The name of an integration; without one its provider, with the end of its id where that alone would not tell. */
export function integrationName(
  { name, provider, integration_id: id }: Pick<Integration, 'name' | 'provider' | 'integration_id'>,
  providerName = `${provider} ${shortId(id)}`,
): string {
  return name === null ? providerName : visibleText(name);
}

/** Integrations as a choice: id → name. */
export const integrationOptions = (
  integrations: readonly IntegrationSummary[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(integrations.map((each) => [each.integration_id, integrationName(each)]));

/** Ids begin alike: what tells two of one provider apart is how they end. */
export const shortId = (id: string): string => `…${id.slice(-6)}`;
