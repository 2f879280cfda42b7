import type { EndpointInput, Integration as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { UserContext, WorkspaceContext } from '../../context.ts';
import {
  deleteIntegration,
  findIntegration,
  type IntegrationRow,
  listIntegrations,
  updateIntegration,
} from '../../db/integrations/integrations.ts';
import type { Db, Tx } from '../../db/core/schema.ts';
import { listWebhooks } from '../../db/webhooks/webhooks.ts';
import { notFound, unprocessable } from '../../domain/faults/fault.ts';
import type { IntegrationFact } from '../../domain/integrations/integration.ts';
import { describeMethods, optionalCredentials, requiredCredentials } from '../../providers/credentials.ts';
import { describeActions } from '../../providers/describe-actions.ts';
import type { IntegrationConfig, NotifyResult, Provider } from '../../providers/provider.ts';
import { audit } from '../audit-log.ts';
import { hasPermission, hasScope } from '../identity/access.ts';
import { openCredentials } from './credentials.ts';
import { ingestUrl, ingestWarning } from './ingest-url.ts';
import { followFact, providerName, statusOf } from './status.ts';
import { page } from '../page.ts';
import { enqueueHookRemoval } from './hooks/provider-hooks.ts';
import { cancelRenewal } from './hooks/renew-hook.ts';
import { providerOf } from './provider-of.ts';
import { toolsFor } from './provider-tools.ts';
import { catchUpAfter } from './sync/begin.ts';
import { shownSync } from './sync/state.ts';
import { usableCredentials } from './usable-credentials.ts';
import { removeWebhook } from '../webhooks/webhooks.ts';

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
    item: (provider) => ({
      provider: provider.key,
      name: provider.name,
      description: provider.description,
      required_credentials: requiredCredentials(provider),
      optional_credentials: optionalCredentials(provider),
      oauth: provider.oauth !== undefined,
      sync: provider.catchUp !== undefined,
      methods: describeMethods(provider),
      actions: describeActions(provider),
    }),
  });
}

/** An integration as the API shows it: never with its credentials. */
function toIntegration(context: WorkspaceContext, row: IntegrationRow): Integration {
  return {
    integration_id: row.id,
    provider: row.provider,
    name: row.name,
    workspace_id: row.workspace_id,
    ...statusOf(context, row),
    connected_at: row.connected_at,
    last_synced_at: row.last_synced_at,
    last_event: lastEventOf(row),
    sync: shownSync(row),
    config: JSON.parse(row.config),
    ingest: {
      url: ingestUrl(context, row.id),
      registered: isRegistered(row),
      ...setupOf(context, row),
      warning: ingestWarning(context),
    },
  };
}

const lastEventOf = ({ last_event: event }: IntegrationRow): Integration['last_event'] =>
  event === null ? null : JSON.parse(event);

/** An integration that was just connected, with the signing secret that was made for it. */
export function toConnected(context: WorkspaceContext, row: IntegrationRow, secret: string | undefined) {
  const { ingest, ...integration } = toIntegration(context, row);
  return { ...integration, ingest: { ...ingest, ...(secret === undefined ? {} : { secret }) } };
}

const isRegistered = ({ hook, hook_refusal }: IntegrationRow) => hook !== null && hook_refusal === null;

type Ingest = Integration['ingest'];

/** The setup steps that are left at the provider. */
function setupOf(
  context: WorkspaceContext,
  row: IntegrationRow,
): Pick<Ingest, 'instructions' | 'steps' | 'manifest' | 'verification_token'> {
  const name = providerName(context, row);
  const credentials = openCredentials(context, row);
  const provider = providerOf(context, row);
  const setup = (steps: readonly string[], rest: Partial<Ingest> = {}) => ({
    instructions: steps.join(' '),
    steps: [...steps],
    manifest: null,
    verification_token: null,
    ...rest,
  });
  if (!credentials)
    return setup(['Reconnect the integration first: its stored credentials can no longer be read.']);
  if (isRegistered(row)) return setup([`The webhook is registered at ${name}. Nothing is left to do there.`]);
  if (!provider) return setup([]);
  const { steps, manifest = null } = provider.setUp(ingestUrl(context, row.id), credentials);
  const isUnderWay =
    provider.registersLater && row.hook_refusal === null && (provider.receives?.(credentials) ?? true);
  const soon = isUnderWay
    ? [`The webhook is being registered at ${name}. If that takes more than a minute, continue by hand:`]
    : [];
  const refused =
    row.hook_refusal === null ? [] : [`${name} did not register the webhook: ${row.hook_refusal}.`];
  const isShown =
    row.verified_at === null &&
    hasPermission(context.access, 'manage_integrations') &&
    hasScope(context.actor, 'integrations:write');
  const token = isShown ? (provider.verificationToken?.(credentials) ?? null) : null;
  return setup([...soon, ...refused, ...steps], { manifest, verification_token: token });
}

export async function list(context: WorkspaceContext, { query }: EndpointInput<'integrations.list'>) {
  return page(context, query, {
    rows: (request) => listIntegrations(context.store.read, context.access.workspaceId, request),
    position: (row) => row.id,
    item: (row) => ({
      integration_id: row.id,
      provider: row.provider,
      name: row.name,
      ...statusOf(context, row),
      connected_at: row.connected_at,
      last_synced_at: row.last_synced_at,
      last_event: lastEventOf(row),
    }),
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'integrations.get'>) {
  return toIntegration(context, await findOwnIntegration(context.store.read, context, params.integrationId));
}

export async function update(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'integrations.update'>,
) {
  return context.write(async (tx) => {
    const before = await findOwnIntegration(tx, context, params.integrationId);
    const oldConfig = JSON.parse(before.config) as IntegrationConfig;
    const { config = oldConfig, name = before.name } = body;
    const changed = await updateIntegration(tx, before, {
      config: JSON.stringify(config),
      name,
      updated_at: context.now.toISOString(),
    });
    if (!changed) throw notFound('integration');
    if (oldConfig.channel !== config.channel)
      await followFact(tx, context, { row: changed, fact: { kind: 'channel_changed' } });
    const row = await findOwnIntegration(tx, context, changed.id);
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.updated',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
      changes: [
        ...(body.config === undefined ? [] : [{ field: 'config', from: oldConfig, to: config }]),
        ...(name === before.name ? [] : [{ field: 'name', from: before.name, to: name }]),
      ],
    });
    return toIntegration(context, row);
  });
}

export async function test(context: WorkspaceContext, { params, body }: EndpointInput<'integrations.test'>) {
  const row = await findOwnIntegration(context.store.read, context, params.integrationId);
  const provider = requireProvider(context, row);
  if (!provider.notify)
    throw unprocessable(
      'integrationId',
      `names a ${provider.name} integration, which cannot receive messages`,
    );
  const result = await provider.notify(
    { credentials: await usableCredentials(context, provider, row), config: JSON.parse(row.config) },
    { eventType: body.event_type, text: body.payload.message },
    toolsFor(context, row.provider),
  );
  const deliveredAt = context.clock().toISOString();
  const fact = factOf(result);
  return context.write(async (tx) => {
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.tested',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
      metadata: { event_type: body.event_type, success: result.ok },
    });
    if (fact && (await followFact(tx, context, { row, fact }))) await catchUpAfter(tx, context, row);
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

/** The fact about the integration that a notification proves; `null` if the provider was not asked. */
export function factOf(result: NotifyResult): IntegrationFact | null {
  if (result.ok) return { kind: 'notified' };
  const { refused: what, error: reason } = result;
  return what === null ? null : { kind: 'refused', what, reason };
}

export async function disconnect(
  context: WorkspaceContext,
  { params }: EndpointInput<'integrations.disconnect'>,
) {
  await context.write(async (tx) => {
    const row = await findOwnIntegration(tx, context, params.integrationId);
    await deleteIntegration(tx, row);
    await cancelRenewal(tx, row);
    await removeAssociatedWebhooks(tx, context, row.id);
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.disconnected',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
    });
    await enqueueHookRemoval(tx, context, row);
  });
}

/**
 * Specification, "States and transitions" 2: a disconnect removes the associated webhooks. It does not define
 * "associated": here it means webhooks whose filter names only this integration (docs/decisions/connecting.md).
 */
async function removeAssociatedWebhooks(
  tx: Tx,
  context: WorkspaceContext,
  integrationId: string,
): Promise<void> {
  const webhooks = await listWebhooks(tx, context.access.workspaceId, {
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

/** The provider of an integration. Throws `unprocessable_entity` if this server no longer has it. */
export function requireProvider(context: WorkspaceContext, row: IntegrationRow): Provider {
  const provider = providerOf(context, row);
  if (provider) return provider;
  throw unprocessable(
    'integrationId',
    `names an integration of ${row.provider}, a provider that this server does not have`,
  );
}

/** An integration of the workspace of the request. */
export async function findOwnIntegration(
  db: Db,
  context: WorkspaceContext,
  id: string,
): Promise<IntegrationRow> {
  const row = await findIntegration(db, context.access.workspaceId, id);
  if (!row) throw notFound('integration');
  return row;
}
