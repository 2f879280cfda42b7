import type { Context, WorkContext } from '../../context.ts';
import { type IntegrationRow, setProblem, setRefusedCall } from '../../db/integrations/integrations.ts';
import type { Tx } from '../../db/core/schema.ts';
import {
  type IntegrationFinding,
  type IntegrationState,
  nextProblem,
  type Problem,
  type RefusedCall,
  shownStatus,
} from '../../domain/integrations/integration.ts';
import { audit } from '../audit-log.ts';
import { openCredentials } from './credentials.ts';
import { providerOf } from './provider-of.ts';
import { fireTrigger } from '../fire-trigger.ts';
import { workContext } from '../../work-context.ts';

type Providers = Pick<Context, 'providers'>;
type ProvidersAndVault = Pick<Context, 'providers' | 'vault'>;

/** The name by which people know the provider of an integration. */
export const providerName = (context: Providers, row: Pick<IntegrationRow, 'provider' | 'definition'>) =>
  providerOf(context, row)?.name ?? row.provider;

/** The status of an integration as the API shows it. */
export const statusOf = (context: ProvidersAndVault, row: IntegrationRow) =>
  shownStatus(stateOf(context, row), providerName(context, row));

export const problemOf = ({ problem }: Pick<IntegrationRow, 'problem'>): Problem | null =>
  problem === null ? null : (JSON.parse(problem) as Problem);

function stateOf(context: ProvidersAndVault, row: IntegrationRow): IntegrationState {
  const { receives, registersLater } = providerOf(context, row) ?? {};
  return {
    receives: receives === undefined || receives(openCredentials(context, row) ?? {}),
    status: row.status,
    problem: problemOf(row),
    registered: row.hook !== null,
    registering: registersLater === true && row.hook === null && row.hook_refusal === null,
    refusal: row.hook_refusal,
    verifiedAt: row.verified_at,
    connectedAt: row.connected_at,
    refusedCall: refusedCallOf(row),
  };
}

/**
 * Applies a finding to the problem of an integration, in its row and the audit log. Returns `false` if nothing changed,
 * or another request has changed it first.
 */
export async function applyFinding(
  tx: Tx,
  context: WorkContext,
  { row, finding }: { row: IntegrationRow; finding: IntegrationFinding },
): Promise<boolean> {
  const now = context.now.toISOString();
  const before = problemOf(row);
  const after = nextProblem(before, finding, { provider: providerName(context, row), now });
  if (after === before) return false;
  if (!(await setProblem(tx, row, { after: after && JSON.stringify(after), now }))) return false;
  await auditProblem(tx, context, { row, before, after });
  return true;
}

/** Runs `applyFinding` in its own transaction, so that it is stored even if the work that brought it fails. */
export async function recordFinding(
  context: WorkContext,
  found: { row: IntegrationRow; finding: IntegrationFinding },
): Promise<boolean> {
  const work = { ...workContext(context), now: context.now };
  return work.write((tx) => applyFinding(tx, work, found));
}

/** Writes an audit entry when a problem begins or ends, and none when only its words change. */
export async function auditProblem(
  tx: Tx,
  context: WorkContext,
  { row, before, after }: { row: IntegrationRow; before: Problem | null; after: Problem | null },
): Promise<void> {
  if (after?.code === before?.code) return;
  if (after) {
    const { code, message } = after;
    await fireTrigger(tx, context, {
      trigger: 'integration.error',
      workspaceId: row.workspace_id,
      data: {
        integration_id: row.id,
        integration_type: row.provider,
        integration_name: row.name,
        code,
        message,
      },
      resourceIds: [row.id],
    });
  }
  await audit(tx, context, {
    workspaceId: row.workspace_id,
    action: after ? 'integration.failed' : 'integration.recovered',
    target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
    metadata: after ? { code: after.code, message: after.message } : { code: before?.code },
  });
}

/**
 * Notes that the credentials no longer decrypt, even if the request that found it fails. Logs it once, not with every
 * call.
 */
export async function recordUnreadable(context: WorkContext, row: IntegrationRow): Promise<void> {
  if (problemOf(row)?.code === 'credentials_unreadable') return;
  const finding: IntegrationFinding = { kind: 'unreadable' };
  if (await recordFinding(context, { row, finding })) {
    const { id, provider, workspace_id } = row;
    context.log.error(
      { integration_id: id, provider, workspace_id },
      'the stored credentials of an integration can no longer be decrypted',
    );
  }
}

// Anybody may call, so refused calls cost at most one write per minute.
const REFUSED_CALL_EVERY_MS = 60_000;

/** Notes why a call was refused, for people who wait for the first successful call. */
export async function recordRefusedCall(
  { store, now }: Pick<Context, 'store' | 'now'>,
  row: IntegrationRow,
  reason: string,
): Promise<void> {
  const last = refusedCallOf(row);
  const isSoon = last !== null && now.getTime() - Date.parse(last.at) < REFUSED_CALL_EVERY_MS;
  if (row.verified_at !== null || isSoon) return;
  const call: RefusedCall = { at: now.toISOString(), reason };
  await store.write((tx) => setRefusedCall(tx, row, JSON.stringify(call)));
}

const refusedCallOf = ({ refused_call: call }: Pick<IntegrationRow, 'refused_call'>): RefusedCall | null =>
  call === null ? null : (JSON.parse(call) as RefusedCall);

/** Records that an integration has become connected, which happens once, and fires the trigger. */
export async function recordConnected(
  tx: Tx,
  context: WorkContext,
  { id, provider, name, workspace_id: workspaceId }: IntegrationRow,
): Promise<void> {
  await audit(tx, context, {
    workspaceId,
    action: 'integration.connected',
    target: { type: 'integration', id, name: provider },
  });
  await fireTrigger(tx, context, {
    trigger: 'integration.connected',
    workspaceId,
    data: { integration_id: id, integration_type: provider, integration_name: name },
    resourceIds: [id],
  });
}
