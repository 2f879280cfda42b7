import { LIMITS } from '@hubline/contract/constants';
import type { NotificationTemplate } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { useQuery } from '../../data/queries/use-query.ts';

/** The templates of a workspace, to choose from; `undefined` until they have loaded. */
export const useTemplates = (workspaceId: string): readonly NotificationTemplate[] | undefined =>
  useQuery(
    (signal) =>
      client.notificationTemplates.list(workspaceId, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['notification-templates', workspaceId, 'all'],
  ).data;
