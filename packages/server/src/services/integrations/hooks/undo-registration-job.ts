import { z } from 'zod';
import type { Context, Deps } from '../../../context.ts';
import { findIntegration } from '../../../db/integrations/integrations.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { cancel, enqueue, promote } from '../../../jobs/enqueue.ts';
import { defineJob } from '../../../jobs/job-kind.ts';
import type { Registration as Registered } from '../../../providers/provider.ts';
import { signingSecret } from '../prepare-connection.ts';
import { toolsFor } from '../provider-tools.ts';
import {
  auditLeftWebhook,
  forGood,
  HookCredentials,
  HookIntegration,
  parseHook,
  unregister,
} from './unregister.ts';

// After this time, the request that registers a webhook has stored its integration, or never will.
const UNDO_AFTER_MS = 60_000;

const Registration = z.object({
  integration: HookIntegration,
  /** The URL that the webhook calls: the server may be known by another address after a restart. */
  url: z.string(),
  /** The credentials with which it was, or is being, registered. */
  credentials: HookCredentials,
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
