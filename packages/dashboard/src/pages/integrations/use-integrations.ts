import { LIMITS } from '@hubline/contract/constants';
import type { Integration, IntegrationSummary } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { nameChoice } from '../../data/formats/name-choice.ts';
import { visibleText } from '../../data/formats/visible-text.ts';
import { useQuery } from '../../data/queries/use-query.ts';

/** The integrations of a workspace by their IDs, to name them in lists; `undefined` until they have loaded. */
export function useIntegrations(workspaceId: string) {
  const { data } = useQuery(
    (signal) => client.integrations.list(workspaceId, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['integrations', workspaceId, 'all'],
  );
  return data && new Map(data.map((integration) => [integration.integration_id, integration]));
}

/** The name of an integration, or that of its provider if it has none. */
export function integrationName(
  { name, provider }: Pick<Integration, 'name' | 'provider'>,
  providerName = PROVIDER_NAMES[provider] ?? provider,
): string {
  return name === null ? providerName : visibleText(name);
}

/** The names of tools, by their keys. */
export const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  custom: 'Custom webhook',
  discord: 'Discord',
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
  notion: 'Notion',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

/** Integrations as a choice. */
export const integrationOptions = (
  integrations: readonly IntegrationSummary[],
): Readonly<Record<string, string>> =>
  nameChoice(integrations.map((each) => [each.integration_id, integrationName(each)]));
