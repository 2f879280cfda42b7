import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import {
  findIntegration,
  type IntegrationRow,
  updateIntegration,
} from '../../db/integrations/integrations.ts';
import type { Tx } from '../../db/core/schema.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { invalidFields, notFound } from '../../domain/faults/fault.ts';
import {
  changeCredentials,
  checkCredentials,
  checkHost,
  checkRemoved,
  keptSettings,
  without,
} from '../../providers/credentials.ts';
import { overlapEnd, overlapOf, overlapWith } from '../../providers/calls/overlap.ts';
import type { Credentials, Hook, Provider, Registration } from '../../providers/provider.ts';
import { audit } from '../audit-log.ts';
import { overlapUntil } from '../overlap.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { ingestUrl } from './ingest-url.ts';
import { planRenewal } from './hooks/renew-hook-job.ts';
import { auditProblem, problemOf, recordConnected } from './status.ts';
import { findOwnIntegration, requireProvider } from './integrations.ts';
import { toConnected } from './show-integration.ts';
import { syncAfterProblem } from './sync/begin.ts';
import {
  checkAtProvider,
  hookColumns,
  readCredentials,
  registerHook,
  type SignedCredentials,
  signingSecret,
  withSecret,
} from './prepare-connection.ts';
import { enqueueRemoval } from './hooks/remove-hook-job.ts';
import { beginRegistration, confirmRegistration, undoNow } from './hooks/undo-registration-job.ts';
import { integrationOf } from './hooks/unregister.ts';

/** New credentials for an integration, and its old ones. */
interface Reconnection extends SignedCredentials {
  provider: Provider;
  /** `null` if they could not be read. */
  old: Credentials | null;
  registration: Registration | null;
  overlap: number | undefined;
}

export async function reconnect(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'integrations.reconnect'>,
) {
  const before = await findOwnIntegration(context.store.read, context, params.integrationId);
  const provider = requireProvider(context, before);
  const { credentials, remove = [], overlap_seconds: overlap } = body;
  const [first, ...others] = checkRemoved(provider, remove);
  if (first) throw invalidFields([first, ...others]);
  const old = without(openCredentials(context, before) ?? {}, remove);
  const changed = changeCredentials(provider, old, credentials);
  const [unnamed] = checkHost(changed, credentials);
  if (unnamed) throw invalidFields([unnamed]);
  const given = readCredentials(context, provider, { ...keptSecret(provider, old, changed), ...changed });
  return replaceAt(context, { before, provider, given, overlap });
}

/**
 * Connects an integration again with credentials from OAuth. Its settings and its signing secret stay, unless others
 * are given.
 */
export async function reconnectIntegration(
  context: WorkspaceContext,
  { before, provider, given }: Omit<Replacement, 'overlap'>,
) {
  const old = openCredentials(context, before) ?? {};
  const kept = { ...keptSettings(provider, old, given), ...keptSecret(provider, old, given) };
  return replaceAt(context, { before, provider, given: { ...kept, ...given }, overlap: undefined });
}

interface Replacement {
  before: IntegrationRow;
  provider: Provider;
  /** Complete, except for a signing secret that Hubline makes. */
  given: Credentials;
  /** Seconds for which calls that the old credentials prove are accepted, too. `undefined`: no wish. */
  overlap: number | undefined;
}

async function replaceAt(context: WorkspaceContext, { before, provider, given, overlap }: Replacement) {
  const old = openCredentials(context, before);
  const { credentials: signed, generated } = withSecret(provider, given);
  refuseSecondOverlap(context, { provider, old, credentials: signed, overlap });
  const credentials = await checkAtProvider(context, provider, signed);
  const undoable = {
    integration: integrationOf(before),
    url: ingestUrl(context, before.id),
    credentials: { ...credentials },
    hook: before.hook,
    secret: (old && signingSecret(provider, old)) ?? null,
  };
  const registers = provider.register !== undefined && !provider.registersLater;
  if (registers) await beginRegistration(context, undoable);
  // `undefined`: the provider has not responded.
  let registration: Registration | null | undefined;
  try {
    registration = registers
      ? await registerHook(context, provider, { id: before.id, credentials, hook: hookOf(before) })
      : null;
    const reconnection = { provider, credentials, generated, old, registration, overlap };
    return await context.write(async (tx) => {
      await lockWorkspace(tx, before.workspace_id);
      if (registers) await confirmRegistration(tx, before.id);
      const row = await replaceCredentials(tx, context, { id: before.id, reconnection });
      return toConnected(context, row, generated);
    });
  } catch (error) {
    // Undone at once: the caller will retry, and a later undo would then remove the webhook or change its secret back. If
    // the provider did not respond, its registration is undone after a minute, unless a retry works before that.
    if (registers && registration !== undefined) await undoNow(context, undoable, registration);
    throw error;
  }
}

/**
 * Keeps the secret that verifies the calls of the provider, unless the caller gives another one, or credentials that verify them in
 * another way or not at all.
 */
function keptSecret(provider: Provider, old: Credentials, given: Credentials): Credentials {
  const { name, inUrl } = provider.signing(old) ?? {};
  const secret = name === undefined ? undefined : old[name];
  if (name === undefined || secret === undefined) return {};
  if (checkCredentials(provider, given).length > 0) return { [name]: secret };
  const signing = provider.signing(given);
  if (signing === null || given[signing.name] !== undefined) return {};
  if (signing.inUrl !== inUrl) return {};
  // The secret of an OAuth app proves only webhooks of that app, so it is useless once the app is no longer used.
  return old['auth'] === 'oauth' && signing.name !== name ? {} : { [name]: secret };
}

async function replaceCredentials(
  tx: Tx,
  context: WorkspaceContext,
  { id, reconnection }: { id: string; reconnection: Reconnection },
): Promise<IntegrationRow> {
  const before = await findIntegration(tx, context.access.workspaceId, id);
  if (!before) throw notFound('integration');
  const { provider, credentials, old, registration, overlap } = reconnection;
  // Another request may have begun an overlap since the credentials were read.
  refuseSecondOverlap(context, { ...reconnection, old: openCredentials(context, before) });
  const now = context.now.toISOString();
  const { hook, hook_refusal } = hookColumns(registration);
  const row: IntegrationRow = {
    ...before,
    status: 'connected',
    problem: null,
    credentials: sealCredentials(context, id, { ...credentials, ...overlapFields(context, reconnection) }),
    // A webhook that was neither changed nor replaced stays.
    hook: hook ?? (isMoved(reconnection) ? null : before.hook),
    hook_refusal,
    verified_at: isSameHook(before, reconnection) ? before.verified_at : null,
    refused_call: null,
    connected_at: now,
    updated_at: now,
  };
  const { definition: _, ...stored } = row;
  await updateIntegration(tx, before, stored);
  await planRenewal(tx, context, { row, provider, registration });
  await audit(tx, context, {
    workspaceId: row.workspace_id,
    action: 'integration.reconnected',
    target: { type: 'integration', id, name: row.name ?? row.provider },
    changes: [{ field: 'credentials', from: '[redacted]', to: '[redacted]' }],
    ...(beginsOverlap(reconnection) && { metadata: { overlap_seconds: overlap } }),
  });
  await auditProblem(tx, context, { row, before: problemOf(before), after: null });
  await syncAfterProblem(tx, context, before);
  if (before.status === 'disconnected') await recordConnected(tx, context, row);
  if (before.hook !== null && before.hook !== row.hook) {
    await enqueueRemoval(tx, context, { row: before, credentials: old ? [old, credentials] : [credentials] });
  }
  return row;
}

/** The fields of the overlap that begins, or of the one under way, which goes on until calls are verified in another way, or 0 ends it. */
function overlapFields({ now }: WorkspaceContext, reconnection: Reconnection): Credentials {
  const { provider, old, credentials, overlap: seconds = 0 } = reconnection;
  if (!old || reconnection.overlap === 0) return {};
  if (beginsOverlap(reconnection)) return overlapWith(old, new Date(now.getTime() + seconds * 1_000));
  return isSameProof(provider, old, credentials) ? overlapOf(old, now) : {};
}

type Overlapping = Pick<Reconnection, 'provider' | 'old' | 'credentials' | 'overlap'>;

function refuseSecondOverlap({ now }: WorkspaceContext, overlapping: Overlapping): void {
  const { old, overlap = 0 } = overlapping;
  if (old && beginsOverlap(overlapping)) overlapUntil({ previous_until: overlapEnd(old) }, overlap, now);
}

/** Reports whether a tool needs time for the new credentials: those that prove calls in the same way change nothing for it. */
const beginsOverlap = ({ provider, old, credentials, overlap = 0 }: Overlapping): boolean =>
  overlap > 0 && old !== null && !isSameProof(provider, old, credentials);

function isSameProof(provider: Provider, old: Credentials, given: Credentials): boolean {
  const { rules = [] } = provider;
  return (
    signingSecret(provider, old) === signingSecret(provider, given) &&
    rules.every((name) => old[name] === given[name])
  );
}

/**
 * Reports whether the old webhook belongs to another app, or to none anymore, and the new one will be registered later.
 */
const isMoved = ({ provider, old, credentials }: Reconnection): boolean =>
  provider.registersLater === true &&
  old !== null &&
  signingSecret(provider, old) !== signingSecret(provider, credentials);

/** Reports whether the webhook and the proof of its calls are the same, so that earlier calls still prove that it works. */
function isSameHook(
  before: IntegrationRow,
  { provider, old, credentials, registration }: Reconnection,
): boolean {
  if (!old || !isSameProof(provider, old, credentials)) return false;
  return registration === null || hookColumns(registration).hook === before.hook;
}

const hookOf = ({ hook }: IntegrationRow): Hook | null => (hook === null ? null : (JSON.parse(hook) as Hook));
