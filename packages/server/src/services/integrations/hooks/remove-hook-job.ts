import { z } from 'zod';
import type { Deps, WorkContext } from '../../../context.ts';
import type { IntegrationRow } from '../../../db/integrations/integrations.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { defineJob } from '../../../jobs/job-kind.ts';
import type { Credentials } from '../../../providers/provider.ts';
import { openCredentials } from '../credentials.ts';
import { ingestUrl } from '../ingest-url.ts';
import { findApp } from '../oauth/apps.ts';
import { refreshedAfterwards, storeAtLast } from '../oauth/refresh.ts';
import {
  auditLeftWebhook,
  forGood,
  HookCredentials,
  HookIntegration,
  integrationOf,
  parseHook,
  unregister,
} from './unregister.ts';

const Removal = z.object({
  integration: HookIntegration,
  /** The identity of the webhook at the provider, as it is stored. */
  hook: z.string(),
  /** The credentials that may remove it, best first. */
  credentials: z.array(HookCredentials),
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
