import { LIMITS } from '@hubline/contract/constants';
import { client } from '../../api/client.ts';
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

/** Ids begin alike: what tells two of one provider apart is how they end. */
export const shortId = (id: string): string => `…${id.slice(-6)}`;
