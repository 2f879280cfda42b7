import { LIMITS } from '@hubline/contract/constants';
import type { Integration, IntegrationSummary } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { visibleText } from '../../data/formats/visible-text.ts';
import { useQuery } from '../../data/queries/use-query.ts';

const READ_MAX = 500;

/** The integrations of a workspace by their IDs, to name them in lists; `undefined` until they have loaded. */
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

/** Integrations as a choice: ID → name, with the end of the ID where names are alike. */
export function integrationOptions(
  integrations: readonly IntegrationSummary[],
): Readonly<Record<string, string>> {
  const names = integrations.map((each) => integrationName(each));
  return Object.fromEntries(
    integrations.map(({ integration_id: id }, at) => {
      const name = names[at] ?? id;
      return [id, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${shortId(id)}`];
    }),
  );
}

/** The end of an ID, to tell two integrations of one provider apart: IDs begin alike. */
export const shortId = (id: string): string => `…${id.slice(-6)}`;
