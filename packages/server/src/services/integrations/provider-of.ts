import { LIMITS } from '@hubline/contract';
import type { Deps, WorkspaceContext } from '../../context.ts';
import type { IntegrationRow } from '../../db/integrations/integrations.ts';
import {
  findProviderDefinition,
  listProviderDefinitions,
  type ProviderDefinitionRow,
} from '../../db/integrations/provider-definitions.ts';
import { type Fault, unprocessable } from '../../domain/faults/fault.ts';
import { definedProvider } from '../../providers/defined/defined.ts';
import type { Definition } from '../../providers/defined/definition.ts';
import type { Provider } from '../../providers/provider.ts';

type Providers = Pick<Deps, 'providers'>;

/** A stored definition. */
export const definitionOf = ({ definition }: Pick<ProviderDefinitionRow, 'definition'>): Definition =>
  JSON.parse(definition) as Definition;

/**
 * The provider of an integration: by its current definition, or a built-in one; `undefined` if this server no longer
 * has it.
 */
export function providerOf(
  { providers }: Providers,
  { provider, definition }: Pick<IntegrationRow, 'provider' | 'definition'>,
): Provider | undefined {
  return definition === null ? providers.get(provider) : definedProvider(definitionOf({ definition }));
}

/** A provider that can be connected, with the row of its definition if it is not built in. */
export interface FoundProvider {
  provider: Provider;
  definition: ProviderDefinitionRow | null;
}

/** A provider that this server has or the workspace has defined. Throws `unprocessable_entity` at `field` otherwise. */
export async function findProvider(
  context: WorkspaceContext,
  key: string,
  field: string,
): Promise<FoundProvider> {
  const { workspaceId } = context.access;
  const provider = context.providers.get(key);
  if (provider) return { provider, definition: null };
  const db = context.store.read;
  const definition = await findProviderDefinition(db, workspaceId, { provider: key });
  if (!definition) throw await unknownProvider(context, field);
  return { provider: definedProvider(definitionOf(definition)), definition };
}

async function unknownProvider(
  { providers, store, access }: WorkspaceContext,
  field: string,
): Promise<Fault> {
  const page = { after: null, limit: LIMITS.providersMax };
  const defined = await listProviderDefinitions(store.read, access.workspaceId, page);
  const keys = [...providers.keys(), ...defined.map(({ provider }) => provider)];
  return unprocessable(field, `must be one of ${keys.join(', ')}, or a provider that you define first`);
}
