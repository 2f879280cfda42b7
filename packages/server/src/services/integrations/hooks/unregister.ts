import { z } from 'zod';
import type { Deps } from '../../../context.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import { PermanentFailure } from '../../../jobs/job-kind.ts';
import type { Credentials, Hook } from '../../../providers/provider.ts';
import { audit } from '../../audit-log.ts';
import { toolsFor } from '../provider-tools.ts';

/** The integration of a webhook, in the payload of a job. Its row may be gone by then. */
export const HookIntegration = z.object({ id: z.string(), provider: z.string(), workspace_id: z.string() });
type HookIntegration = z.output<typeof HookIntegration>;

export const HookCredentials = z.record(z.string(), z.string());

/** Removes a webhook at its provider. */
export async function unregister(
  deps: Deps,
  {
    integration,
    url,
    credentials,
    hook,
  }: { integration: HookIntegration; url: string; credentials: Credentials; hook: Hook | null },
): Promise<void> {
  const provider = deps.providers.get(integration.provider);
  await provider?.unregister?.(credentials, { url, hook }, toolsFor(deps, integration.provider));
}

/**
 * Makes an error permanent, unless the provider or the storage was unavailable: a provider that has refused would refuse
 * again.
 */
export const forGood = (error: unknown) =>
  error instanceof ProviderUnavailable || error instanceof StorageUnavailable || !(error instanceof Error)
    ? error
    : new PermanentFailure(error.message);

export function parseHook(stored: string): Hook {
  try {
    return JSON.parse(stored) as Hook;
  } catch {
    throw new PermanentFailure('the stored webhook cannot be read');
  }
}

export const integrationOf = ({ id, provider, workspace_id }: HookIntegration): HookIntegration => ({
  id,
  provider,
  workspace_id,
});

export async function auditLeftWebhook(
  tx: Tx,
  { ids, clock }: Deps,
  left: { integration: HookIntegration; hook: string | null; reason: string },
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
