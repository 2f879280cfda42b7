import { pause } from '../../../clock/timer.ts';
import type { Deps, WorkContext } from '../../../context.ts';
import {
  findIntegration,
  type IntegrationRow,
  storeCredentials,
} from '../../../db/integrations/integrations.ts';
import type { Tx } from '../../../db/core/schema.ts';
import type { RefreshLease } from '../../../db/core/statements.ts';
import { dialectOf } from '../../../db/dialect-of.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { unprocessable } from '../../../domain/faults/fault.ts';
import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import { refresh } from '../../../providers/oauth/grant.ts';
import { type OAuthApp, OAuthRefused } from '../../../providers/oauth/oauth.ts';
import type { Credentials } from '../../../providers/provider.ts';
import { openCredentials, sealCredentials } from '../credentials.ts';
import { recordFinding } from '../status.ts';
import { findGrantor, findOAuthProvider, grantorOf } from './apps.ts';

// Longer than a refresh takes: its requests may take 10 seconds each. When the process dies, others continue after this time.
const LEASE_MS = 30_000;
const WAIT_MS = 15_000;
// Added to the request before it, this ends within the lease.
const STORE_MS = 15_000;
const STORE_RETRY_MS = 1_000;
const POLL_MS = 100;
// A token must stay valid until the end of a request that uses it.
const SPARE_MS = 60_000;

/**
 * Credentials with a token that is valid for at least a minute. Otherwise it is refreshed and stored first. Throws
 * `unprocessable_entity` if access has ended, after noting it, and `ProviderUnavailable`.
 */
export async function freshCredentials(
  context: WorkContext,
  row: IntegrationRow,
  credentials: Credentials,
): Promise<Credentials> {
  if (!isStale(context, credentials)) return credentials;
  const { refreshes } = context;
  const running = refreshes.get(row.id);
  if (running) return running;
  const refreshing = refreshAlone(context, row, credentials).finally(() => refreshes.delete(row.id));
  refreshes.set(row.id, refreshing);
  return refreshing;
}

/**
 * Refreshes while no other process does. If refresh tokens rotate, a second refresh with the same one is refused, and
 * some providers then end all access.
 */
async function refreshAlone(
  context: WorkContext,
  row: IntegrationRow,
  credentials: Credentials,
): Promise<Credentials> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const lease = await takeLease(context, row.id);
    try {
      const current = await findIntegration(context.store.read, row.workspace_id, row.id);
      // Deleted: the job that removes its webhook refreshes these credentials.
      if (!current) return credentials;
      const isSame = current.credentials === row.credentials;
      const stored = isSame ? credentials : (openCredentials(context, current) ?? credentials);
      if (!isStale(context, stored)) return stored;
      if (lease) return await refreshAndStore(context, current, stored);
    } finally {
      if (lease) await endLease(context, lease);
    }
    if (performance.now() > deadline)
      throw new ProviderUnavailable(
        `another process of this server has been refreshing the access to ${row.name} for ${WAIT_MS / 1_000} seconds`,
      );
    await pause(POLL_MS);
  }
}

function isStale({ clock }: Pick<WorkContext, 'clock'>, credentials: Credentials): boolean {
  const { token_expires_at: end } = credentials;
  return end !== undefined && Date.parse(end) - clock().getTime() < SPARE_MS;
}

async function refreshAndStore(
  context: WorkContext,
  row: IntegrationRow,
  credentials: Credentials,
): Promise<Credentials> {
  const provider = findOAuthProvider(context, row.provider);
  // A newer version of the server connected it with OAuth.
  if (!provider) return credentials;
  try {
    const grantor = await findGrantor(context, context.store.read, {
      workspaceId: row.workspace_id,
      provider,
    });
    if (!grantor)
      throw new OAuthRefused(
        `the OAuth app of ${provider.name} was removed from the workspace, or can no longer be read`,
      );
    if (credentials['refresh_token'] === undefined)
      throw new OAuthRefused(`${provider.name} granted access for a limited time, which has ended`);
    const fresh = await refresh(grantor, credentials);
    return await stored(context, row, fresh);
  } catch (error) {
    if (!(error instanceof OAuthRefused)) throw error;
    return useNewerOrFail(context, row, error.message);
  }
}

async function stored(context: WorkContext, row: IntegrationRow, fresh: Credentials): Promise<Credentials> {
  const call = { id: row.id, credentials: row.credentials, now: context.clock().toISOString() };
  const sealed = sealCredentials(context, row.id, fresh);
  if (await storeAtLast(context, (tx) => storeCredentials(tx, call, sealed))) return fresh;
  // Somebody reconnected the integration, or another process was faster: the stored credentials win.
  return (await newer(context, row)) ?? fresh;
}

/** Stores a token that the provider gives once. A database that takes no writes for a moment must not end the access. */
export async function storeAtLast(
  { store }: Pick<Deps, 'store'>,
  unit: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  for (const until = performance.now() + STORE_MS; ;) {
    try {
      return await store.write(unit);
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || performance.now() > until) throw error;
      await pause(STORE_RETRY_MS);
    }
  }
}

async function useNewerOrFail(
  context: WorkContext,
  row: IntegrationRow,
  reason: string,
): Promise<Credentials> {
  const other = await newer(context, row);
  if (other && !isStale(context, other)) return other;
  await recordFinding(context, { row, finding: { kind: 'refused', what: 'credentials', reason } });
  throw unprocessable(
    'integrationId',
    `names an integration whose access has ended: ${reason}; connect it again`,
    {
      passing: true,
    },
  );
}

/**
 * Refreshed credentials, for work that outlives the integration; `null` if the token is still valid, or cannot be
 * refreshed. `app`: the app of the workspace at the time of the deletion; it is used if the workspace has none anymore. Throws
 * `ProviderUnavailable`.
 */
export async function refreshedAfterwards(
  deps: Deps,
  { provider: key, workspace_id: workspaceId }: Pick<IntegrationRow, 'provider' | 'workspace_id'>,
  { credentials, app }: { credentials: Credentials; app: OAuthApp | undefined },
): Promise<Credentials | null> {
  const provider = findOAuthProvider(deps, key);
  if (!provider || !isStale(deps, credentials) || credentials['refresh_token'] === undefined) return null;
  const current = await findGrantor(deps, deps.store.read, { workspaceId, provider });
  const grantor = current ?? (app && grantorOf(deps, provider, app));
  if (!grantor) return null;
  try {
    return await refresh(grantor, credentials);
  } catch (error) {
    // Access has ended: the provider refuses the old token, and says why.
    if (error instanceof OAuthRefused) return null;
    throw error;
  }
}

/** The credentials that have been stored since `row` was read; `null` for none. */
async function newer(context: WorkContext, row: IntegrationRow): Promise<Credentials | null> {
  const current = await findIntegration(context.store.read, row.workspace_id, row.id);
  if (current === undefined || current.credentials === row.credentials) return null;
  return openCredentials(context, current);
}

/** Returns `null` while another process has the lease. */
async function takeLease({ store, clock }: Deps, integrationId: string): Promise<RefreshLease | null> {
  const now = clock().getTime();
  const lease = { integration_id: integrationId, lease_until: now + LEASE_MS };
  return (await store.write((tx) => dialectOf(tx).takeRefreshLease(tx, lease, now))) ? lease : null;
}

async function endLease({ store }: Deps, lease: RefreshLease): Promise<void> {
  await store.write((tx) => dialectOf(tx).endRefreshLease(tx, lease));
}
