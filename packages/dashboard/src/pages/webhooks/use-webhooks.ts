import { LIMITS } from '@hubline/contract/constants';
import { client } from '../../api/client.ts';
import { useQuery } from '../../data/queries/use-query.ts';

/** The webhooks of a workspace by their IDs, to name them in lists; `undefined` until they have loaded. */
export function useWebhooks(workspaceId: string) {
  const { data } = useQuery(
    (signal) =>
      client.webhooks.list({ workspace_id: workspaceId, limit: LIMITS.pageMax }, { signal }).toArray(),
    ['webhooks', workspaceId],
  );
  return data && new Map(data.map((webhook) => [webhook.id, webhook]));
}
