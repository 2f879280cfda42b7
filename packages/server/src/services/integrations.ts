import { randomBytes } from 'node:crypto';
import type { EndpointInput, Integration as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { UserContext, WorkspaceContext } from '../context.ts';
import {
  deleteIntegration,
  findIntegration,
  findIntegrationByProvider,
  insertIntegration,
  type IntegrationRow,
  listIntegrations,
  updateIntegration,
} from '../db/integrations.ts';
import type { Db, Tx } from '../db/schema.ts';
import { listWebhooks } from '../db/webhooks.ts';
import { Fault, notFound, unprocessable } from '../domain/fault.ts';
import { checkCredentials } from '../providers/credentials.ts';
import type { Credentials, IntegrationConfig, Provider, Registration } from '../providers/provider.ts';
import { audit } from './audit-log.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { emit } from './emit.ts';
import { page } from './page.ts';
import { removeHooks, toolsFor } from './provider-hooks.ts';
import { removeWebhook } from './webhooks.ts';

type Integration = z.output<typeof Schema>;

export async function listProviders(
  context: UserContext,
  { query }: EndpointInput<'integrations.listProviders'>,
) {
  const all = [...context.providers.values()];
  return page(context, query, {
    rows: async ({ after, limit }) => {
      const start = after === null ? 0 : all.findIndex(({ key }) => key === after) + 1;
      return all.slice(start, start + limit);
    },
    position: ({ key }) => key,
    item: ({ key, name, description, requiredCredentials, optionalCredentials }) => ({
      provider: key,
      name,
      description,
      required_credentials: [...requiredCredentials],
      optional_credentials: [...optionalCredentials],
    }),
  });
}

const ingestUrl = (context: Pick<UserContext, 'publicUrl'>, id: string) =>
  `${context.publicUrl()}/v1/ingest/${id}`;

function toIntegration(context: WorkspaceContext, row: IntegrationRow): Integration {
  return {
    integration_id: row.id,
    provider: row.provider,
    workspace_id: row.workspace_id,
    status: row.status,
    connected_at: row.connected_at,
    last_synced_at: row.last_synced_at,
    config: JSON.parse(row.config),
    ingest: { url: ingestUrl(context, row.id) },
  };
}

export async function list(context: WorkspaceContext, { query }: EndpointInput<'integrations.list'>) {
  return page(context, query, {
    rows: (request) => listIntegrations(context.store.read, context.tenant.workspaceId, request),
    position: (row) => row.id,
    item: ({ id, provider, status, connected_at, last_synced_at }) => ({
      integration_id: id,
      provider,
      status,
      connected_at,
      last_synced_at,
    }),
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'integrations.get'>) {
  return toIntegration(context, await findOwn(context.store.read, context, params.integrationId));
}

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
  const { workspaceId } = context.tenant;
  await refuseSecond(context.store.read, workspaceId, provider);
  const id = context.ids('integration');
  const prepared = await prepare(context, provider, { id, credentials: connection.credentials });
  try {
    return await context.write(async (tx) => {
      const now = context.now.toISOString();
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
  const before = await findOwn(context.store.read, context, params.integrationId);
  const provider = findProvider(context, before.provider, 'integrationId');
  const old = openCredentials(context, before);
  const secretName = provider.signingCredential(old);
  const kept = secretName === null || old[secretName] === undefined ? {} : { [secretName]: old[secretName] };
  // The provider goes on signing with the secret that it knows, unless the caller brings another.
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

export async function update(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'integrations.update'>,
) {
  return context.write(async (tx) => {
    const before = await findOwn(tx, context, params.integrationId);
    const row = await updateIntegration(tx, before.id, {
      config: JSON.stringify(body.config),
      updated_at: context.now.toISOString(),
    });
    if (!row) throw notFound('integration');
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.updated',
      target: { type: 'integration', id: row.id, name: row.provider },
      changes: [{ field: 'config', from: JSON.parse(before.config), to: body.config }],
    });
    return toIntegration(context, row);
  });
}

export async function test(context: WorkspaceContext, { params, body }: EndpointInput<'integrations.test'>) {
  const row = await findOwn(context.store.read, context, params.integrationId);
  const provider = findProvider(context, row.provider, 'integrationId');
  if (!provider.notify)
    throw unprocessable('integrationId', `names a ${provider.name} integration, which only receives`);
  const result = await provider.notify(
    { credentials: openCredentials(context, row), config: JSON.parse(row.config) },
    { eventType: body.event_type, text: body.payload.message },
    toolsFor(context, row.provider),
  );
  const deliveredAt = context.clock().toISOString();
  return context.write(async (tx) => {
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.tested',
      target: { type: 'integration', id: row.id, name: row.provider },
      metadata: { event_type: body.event_type, success: result.ok },
    });
    return {
      success: result.ok,
      integration_id: row.id,
      event_type: body.event_type,
      delivered_at: deliveredAt,
      destination: result.destination,
      ...(result.ok ? {} : { error: result.error }),
    };
  });
}

export async function disconnect(
  context: WorkspaceContext,
  { params }: EndpointInput<'integrations.disconnect'>,
) {
  await context.write(async (tx) => {
    const row = await findOwn(tx, context, params.integrationId);
    await deleteIntegration(tx, row.id);
    await removeAssociatedWebhooks(tx, context, row.id);
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.disconnected',
      target: { type: 'integration', id: row.id, name: row.provider },
    });
    context.afterCommit(() => removeHooks(context, [row]));
  });
}

/** Specification, "States and transitions": associated webhooks are those whose filter names this integration alone. */
async function removeAssociatedWebhooks(
  tx: Tx,
  context: WorkspaceContext,
  integrationId: string,
): Promise<void> {
  const webhooks = await listWebhooks(tx, context.tenant.workspaceId, {
    after: null,
    limit: Number.MAX_SAFE_INTEGER,
  });
  for (const webhook of webhooks) {
    const ids =
      webhook.filters === null
        ? undefined
        : (JSON.parse(webhook.filters).resource_ids as string[] | undefined);
    if (ids?.length === 1 && ids[0] === integrationId) await removeWebhook(tx, context, webhook);
  }
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

function findProvider(context: WorkspaceContext, key: string, field: string): Provider {
  const provider = context.providers.get(key);
  if (provider) return provider;
  throw unprocessable(field, `must be one of ${[...context.providers.keys()].join(', ')}`);
}

function readCredentials(provider: Provider, given: Readonly<Record<string, unknown>>): Credentials {
  const details = checkCredentials(provider, given);
  const [first] = details;
  if (first) throw new Fault('invalid_request', `${first.field} ${first.issue}.`, { details });
  return given as Credentials;
}

async function findOwn(db: Db, context: WorkspaceContext, id: string): Promise<IntegrationRow> {
  const row = await findIntegration(db, id);
  if (row?.workspace_id !== context.tenant.workspaceId) throw notFound('integration');
  return row;
}
