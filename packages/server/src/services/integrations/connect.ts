import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import {
  findIntegrationByProvider,
  insertIntegration,
  type IntegrationRow,
} from '../../db/integrations/integrations.ts';
import { NEVER_SYNCED } from '../../db/integrations/stored-sync.ts';
import type { Db, Tx } from '../../db/core/schema.ts';
import {
  findProviderDefinition,
  type ProviderDefinitionRow,
} from '../../db/integrations/provider-definitions.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { unprocessable } from '../../domain/faults/fault.ts';
import { requiredCredentials } from '../../providers/credentials.ts';
import type { Credentials, IntegrationConfig, Provider, Registration } from '../../providers/provider.ts';
import { audit } from '../audit-log.ts';
import { sealCredentials } from './credentials.ts';
import { ingestUrl } from './ingest-url.ts';
import { planRenewal } from './hooks/renew-hook-job.ts';
import { recordConnected } from './status.ts';
import { toConnected } from './show-integration.ts';
import { findProvider } from './provider-of.ts';
import {
  checkAtProvider,
  hookColumns,
  readCredentials,
  registerHook,
  withSecret,
} from './prepare-connection.ts';
import {
  abandonRegistration,
  beginRegistration,
  confirmRegistration,
  undoNow,
} from './hooks/undo-registration-job.ts';

export async function connect(context: WorkspaceContext, { body }: EndpointInput<'integrations.connect'>) {
  const { provider, definition } = await findProvider(context, body.provider, 'provider');
  return connectProvider(context, provider, {
    definition,
    credentials: readCredentials(context, provider, body.credentials),
    config: body.config ?? {},
    name: body.name,
  });
}

/** The variant form. Without credentials the integration waits, `disconnected`, for its first call or a reconnect. */
export async function create(context: WorkspaceContext, { body }: EndpointInput<'integrations.create'>) {
  const { provider, definition } = await findProvider(context, body.type, 'type');
  const given = body.credentials !== undefined || requiredCredentials(provider).length === 0;
  return connectProvider(context, provider, {
    definition,
    credentials: given ? readCredentials(context, provider, body.credentials ?? {}) : null,
    config: body.config,
    name: body.name,
  });
}

interface NewConnection {
  /** Absent for a built-in provider. */
  definition?: ProviderDefinitionRow | null;
  /** `null` if there are none yet. */
  credentials: Credentials | null;
  config: IntegrationConfig;
  /** Absent: none. */
  name?: string | null | undefined;
}

/** Connects a provider with credentials that were checked for their form. */
export async function connectProvider(
  context: WorkspaceContext,
  provider: Provider,
  { definition = null, credentials: given, config, name = null }: NewConnection,
) {
  const { workspaceId } = context.access;
  await refuseSecond(context.store.read, workspaceId, provider);
  const id = context.ids('integration');
  const { credentials: signed, generated } = withSecret(provider, given ?? {});
  const credentials = given ? await checkAtProvider(context, provider, signed) : signed;
  const registers = given !== null && provider.register !== undefined && !provider.registersLater;
  const undoable = {
    integration: { id, provider: provider.key, workspace_id: workspaceId },
    url: ingestUrl(context, id),
    credentials: { ...credentials },
    hook: null,
    secret: null,
  };
  if (registers) await beginRegistration(context, undoable);
  // `undefined`: the provider has not responded.
  let registration: Registration | null | undefined;
  try {
    registration = registers ? await registerHook(context, provider, { id, credentials, hook: null }) : null;
    const { hook, hook_refusal } = hookColumns(registration);
    return await context.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await refuseSecond(tx, workspaceId, provider);
      await requireDefinition(tx, definition);
      if (registers) await confirmRegistration(tx, id);
      const now = context.now.toISOString();
      const row: IntegrationRow = {
        id,
        workspace_id: workspaceId,
        provider: provider.key,
        name,
        definition_id: definition?.id ?? null,
        definition: definition?.definition ?? null,
        status: given ? 'connected' : 'disconnected',
        problem: null,
        config: JSON.stringify(config),
        credentials: sealCredentials(context, id, credentials),
        hook,
        hook_refusal,
        verified_at: null,
        refused_call: null,
        connected_at: now,
        ...NEVER_SYNCED,
        last_event: null,
        updated_at: now,
      };
      await insertIntegration(tx, row);
      if (given) await planRenewal(tx, context, { row, provider, registration: registration ?? null });
      await (given ? recordConnected : auditCreated)(tx, context, row);
      return toConnected(context, row, generated);
    });
  } catch (error) {
    // A provider that did not respond may have registered the webhook all the same. Its URL was never used, so its
    // removal can wait.
    const mayBeLeft = registration === undefined || registration?.registered;
    if (registers && mayBeLeft) await abandonRegistration(context, id);
    else if (registers) await undoNow(context, undoable, null);
    throw error;
  }
}

function auditCreated(tx: Tx, context: WorkspaceContext, row: IntegrationRow): Promise<void> {
  return audit(tx, context, {
    workspaceId: row.workspace_id,
    action: 'integration.created',
    target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
  });
}

/** Refuses a definition that was deleted while its first integration was being connected. */
async function requireDefinition(tx: Tx, definition: ProviderDefinitionRow | null): Promise<void> {
  if (!definition) return;
  const { id, workspace_id: workspaceId, provider } = definition;
  if (await findProviderDefinition(tx, workspaceId, { id })) return;
  throw unprocessable('provider', `names ${provider}, whose definition has just been deleted`);
}

/** Throws `unprocessable_entity` if one is active already. Specification, "Status codes" 422. */
async function refuseSecond(db: Db, workspaceId: string, provider: Provider): Promise<void> {
  if (provider.repeatable) return;
  const active = await findIntegrationByProvider(db, workspaceId, provider.key);
  if (!active) return;
  throw unprocessable(
    'provider',
    `is already connected, as ${active.id}; disconnect it first, or reconnect it`,
  );
}
