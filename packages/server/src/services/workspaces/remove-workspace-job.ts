import { z } from 'zod';
import { chaos } from '#chaos';
import { listHookedIntegrations } from '../../db/integrations/integrations.ts';
import { removeSome, removeWorkspace } from '../../db/workspaces/remove-workspace.ts';
import { inSteps } from '../../jobs/in-steps.ts';
import { defineJob } from '../../jobs/job-kind.ts';
import { workContext } from '../../work-context.ts';
import { enqueueHookRemoval } from '../integrations/hooks/remove-hook-job.ts';
import { StepSize, timed } from '../operations/step-size.ts';

const NAME = 'remove_workspace';
// The time for which a step may hold the writer.
const STEP_MS = 5;

/**
 * Removes the rows of a deleted workspace, in steps. The job needs no position: each step takes rows that are left. It is never given up,
 * because nobody could restart it.
 */
export const removeWorkspaceJob = defineJob({
  name: NAME,
  payload: z.object({ workspace_id: z.string() }),
  maxAttempts: Infinity,
  async run(deps, { workspace_id: id }, run) {
    const size = new StepSize(STEP_MS);
    return inSteps(run, async () => {
      const work = workContext(deps);
      const { result: isDone, took } = await work.write((tx) =>
        timed(async () => {
          const isMore = await removeSome(tx, id, size.rows);
          chaos.reach('workspace.removed', NAME);
          if (isMore) return false;
          // Requests that were under way may have connected integrations.
          for (const row of await listHookedIntegrations(tx, id)) await enqueueHookRemoval(tx, work, row);
          await removeWorkspace(tx, id);
          return run.finish(tx);
        }),
      );
      chaos.reach('workspace.committed', NAME);
      size.adapt(took);
      return isDone;
    });
  },
});
