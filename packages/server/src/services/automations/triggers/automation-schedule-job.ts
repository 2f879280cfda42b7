import { z } from 'zod';
import type { WorkContext } from '../../../context.ts';
import { type AutomationRow, findAutomation, updateAutomation } from '../../../db/automations/automations.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { plainScope } from '../../../domain/conditions/scope.ts';
import { storedConditions } from '../../../domain/conditions/stored-conditions.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { type RunAgain, defineJob } from '../../../jobs/job-kind.ts';
import { workContext } from '../../../work-context.ts';
import { nextRunAt } from './schedule.ts';
import { startRun } from './start.ts';
import type { AutomationTrigger } from './start-index.ts';

/**
 * Enqueues the job of the next time. The time is in its key and payload, so that the job of an older schedule sees that
 * it is outdated.
 */
export async function enqueueSchedule(tx: Tx, work: WorkContext, row: AutomationRow): Promise<void> {
  const { id, workspace_id, next_run_at: at } = row;
  if (at === null) return;
  await enqueue(tx, work, {
    kind: automationScheduleJob,
    key: `${id} ${at}`,
    payload: { workspace_id, automation_id: id, at },
    delayMs: Math.max(0, Date.parse(at) - work.now.getTime()),
  });
}

/** Starts a scheduled run, and enqueues the next. A server that was down starts one run, however many it missed. */
export const automationScheduleJob = defineJob({
  name: 'automation_schedule',
  payload: z.object({ workspace_id: z.string(), automation_id: z.string(), at: z.string() }),
  concurrency: 4,
  computesTime: true,
  async run(deps, { workspace_id: workspaceId, automation_id: id, at }): Promise<RunAgain | void> {
    const work = workContext(deps);
    return work.write(async (tx) => {
      // Others disable it, or change its schedule: the next time must follow from what is stored then.
      await lockWorkspace(tx, workspaceId);
      const row = await findAutomation(tx, workspaceId, id);
      if (!row || row.next_run_at !== at) return;
      const nextAt = nextRunAt(JSON.parse(row.trigger) as AutomationTrigger, work.now);
      const earlyMs = Date.parse(at) - work.now.getTime();
      if (earlyMs > 0 && nextAt === at) return { againInMs: earlyMs };
      // A time that lies ahead and is not the next was stored by a clock that was ahead.
      if (earlyMs <= 0) await startScheduled(tx, work, { row, at });
      await updateAutomation(tx, row, { next_run_at: nextAt });
      await enqueueSchedule(tx, work, { ...row, next_run_at: nextAt });
      return;
    });
  },
});

/** Starts the run of a schedule, if its conditions hold. */
async function startScheduled(
  tx: Tx,
  work: WorkContext,
  { row, at }: { row: AutomationRow; at: string },
): Promise<void> {
  const data = { scheduled_at: at };
  const scope = plainScope('schedule', data);
  const conditions = storedConditions(row.conditions === null ? null : JSON.parse(row.conditions));
  if (conditions !== null && !conditions.matches(scope)) return;
  await startRun(tx, work, {
    automation: row,
    trigger: 'schedule',
    onceKey: `schedule ${at}`,
    eventId: null,
    data,
    scope,
  });
}
