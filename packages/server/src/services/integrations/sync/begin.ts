import type { EndpointInput } from '@hubline/contract';
import type { WorkContext, WorkspaceContext } from '../../../context.ts';
import { timeOfId } from '../../../db/core/columns/columns.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { findIntegration, type IntegrationRow } from '../../../db/integrations/integrations.ts';
import { setSync } from '../../../db/integrations/stored-sync.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { notFound, unprocessable } from '../../../domain/faults/fault.ts';
import { mayHaveLost } from '../../../domain/integrations/integration.ts';
import { enqueue, promote } from '../../../jobs/enqueue.ts';
import type { Credentials, Hook, Provider } from '../../../providers/provider.ts';
import { audit } from '../../audit-log.ts';
import { openCredentials } from '../credentials.ts';
import { providerOf } from '../provider-of.ts';
import { problemOf, providerName } from '../status.ts';
import { storedCredentials } from '../usable-credentials.ts';
import { syncJob } from './sync-job.ts';
import { underOlderName } from './older-names.ts';
import { shown, type SyncState, syncOf } from './state.ts';

// Calls may be lost between others that arrive. GitHub lists its past calls for this long.
const AT_LEAST_MS = 3 * 24 * 60 * 60_000;
// Older events are no longer useful.
const AT_MOST_MS = 30 * 24 * 60 * 60_000;

/** Begins a sync; one that is under way continues at once. */
export async function sync(context: WorkspaceContext, { params }: EndpointInput<'integrations.sync'>) {
  const { workspaceId } = context.access;
  const row = await findIntegration(context.store.read, workspaceId, params.integrationId);
  const provider = row && providerOf(context, row);
  if (!row || !provider) throw notFound('integration');
  const name = providerName(context, row);
  if (!provider.sync)
    throw unprocessable(
      'integrationId',
      `names a ${name} integration, and ${name} has no API that lists past changes`,
    );
  const credentials = await storedCredentials(context, provider, row);
  const obstacle = obstacleOf(provider, row, credentials);
  if (obstacle !== null)
    throw unprocessable('integrationId', `names an integration that ${obstacle}`, { passing: true });
  return context.write(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const current = await findIntegration(tx, workspaceId, row.id);
    const begun = current && (await begin(tx, context, { row: current }));
    if (!begun) throw notFound('integration');
    await audit(tx, context, {
      workspaceId,
      action: 'integration.sync_requested',
      target: { type: 'integration', id: row.id, name: row.name ?? row.provider },
    });
    return begun;
  });
}

/**
 * Begins a sync after a problem has ended, in the same transaction, if calls may have been lost in the meantime and the
 * provider's API can list them. The workspace is locked. `row`: the integration as it was with the problem.
 */
export async function syncAfterProblem(tx: Tx, context: WorkContext, row: IntegrationRow): Promise<void> {
  const provider = providerOf(context, row);
  if (!provider?.sync || !mayHaveLost(problemOf(row))) return;
  const current = await findIntegration(tx, row.workspace_id, row.id);
  const credentials = current && openCredentials(context, current);
  if (!current || current.problem !== null || !credentials) return;
  if (obstacleOf(provider, current, credentials) === null) await begin(tx, context, { row: current });
}

/**
 * Begins a sync from `since` on, after a delay. Returns `false` if one was begun after `until` or is under way, or none
 * is possible. The workspace is locked.
 */
export async function syncSince(
  tx: Tx,
  context: WorkContext,
  { row: { workspace_id, id }, since, until, delayMs }: Missed,
): Promise<boolean> {
  const row = await findIntegration(tx, workspace_id, id);
  const provider = row && providerOf(context, row);
  if (!row || !provider?.sync || row.problem !== null || row.status !== 'connected') return false;
  const last = syncOf(row);
  if (row.connected_at >= until || last?.status === 'running' || (last && last.started_at >= until))
    return false;
  const credentials = openCredentials(context, row);
  if (!credentials || obstacleOf(provider, row, credentials) !== null) return false;
  return (await begin(tx, context, { row, since, delayMs })) !== null;
}

interface Missed {
  row: Pick<IntegrationRow, 'id' | 'workspace_id'>;
  since: string;
  until: string;
  delayMs: number;
}

const obstacleOf = (provider: Provider, { hook }: IntegrationRow, credentials: Credentials) =>
  provider.sync?.obstacle?.(credentials, hook === null ? null : (JSON.parse(hook) as Hook)) ?? null;

interface Beginning {
  row: IntegrationRow;
  /** The time from which calls may have been lost. Default: the last call. */
  since?: string;
  delayMs?: number;
}

async function begin(tx: Tx, context: WorkContext, { row, since, delayMs = 0 }: Beginning) {
  const underWay = syncOf(row);
  if (underWay?.status === 'running') {
    for (const kind of [syncJob, underOlderName(syncJob, 'catch_up')])
      await promote(tx, context, { kind, key: keyOf(row, underWay) });
    return shown(underWay);
  }
  const state: SyncState = {
    status: 'running',
    since: sinceOf(row, since, context.now).toISOString(),
    started_at: context.now.toISOString(),
    completed_at: null,
    events: 0,
    called: 0,
    error: null,
    cursor: null,
  };
  const { workspace_id, id: integration_id } = row;
  const payload = { workspace_id, integration_id, started_at: state.started_at };
  await enqueue(tx, context, { kind: syncJob, key: keyOf(row, state), payload, delayMs });
  return (await setSync(tx, row, { sync: JSON.stringify(state) })) ? shown(state) : null;
}

/** Each sync has its own job, because the job of the previous one may still be ending. */
const keyOf = ({ id }: IntegrationRow, { started_at }: SyncState) => `${id} ${started_at}`;

/**
 * The time from which to sync: the last call or the first that may be lost, three to 30 days back, but never before the integration was
 * made. Events that have arrived are not stored twice.
 */
function sinceOf({ id, last_synced_at: last }: IntegrationRow, lost: string | undefined, now: Date): Date {
  const time = now.getTime();
  const made = timeOfId(id);
  const since = Math.min(
    last === null ? made : Date.parse(last),
    lost === undefined ? time : Date.parse(lost),
    time - AT_LEAST_MS,
  );
  return new Date(Math.max(since, made, time - AT_MOST_MS));
}
