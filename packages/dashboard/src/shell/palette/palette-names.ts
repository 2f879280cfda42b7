import { LIMITS } from '@hubline/contract/constants';
import { isAPIError } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { integrationName } from '../../pages/integrations/use-integrations.ts';
import { webhookName } from '../../pages/webhooks/webhook-name.tsx';
import { useWorkspace } from '../../session/workspace.ts';

interface Asked {
  readonly id: string;
  readonly workspaceId: string;
  readonly options: { readonly signal: AbortSignal };
}

/** Reads the name of a thing, by the prefix of its ID; `''` or a 404 if there is none. Other things are shown by their IDs. */
const NAMES: Readonly<Record<string, (asked: Asked) => PromiseLike<string>>> = {
  whk: async ({ id, workspaceId, options }) => {
    const webhook = await client.webhooks.get(id, options);
    return webhook.workspace_id === workspaceId ? webhookName(webhook, id) : '';
  },
  int: async ({ id, workspaceId, options }) => {
    const integration = await client.integrations.get(id, options);
    return integration.workspace_id === workspaceId ? integrationName(integration) : '';
  },
  aut: ({ id, workspaceId, options }) => client.automations.get(workspaceId, id, options).then(nameOf),
  nrl: ({ id, workspaceId, options }) => client.notificationRules.get(workspaceId, id, options).then(nameOf),
  ntp: ({ id, workspaceId, options }) =>
    client.notificationTemplates.get(workspaceId, id, {}, options).then(nameOf),
  key: ({ id, workspaceId, options }) => client.apiKeys.get(workspaceId, id, options).then(nameOf),
  usr: ({ id, workspaceId, options }) =>
    client.members
      .list(workspaceId, { limit: LIMITS.pageMax }, options)
      .toArray()
      .then((members) => members.find(({ user_id }) => user_id === id)?.email ?? ''),
};

const nameOf = ({ name }: { readonly name: string }): string => name;

/** The name of the thing with this ID; `undefined` until it is known, and `null` if nothing in the workspace has the ID. */
export function useNameOf(id: string | undefined): string | null | undefined {
  const workspace = useWorkspace();
  const { data, error } = useQuery(
    async (signal) =>
      id === undefined
        ? undefined
        : NAMES[id.split('_')[0] ?? '']?.({ id, workspaceId: workspace.id, options: { signal } }),
    ['workspaces', workspace.id, 'name of', id],
  );
  return data === '' || isAPIError(error, 'not_found') ? null : data;
}
