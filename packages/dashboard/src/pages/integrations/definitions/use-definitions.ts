import { LIMITS } from '@hubline/contract/constants';
import type { Provider } from '@hubline/sdk';
import { client } from '../../../api/client.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useProviders } from '../connect/providers.ts';

/** The providers that the workspace has defined. */
export function useDefinitions() {
  const workspace = useWorkspace();
  return useQuery(
    (signal) => client.providers.list(workspace.id, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['providers', workspace.id],
  );
}

/** Every provider that an integration of the workspace can have; `undefined` while they load. */
export function useAllProviders(): readonly Provider[] | undefined {
  const providers = useProviders();
  const definitions = useDefinitions();
  return providers.data && definitions.data && [...providers.data, ...definitions.data];
}
