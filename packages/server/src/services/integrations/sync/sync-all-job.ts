import { z } from 'zod';
import { listIntegrationsFrom } from '../../../db/integrations/integrations.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { type RunAgain, defineJob } from '../../../jobs/job-kind.ts';
import { workContext } from '../../../work-context.ts';
import { syncSince } from './begin.ts';

// A thousand integrations take a quarter of an hour, so that neither the tools nor other requests notice the load.
const APART_MS = 1_000;
const BATCH = 100;

/**
 * Begins a sync of every integration that existed while no server ran, one after the other. After a crash, it
 * continues.
 */
export const syncAllJob = defineJob({
  name: 'sync_all',
  payload: z.object({ since: z.string(), until: z.string() }),
  async run(deps, { since, until }, { signal }): Promise<RunAgain | void> {
    const providers = [...deps.providers.values()].filter(({ sync }) => sync).map(({ key }) => key);
    let begun = 0;
    let after = '';
    for (;;) {
      if (signal.aborted) return { againInMs: 0 };
      const rows = await listIntegrationsFrom(deps.store.read, { providers, after, limit: BATCH });
      for (const row of rows) {
        const context = workContext(deps);
        const isBegun = await context.write(async (tx) => {
          await lockWorkspace(tx, row.workspace_id);
          return syncSince(tx, context, { row, since, until, delayMs: begun * APART_MS });
        });
        if (isBegun) begun += 1;
      }
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.id ?? after;
    }
  },
});
