import { randomBytes } from 'node:crypto';
import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../context.ts';
import {
  findIntegrationByProvider,
  insertIntegration,
  type IntegrationRow,
  updateIntegration,
} from '../db/integrations.ts';
import type { Db } from '../db/schema.ts';
import { lockWorkspace } from '../db/workspaces.ts';
import { Fault, notFound, unprocessable } from '../domain/fault.ts';
import { checkCredentials } from '../providers/credentials.ts';
import type { Credentials, IntegrationConfig, Provider, Registration } from '../providers/provider.ts';
import { audit } from './audit-log.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { emit } from './emit.ts';
import { findOwnIntegration, findProvider, ingestUrl, toIntegration } from './integrations.ts';
import { toolsFor } from './provider-hooks.ts';

export async function connect(context: WorkspaceContext, { body }: EndpointInput<'integrations.connect'>) {
  const provider = findProvider(context, body.provider, 'provider');
  return connectProvider(context, provider, {
    credentials: readCredentials(provider, body.credentials),
    config: body.config ?? {},
  });
}

/** The variant form. Without credentials the integration waits, `disconnected`, for its first call or a reconnect. */
export async function create(context: WorkspaceContext, { body }: EndpointInput<'integrations.create'>) {
  const provider = findProvider(context, body.type, 'type');
  const given = body.credentials !== undefined || provider.requiredCredentials.length === 0;
  return connectProvider(context, provider, {
    credentials: given ? readCredentials(provider, body.credentials ?? {}) : null,
    config: body.config,
  });
}

interface NewConnection {
  /** `null`: none yet. */
  credentials: Credentials | null;
  config: IntegrationConfig;
}

async function connectProvider(context: WorkspaceContext, provider: Provider, connection: NewConnection) {
  const { workspaceId } = context.access;
  await refuseSecond(context.store.read, workspaceId, provider);
  const id = context.ids('integration');
  const prepared = await prepare(context, provider, { id, credentials: connection.credentials });
  try {
    return await context.write(async (tx) => {
      const now = context.now.toISOString();
      await lockWorkspace(tx, context.store.dialect, workspaceId);
      await refuseSecond(tx, workspaceId, provider);
      const row: IntegrationRow = {
        id,
        workspace_id: workspaceId,
        provider: provider.key,
        status: connection.credentials === null ? 'disconnected' : 'connected',
        config: JSON.stringify(connection.config),
        credentials: sealCredentials(context, id, prepared.credentials),
        hook: prepared.hook,
        connected_at: now,
        last_synced_at: null,
        updated_at: now,
      };
      await insertIntegration(tx, row);
      await audit(tx, context, {
        workspaceId,
        action: 'integration.connected',
        target: { type: 'integration', id, name: provider.key },
      });
      await emit(tx, context, {
        trigger: 'integration.connected',
        workspaceId,
        data: { integration_id: id, integration_type: provider.key },
        resourceIds: [id],
      });
      return { ...toIntegration(context, row), ingest: prepared.ingest };
    });
  } catch (error) {
    await undo(context, provider, prepared);
    throw error;
  }
}

export async function reconnect(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'integrations.reconnect'>,
) {
  const before = await findOwnIntegration(context.store.read, context, params.integrationId);
  const provider = findProvider(context, before.provider, 'integrationId');
  const kept = keptSecret(provider, openCredentials(context, before), body.credentials);
  const credentials = readCredentials(provider, { ...kept, ...body.credentials });
  const prepared = await prepare(context, provider, { id: before.id, credentials });
  return context.write(async (tx) => {
    const now = context.now.toISOString();
    const row = await updateIntegration(tx, before.id, {
      status: 'connected',
      credentials: sealCredentials(context, before.id, prepared.credentials),
      hook: prepared.hook ?? before.hook,
      connected_at: now,
      updated_at: now,
    });
    if (!row) throw notFound('integration');
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.reconnected',
      target: { type: 'integration', id: row.id, name: row.provider },
      changes: [{ field: 'credentials', from: '[redacted]', to: '[redacted]' }],
    });
    return { ...toIntegration(context, row), ingest: prepared.ingest };
  });
}

/**
 * The provider goes on signing with the secret that it knows, unless the caller brings another, or credentials with which
 * nothing is signed any more.
 */
function keptSecret(
  provider: Provider,
  old: Credentials,
  given: Readonly<Record<string, unknown>>,
): Credentials {
  const name = provider.signingCredential(old);
  const secret = name === null ? undefined : old[name];
  if (name === null || secret === undefined) return {};
  const complete = checkCredentials(provider, given).length === 0;
  return complete && provider.signingCredential(given as Credentials) === null ? {} : { [name]: secret };
}

interface Prepared {
  credentials: Credentials;
  hook: string | null;
  ingest: { url: string; secret?: string; registered: boolean; instructions: string };
}

/** Everything that needs the network: before the transaction, never in it. */
async function prepare(
  context: WorkspaceContext,
  provider: Provider,
  { id, credentials: given }: { id: string; credentials: Credentials | null },
): Promise<Prepared> {
  const tools = toolsFor(context, provider.key);
  const url = ingestUrl(context, id);
  const secretName = provider.signingCredential(given ?? {});
  const generated = secretName !== null && given?.[secretName] === undefined ? newIngestSecret() : undefined;
  const credentials = {
    ...given,
    ...(secretName !== null && generated !== undefined ? { [secretName]: generated } : {}),
  };
  let registration: Registration | null = null;
  if (given !== null) {
    if (provider.validate && context.config.credentialCheck === 'strict') {
      const check = await provider.validate(credentials, tools);
      if (!check.ok) throw unprocessable(check.detail.field, check.detail.issue);
    }
    const secret = secretName === null ? '' : (credentials[secretName] ?? '');
    if (provider.register) registration = await provider.register(credentials, { url, secret }, tools);
  }
  return {
    credentials,
    hook: registration?.registered ? JSON.stringify(registration.hook) : null,
    ingest: {
      url,
      ...(generated === undefined ? {} : { secret: generated }),
      registered: registration?.registered ?? false,
      instructions: registration?.registered
        ? `The webhook is registered at ${provider.name}; there is nothing left to do.`
        : `${notRegistered(registration)}${provider.instructions(url, credentials)}`,
    },
  };
}

const notRegistered = (registration: Registration | null) =>
  registration && !registration.registered ? `The webhook was not registered: ${registration.reason}. ` : '';

const newIngestSecret = () => randomBytes(32).toString('base64url');

async function undo(
  context: WorkspaceContext,
  provider: Provider,
  { credentials, hook }: Prepared,
): Promise<void> {
  if (hook === null || !provider.unregister) return;
  await provider
    .unregister(credentials, JSON.parse(hook), toolsFor(context, provider.key))
    .catch((error: unknown) => {
      context.log.warn({ err: error, provider: provider.key }, 'a hook could not be removed at its provider');
    });
}

/** Specification, "Status codes" 422: connecting an already active integration. */
async function refuseSecond(db: Db, workspaceId: string, provider: Provider): Promise<void> {
  if (provider.repeatable) return;
  const active = await findIntegrationByProvider(db, workspaceId, provider.key);
  if (!active) return;
  throw unprocessable(
    'provider',
    `is connected already, as ${active.id}; disconnect it first, or reconnect it`,
  );
}

function readCredentials(provider: Provider, given: Readonly<Record<string, unknown>>): Credentials {
  const details = checkCredentials(provider, given);
  const [first] = details;
  if (first) throw new Fault('invalid_request', `${first.field} ${first.issue}.`, { details });
  return given as Credentials;
}
