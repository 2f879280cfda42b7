import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../context.ts';
import { findIntegration, type IntegrationRow, updateIntegration } from '../db/integrations.ts';
import type { Tx } from '../db/schema.ts';
import { lockWorkspace } from '../db/workspaces.ts';
import { notFound } from '../domain/fault.ts';
import { checkCredentials } from '../providers/credentials.ts';
import type { Credentials, Hook, Provider, Registration } from '../providers/provider.ts';
import { audit } from './audit-log.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { auditProblem, problemOf, tellConnected } from './integration-status.ts';
import { findOwnIntegration, findProvider, toConnected } from './integrations.ts';
import {
  checkAtProvider,
  hookColumns,
  readCredentials,
  registerHook,
  type SignedCredentials,
  signingSecret,
  withSecret,
} from './prepare-connection.ts';
import { removeHook, restoreHook } from './provider-hooks.ts';

/** New credentials for an integration, and what was there before. */
interface Reconnection extends SignedCredentials {
  provider: Provider;
  /** `null`: they could not be read. */
  old: Credentials | null;
  registration: Registration | null;
}

export async function reconnect(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'integrations.reconnect'>,
) {
  const before = await findOwnIntegration(context.store.read, context, params.integrationId);
  const provider = findProvider(context, before.provider, 'integrationId');
  const old = openCredentials(context, before);
  const kept = keptSecret(provider, old ?? {}, body.credentials);
  const given = readCredentials(context, provider, { ...kept, ...body.credentials });
  const { credentials, generated } = withSecret(provider, given);
  await checkAtProvider(context, provider, credentials);
  const hook = hookOf(before);
  const registration = await registerHook(context, provider, { id: before.id, credentials, hook });
  const reconnection: Reconnection = { provider, credentials, generated, old, registration };
  try {
    return await context.write(async (tx) => {
      await lockWorkspace(tx, context.store.dialect, before.workspace_id);
      const row = await replaceCredentials(tx, context, { id: before.id, reconnection });
      return toConnected(context, row, generated);
    });
  } catch (error) {
    await undo(context, before, reconnection);
    throw error;
  }
}

/**
 * The provider goes on signing with the secret that it knows, unless the caller brings another, or credentials with which
 * nothing is signed any more.
 */
function keptSecret(provider: Provider, old: Credentials, given: Credentials): Credentials {
  const name = provider.signingCredential(old);
  const secret = name === null ? undefined : old[name];
  if (name === null || secret === undefined) return {};
  const complete = checkCredentials(provider, given).length === 0;
  return complete && provider.signingCredential(given) === null ? {} : { [name]: secret };
}

async function replaceCredentials(
  tx: Tx,
  context: WorkspaceContext,
  { id, reconnection }: { id: string; reconnection: Reconnection },
): Promise<IntegrationRow> {
  const before = await findIntegration(tx, context.access.workspaceId, id);
  if (!before) throw notFound('integration');
  const { credentials, old, registration } = reconnection;
  const now = context.now.toISOString();
  const { hook, hook_refusal } = hookColumns(registration);
  const row: IntegrationRow = {
    ...before,
    status: 'connected',
    problem: null,
    credentials: sealCredentials(context, id, credentials),
    // A webhook that was neither changed nor replaced goes on calling.
    hook: hook ?? before.hook,
    hook_refusal,
    verified_at: isSameHook(before, reconnection) ? before.verified_at : null,
    connected_at: now,
    updated_at: now,
  };
  await updateIntegration(tx, before, row);
  await audit(tx, context, {
    workspaceId: row.workspace_id,
    action: 'integration.reconnected',
    target: { type: 'integration', id, name: row.provider },
    changes: [{ field: 'credentials', from: '[redacted]', to: '[redacted]' }],
  });
  await auditProblem(tx, context, { row, before: problemOf(before), after: null });
  if (before.status === 'disconnected') await tellConnected(tx, context, row);
  if (before.hook !== null && before.hook !== row.hook) {
    const unwanted = {
      integration: row,
      hook: hookOf(before),
      credentials: old ? [old, credentials] : [credentials],
    };
    context.afterCommit('remove the replaced webhook at the provider', () => removeHook(context, unwanted));
  }
  return row;
}

/** Whether the calls that came so far say something of those that are to come: the same webhook, and the same secret. */
function isSameHook(
  before: IntegrationRow,
  { provider, old, credentials, registration }: Reconnection,
): boolean {
  if (!old || signingSecret(provider, old) !== signingSecret(provider, credentials)) return false;
  return registration === null || hookColumns(registration).hook === before.hook;
}

const hookOf = ({ hook }: IntegrationRow): Hook | null => (hook === null ? null : (JSON.parse(hook) as Hook));

/**
 * Takes back what was registered. It is waited for: the caller tries again, and must not find a webhook that goes away, or
 * a secret that changes back, afterwards.
 */
async function undo(
  context: WorkspaceContext,
  before: IntegrationRow,
  { provider, credentials, old, registration }: Reconnection,
): Promise<void> {
  if (!registration?.registered) return;
  const { hook, created } = registration;
  const unwanted = { integration: before, hook, credentials: [credentials] };
  if (created || (await isGone(context, before.id))) return removeHook(context, unwanted);
  const secret = old ? signingSecret(provider, old) : undefined;
  if (secret !== undefined && secret !== signingSecret(provider, credentials))
    await restoreHook(context, unwanted, secret);
}

/** Whether an integration was disconnected meanwhile. A database that cannot say so has not lost it. */
const isGone = ({ store, access }: WorkspaceContext, id: string): Promise<boolean> =>
  findIntegration(store.read, access.workspaceId, id).then(
    (row) => row === undefined,
    () => false,
  );
