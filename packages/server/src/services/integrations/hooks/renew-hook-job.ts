import { z } from 'zod';
import type { Context, Deps } from '../../../context.ts';
import type { Db, Tx } from '../../../db/core/schema.ts';
import { findIntegration, type IntegrationRow, setHook } from '../../../db/integrations/integrations.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { Fault } from '../../../domain/faults/fault.ts';
import { cancel, enqueue } from '../../../jobs/enqueue.ts';
import { type RunAgain, defineJob, PermanentFailure } from '../../../jobs/job-kind.ts';
import type { Hook, Provider, Registration } from '../../../providers/provider.ts';
import { workContext } from '../../../work-context.ts';
import { ingestUrl } from '../ingest-url.ts';
import { hookColumns, signingSecret } from '../prepare-connection.ts';
import { providerOf } from '../provider-of.ts';
import { toolsFor } from '../provider-tools.ts';
import { applyFinding } from '../status.ts';
import { usableCredentials } from '../usable-credentials.ts';

const DAY_MS = 24 * 60 * 60_000;
// The delay after somebody has reconnected the integration during the job.
const SOON_MS = 1_000;

const Payload = z.object({ workspace_id: z.string(), integration_id: z.string() });
type Payload = z.output<typeof Payload>;

/**
 * Registers the webhook of an integration in the background: again, if the provider lets webhooks expire, or for the
 * first time, if the provider calls the URL before it accepts it.
 */
export const renewHookJob = defineJob({
  name: 'renew_hook',
  payload: Payload,
  concurrency: 4,
  async run(deps, payload): Promise<RunAgain | void> {
    const found = await target(deps.store.read, deps, payload);
    if (!found) return;
    const { row, provider } = found;
    const context = workContext(deps);
    try {
      const credentials = await usableCredentials(context, provider, row);
      const ingest = {
        url: ingestUrl(deps, row.id),
        secret: signingSecret(provider, credentials) ?? '',
        hook: row.hook === null ? null : (JSON.parse(row.hook) as Hook),
      };
      const registration = await provider.register(credentials, ingest, toolsFor(deps, provider.key));
      const isStored = await deps.store.write((tx) => store(tx, { row, registration }));
      if (!isStored) {
        const isGone = (await target(deps.store.read, deps, payload)) === null;
        if (isGone && registration?.registered)
          await provider.unregister?.(
            credentials,
            { ...ingest, hook: registration.hook },
            toolsFor(deps, provider.key),
          );
        return { againInMs: SOON_MS };
      }
      const { renewAt } = registration?.registered ? registration : {};
      if (renewAt) return { againInMs: renewAt.getTime() - deps.clock().getTime() };
      // A webhook that is not renewed ends: people are notified, and the renewal is retried tomorrow.
      if (registration?.registered !== false || row.hook === null) return;
      throw new PermanentFailure(registration.reason);
    } catch (error) {
      throw error instanceof Fault ? new PermanentFailure(error.message) : error;
    }
  },
  beforeFailed: (tx, { workspace_id: workspaceId }) => lockWorkspace(tx, workspaceId),
  async failed(tx, deps, { payload, reason }) {
    const found = await target(tx, deps, payload);
    if (!found || found.row.hook === null) return;
    const context = workContext(deps);
    const finding = { kind: 'refused', what: 'credentials', reason } as const;
    if (found.row.problem === null) await applyFinding(tx, context, { row: found.row, finding });
    await enqueueRenewal(tx, context, { row: found.row, delayMs: DAY_MS });
  },
});

/** The integration of a job, if it is still there and its provider registers webhooks. */
async function target(
  db: Db,
  deps: Deps,
  { workspace_id: workspaceId, integration_id: id }: Payload,
): Promise<{ row: IntegrationRow; provider: Provider & Required<Pick<Provider, 'register'>> } | null> {
  const row = await findIntegration(db, workspaceId, id);
  const provider = row && providerOf(deps, row);
  return row && provider?.register ? { row, provider: { ...provider, register: provider.register } } : null;
}

/** Stores a registration. Returns `false` if another webhook was stored in the meantime. */
function store(
  tx: Tx,
  { row, registration }: { row: IntegrationRow; registration: Registration | null },
): Promise<boolean> {
  const { hook, hook_refusal } = hookColumns(registration);
  // If the renewal was refused, the old webhook may keep calling for a while.
  return setHook(tx, row, { hook: hook ?? row.hook, hook_refusal });
}

/** Plans the renewal of a webhook that was just registered, or its first registration. Replaces any earlier plan. */
export async function planRenewal(
  tx: Tx,
  context: Context,
  {
    row,
    provider,
    registration,
  }: { row: IntegrationRow; provider: Provider; registration: Registration | null },
): Promise<void> {
  await cancelRenewal(tx, row);
  if (provider.registersLater) await enqueueRenewal(tx, context, { row, delayMs: 0 });
  else if (registration?.registered && registration.renewAt)
    await enqueueRenewal(tx, context, {
      row,
      delayMs: registration.renewAt.getTime() - context.now.getTime(),
    });
}

/** Cancels the planned renewal. */
export async function cancelRenewal(tx: Tx, { id }: Pick<IntegrationRow, 'id'>): Promise<void> {
  await cancel(tx, { kind: renewHookJob, key: id });
}

async function enqueueRenewal(
  tx: Tx,
  context: Parameters<typeof enqueue>[1],
  { row, delayMs }: { row: IntegrationRow; delayMs: number },
): Promise<void> {
  const payload = { workspace_id: row.workspace_id, integration_id: row.id };
  await enqueue(tx, context, { kind: renewHookJob, key: row.id, payload, delayMs });
}
