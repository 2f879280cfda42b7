import type { Context } from '../context.ts';
import type { IntegrationRow } from '../db/integrations.ts';
import type { Credentials, Ingest, ProviderTools } from '../providers/provider.ts';
import { findWorkspace } from '../db/workspaces.ts';
import { audit } from './audit-log.ts';
import { openCredentials } from './credentials.ts';
import { ingestUrl } from './ingest-url.ts';

// All calls of a provider for one request together: an SDK gives an attempt 30 s.
const DEADLINE_MS = 20_000;

/** What a provider may use: the guarded way out, and the operator's base URL for its API. */
export function toolsFor(
  { outbound, clock, config }: Pick<Context, 'outbound' | 'clock' | 'config'>,
  provider: string,
): ProviderTools {
  const end = performance.now() + DEADLINE_MS;
  return {
    outbound: (request) => outbound({ ...request, timeoutMs: Math.max(1, end - performance.now()) }),
    clock,
    apiUrl: config.providerApiUrls[provider],
  };
}

/** A webhook at a provider that is not wanted any more. */
export interface Unwanted extends Pick<Ingest, 'hook'> {
  integration: Pick<IntegrationRow, 'id' | 'provider' | 'workspace_id'>;
  /** Those that may remove it, best first. */
  credentials: readonly Credentials[];
}

/**
 * Removes a webhook at its provider. One that may be left behind is written into the audit log, because then it is for a person
 * to remove. Never rejects: nobody waits for a provider that is down, unless order matters.
 */
export async function removeHook(context: Context, unwanted: Unwanted): Promise<void> {
  await remove(context, unwanted).catch((error: unknown) => tellLeft(context, unwanted, error));
}

/** Lets a webhook at its provider sign with an older secret again. Never rejects. */
export async function restoreHook(context: Context, unwanted: Unwanted, secret: string): Promise<void> {
  const { integration, hook, credentials } = unwanted;
  const provider = context.providers.get(integration.provider);
  const ingest = { url: ingestUrl(context, integration.id), hook, secret };
  try {
    for (const each of credentials) {
      const restored = await provider?.register?.(each, ingest, toolsFor(context, integration.provider));
      if (restored && !restored.registered) throw new Error(restored.reason);
    }
  } catch (error) {
    await tellLeft(context, unwanted, error);
  }
}

/** Removes the webhook of an integration that is being deleted, once that is committed. */
export function removeHookAfterCommit(context: Context, row: IntegrationRow): void {
  const { hook } = row;
  if (hook === null) return;
  context.afterCommit('remove a webhook at its provider', async () => {
    const credentials = openCredentials(context, row);
    await removeHook(context, {
      integration: row,
      hook: JSON.parse(hook),
      credentials: credentials ? [credentials] : [],
    });
  });
}

async function remove(context: Context, { integration, hook, credentials }: Unwanted): Promise<void> {
  const provider = context.providers.get(integration.provider);
  if (!provider?.unregister) return;
  const ingest = { url: ingestUrl(context, integration.id), hook };
  let problem: unknown = new Error('the stored credentials cannot be read');
  for (const each of credentials) {
    try {
      return await provider.unregister(each, ingest, toolsFor(context, integration.provider));
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

async function tellLeft(context: Context, { integration, hook }: Unwanted, error: unknown): Promise<void> {
  const { id, provider, workspace_id: workspaceId } = integration;
  const reason = error instanceof Error ? error.message : String(error);
  context.log.warn(
    { err: error, integration_id: id, provider, hook },
    'a webhook may be left at its provider: remove it there by hand',
  );
  const now = context.clock();
  await context.store
    .write(async (tx) => {
      // With its workspace, the audit log is gone.
      if (!(await findWorkspace(tx, workspaceId))) return;
      await audit(
        tx,
        { ids: context.ids, now },
        {
          workspaceId,
          action: 'integration.webhook_left',
          target: { type: 'integration', id, name: provider },
          metadata: { reason, webhook: hook },
        },
      );
    })
    .catch((cause: unknown) => context.log.error({ err: cause }, 'the audit log could not be written'));
}
