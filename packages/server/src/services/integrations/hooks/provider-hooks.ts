import { z } from 'zod';
import type { Context, Deps, WorkContext } from '../../../context.ts';
import { findIntegration, type IntegrationRow } from '../../../db/integrations/integrations.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import { cancel, enqueue, promote } from '../../../jobs/enqueue.ts';
import { defineJob, PermanentFailure } from '../../../jobs/job-kind.ts';
import type { Credentials, Hook, Registration as Registered } from '../../../providers/provider.ts';
import { audit } from '../../audit-log.ts';
import { openCredentials } from '../credentials.ts';
import { ingestUrl } from '../ingest-url.ts';
import { findApp } from '../oauth/apps.ts';
import { refreshedAfterwards, storeAtLast } from '../oauth/refresh.ts';
import { signingSecret } from '../prepare-connection.ts';
import { toolsFor } from '../provider-tools.ts';

// After this time, the request that registers a webhook has stored its integration, or never will.
const UNDO_AFTER_MS = 60_000;

const Integration = z.object({ id: z.string(), provider: z.string(), workspace_id: z.string() });
const CredentialsSchema = z.record(z.string(), z.string());

const Removal = z.object({
  integration: Integration,
  /** The identity of the webhook at the provider, as it is stored. */
  hook: z.string(),
  /** The credentials that may remove it, best first. */
  credentials: z.array(CredentialsSchema),
  /** The OAuth app that refreshes them: it is deleted with its workspace. */
  app: z
    .object({
      client_id: z.string(),
      client_secret: z.string(),
      signing_secret: z.string().optional(),
      domain: z.string().optional(),
    })
    .optional(),
});

/**
 * Removes a webhook at its provider. If it may be left behind, writes that into the audit log, because then a person
 * has to remove it.
 */
export const removeHookJob = defineJob({
  name: 'remove_hook',
  payload: Removal,
  sealed: true,
  concurrency: 4,
  async run(deps, payload) {
    const { integration, hook: stored, credentials, app } = payload;
    const hook = parseHook(stored);
    const url = ingestUrl(deps, integration.id);
    let problem: unknown = new Error('the stored credentials cannot be read');
    for (const each of credentials) {
      try {
        const fresh = await refreshedAfterwards(deps, integration, { credentials: each, app });
        // Refresh tokens rotate, so the new tokens are stored before they are used.
        if (fresh)
          return await continueWith(deps, {
            ...payload,
            credentials: credentials.map((other) => (other === each ? { ...fresh } : other)),
          });
        return await unregister(deps, { integration, url, credentials: each, hook });
      } catch (error) {
        // A call without a response may still work later, whatever the other attempts returned.
        if (!(problem instanceof ProviderUnavailable)) problem = error;
      }
    }
    throw forGood(problem);
  },
  failed: (tx, deps, { payload, reason }) => auditLeftWebhook(tx, deps, { ...payload, reason }),
});

/** Removes a webhook by a separate job, with a token that has just been refreshed. */
async function continueWith(deps: Deps, payload: z.output<typeof Removal>): Promise<void> {
  const now = deps.clock();
  const key = `${payload.integration.id} ${payload.hook} ${now.toISOString()}`;
  await storeAtLast(deps, (tx) =>
    enqueue(tx, { vault: deps.vault, now }, { kind: removeHookJob, key, payload }),
  );
  deps.jobs.wake();
}

/** Removes the webhook of an integration that is deleted in the same transaction, if it has one. */
export async function enqueueHookRemoval(tx: Tx, context: WorkContext, row: IntegrationRow): Promise<void> {
  const credentials = openCredentials(context, row);
  await enqueueRemoval(tx, context, { row, credentials: credentials ? [credentials] : [] });
}

/** Removes the webhook of `row`, which was replaced by another, with the first credentials that work. */
export async function enqueueRemoval(
  tx: Tx,
  context: WorkContext,
  { row, credentials }: { row: IntegrationRow; credentials: readonly Credentials[] },
): Promise<void> {
  if (row.hook === null) return;
  const isRefreshed = credentials.some((each) => each['refresh_token'] !== undefined);
  const app =
    isRefreshed && (await findApp(context, tx, { workspaceId: row.workspace_id, provider: row.provider }));
  await enqueue(tx, context, {
    kind: removeHookJob,
    key: `${row.id} ${row.hook}`,
    payload: {
      integration: integrationOf(row),
      hook: row.hook,
      credentials: credentials.map((each) => ({ ...each })),
      ...(app && { app }),
    },
  });
}

const Registration = z.object({
  integration: Integration,
  /** The URL that the webhook calls: the server may be known by another address after a restart. */
  url: z.string(),
  /** The credentials with which it was, or is being, registered. */
  credentials: CredentialsSchema,
  /** The earlier webhook, as it is stored; `null` for none. */
  hook: z.string().nullable(),
  /** The secret of the earlier webhook; `null` if unknown. */
  secret: z.string().nullable(),
});
type Registration = z.output<typeof Registration>;

/**
 * Undoes a registration whose integration was not stored: removes the webhook, or restores the old secret of the
 * earlier one. The job is stored before the provider is called, so that not even a crash leaves an unknown webhook
 * behind.
 */
export const undoRegistrationJob = defineJob({
  name: 'undo_registration',
  payload: Registration,
  sealed: true,
  concurrency: 4,
  run: async (deps, registration) => {
    try {
      await undoRegistration(deps, registration);
    } catch (error) {
      throw forGood(error);
    }
  },
  failed: (tx, deps, { payload, reason }) => auditLeftWebhook(tx, deps, { ...payload, reason }),
});

/**
 * Stores how to undo a registration that is about to be made. The transaction that stores the integration calls
 * `confirmRegistration`; without that, the registration is undone after a minute.
 */
export async function beginRegistration(context: Context, registration: Registration): Promise<void> {
  const job = { kind: undoRegistrationJob, key: registration.integration.id };
  const begun = await context.store.write(async (tx) => {
    // A job that an earlier request has left knows less than this one.
    await cancel(tx, job);
    return enqueue(
      tx,
      { vault: context.vault, now: context.now },
      { ...job, payload: registration, delayMs: UNDO_AFTER_MS },
    );
  });
  if (!begun) throw new ProviderUnavailable('An earlier registration is being undone');
}

/** Keeps the webhook, because its integration is stored. */
export async function confirmRegistration(tx: Tx, integrationId: string): Promise<void> {
  if (await cancel(tx, { kind: undoRegistrationJob, key: integrationId })) return;
  throw new ProviderUnavailable('The registration took so long that it is being undone');
}

/**
 * Undoes a registration in the background. Never rejects: if this cannot be stored, the job is due within a minute
 * anyway.
 */
export async function abandonRegistration(context: Context, integrationId: string): Promise<void> {
  const { vault, clock } = context;
  const job = { kind: undoRegistrationJob, key: integrationId };
  await context.store
    .write((tx) => promote(tx, { vault, now: clock() }, job))
    .catch((error: unknown) => context.log.warn({ err: error }, 'a registration will be undone later'));
  context.jobs.wake();
}

/**
 * Undoes a registration now, or in the background if the provider does not respond. `made`: the provider's response to
 * the registration, if any. Never rejects.
 */
export async function undoNow(
  context: Context,
  registration: Registration,
  made: Registered | null,
): Promise<void> {
  const { id } = registration.integration;
  try {
    if (made?.registered) await undoRegistration(context, registration, made);
    await context.store.write((tx) => cancel(tx, { kind: undoRegistrationJob, key: id }));
  } catch (error) {
    context.log.warn({ err: error, integration_id: id }, 'a registration could not be undone; trying again');
    await abandonRegistration(context, id);
  }
}

/** `made`: the provider's response to the registration. Absent after a crash, and if there was none. */
async function undoRegistration(
  deps: Deps,
  { integration, url, credentials, hook, secret }: Registration,
  made?: Registered & { registered: true },
): Promise<void> {
  const stored = await findIntegration(deps.store.read, integration.workspace_id, integration.id);
  if (!stored || made?.created)
    return unregister(deps, { integration, url, credentials, hook: made?.hook ?? null });
  const provider = deps.providers.get(integration.provider);
  if (!provider?.register || secret === null) return;
  if (made && signingSecret(provider, credentials) === secret) return;
  const before = hook === null ? null : parseHook(hook);
  const ingest = { url, hook: before, secret };
  const restored = await provider.register(credentials, ingest, toolsFor(deps, integration.provider));
  if (!restored) return;
  if (!restored.registered) throw new Error(restored.reason);
  // The earlier webhook was another one, or there was none.
  const isAnother = before !== null && JSON.stringify(restored.hook) !== JSON.stringify(before);
  if (restored.created || isAnother)
    await unregister(deps, { integration, url, credentials, hook: restored.hook });
}

async function unregister(
  deps: Deps,
  wanted: Pick<Registration, 'integration' | 'url' | 'credentials'> & { hook: Hook | null },
): Promise<void> {
  const { integration, url, credentials, hook } = wanted;
  const provider = deps.providers.get(integration.provider);
  await provider?.unregister?.(credentials, { url, hook }, toolsFor(deps, integration.provider));
}

/**
 * Makes an error permanent, unless the provider or the storage was unavailable: a provider that has refused would refuse
 * again.
 */
const forGood = (error: unknown) =>
  error instanceof ProviderUnavailable || error instanceof StorageUnavailable || !(error instanceof Error)
    ? error
    : new PermanentFailure(error.message);

function parseHook(stored: string): Hook {
  try {
    return JSON.parse(stored) as Hook;
  } catch {
    throw new PermanentFailure('the stored webhook cannot be read');
  }
}

export const integrationOf = ({ id, provider, workspace_id }: Registration['integration']) => ({
  id,
  provider,
  workspace_id,
});

async function auditLeftWebhook(
  tx: Tx,
  { ids, clock }: Deps,
  left: { integration: Registration['integration']; hook: string | null; reason: string },
): Promise<void> {
  const { id, provider, workspace_id: workspaceId } = left.integration;
  // The audit log is deleted with its workspace.
  if (!(await findWorkspace(tx, workspaceId))) return;
  const record = {
    workspaceId,
    action: 'integration.webhook_left',
    target: { type: 'integration', id, name: provider },
    metadata: { reason: left.reason, webhook: left.hook === null ? null : readable(left.hook) },
  };
  await audit(tx, { ids, now: clock() }, record);
}

const readable = (hook: string): unknown => {
  try {
    return JSON.parse(hook);
  } catch {
    return hook;
  }
};
