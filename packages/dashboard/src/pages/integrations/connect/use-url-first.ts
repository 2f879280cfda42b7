import { useLocation } from 'preact-iso/router';
import { client } from '../../../api/client.ts';
import { useAction } from '../../../data/queries/use-action.ts';
import { useWorkspace } from '../../../session/workspace.ts';

/** Adds an integration that waits for its credentials: some tools make a secret only after they know the URL. */
export function useUrlFirst() {
  const workspace = useWorkspace();
  const { route } = useLocation();
  return useAction(async (type: string) => {
    const body = { type, workspace_id: workspace.id, config: {} };
    const { integration_id } = await client.integrations.create(body);
    route(workspace.href(`integrations/${integration_id}`));
  });
}
