import type { EndpointInput } from '@hubline/contract';
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
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { notFound, unprocessable } from '../../domain/faults/fault.ts';
import type { IntegrationFinding } from '../../domain/integrations/integration.ts';
import { describeMethods, optionalCredentials, requiredCredentials } from '../../providers/credentials.ts';
import { describeActions } from '../../providers/describe-actions.ts';
import type { IntegrationConfig, NotifyResult, Provider } from '../../providers/provider.ts';
import { audit } from '../audit-log.ts';
import { applyFinding, statusOf } from './status.ts';
import { inMemory, page } from '../page.ts';
import { enqueueHookRemoval } from './hooks/remove-hook-job.ts';
import { cancelRenewal } from './hooks/renew-hook-job.ts';
import { providerOf } from './provider-of.ts';
import { toolsFor } from './provider-tools.ts';
import { syncAfterProblem } from './sync/begin.ts';
import { lastEventOf, toIntegration } from './show-integration.ts';
import { usableCredentials } from './usable-credentials.ts';
import { removeWebhook } from '../webhooks/webhooks.ts';

export async function listProviders(
  context: UserContext,
  { query }: EndpointInput<'integrations.listProviders'>,
) {
  return page(context, query, {
    ...inMemory([...context.providers.values()], ({ key }) => key),
    item: (provider) => ({
      provider: provider.key,
      name: provider.name,
      description: provider.description,
      required_credentials: requiredCredentials(provider),
      optional_credentials: optionalCredentials(provider),
      oauth: provider.oauth !== undefined,
      sync: provider.sync !== undefined,
      methods: describeMethods(provider),
      actions: describeActions(provider),
    }),
  });
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
    // Two changes at the same time, or a reconnect, must not start from the same state.
    await lockWorkspace(tx, context.access.workspaceId);
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
      await applyFinding(tx, context, { row: changed, finding: { kind: 'channel_changed' } });
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
    { trigger: body.event_type, text: body.payload.message },
    toolsFor(context, row.provider),
  );
  const deliveredAt = context.clock().toISOString();
  const finding = findingOf(result);
  return context.write(async (tx) => {
    await lockWorkspace(tx, row.workspace_id);
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'integration.tested',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
      metadata: { event_type: body.event_type, success: result.ok },
    });
    if (finding && (await applyFinding(tx, context, { row, finding })))
      await syncAfterProblem(tx, context, row);
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

/** The finding about the integration that a notification proves; `null` if the provider was not asked. */
export function findingOf(result: NotifyResult): IntegrationFinding | null {
  if (result.ok) return { kind: 'notified' };
  const { refused: what, error: reason } = result;
  return what === null ? null : { kind: 'refused', what, reason };
}

export async function disconnect(
  context: WorkspaceContext,
  { params }: EndpointInput<'integrations.disconnect'>,
) {
  await context.write(async (tx) => {
    // A reconnect may be about to store another webhook, which has to be removed.
    await lockWorkspace(tx, context.access.workspaceId);
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
