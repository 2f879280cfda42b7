import { Cron } from 'croner';
import { z } from 'zod';
import type { WorkContext } from '../../../context.ts';
import { type AutomationRow, findAutomation, updateAutomation } from '../../../db/automations/automations.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { plainScope } from '../../../domain/conditions/scope.ts';
import { storedConditions } from '../../../domain/conditions/stored-conditions.ts';
import type { Draft } from '../../../domain/draft.ts';
import type { FaultDetail } from '../../../domain/faults/fault.ts';
import { isTimeZone } from '../../../domain/notifications/quiet-hours.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { defineJob } from '../../../jobs/job-kind.ts';
import { workContext } from '../../../work-context.ts';
import { startRun } from './start.ts';
import type { AutomationTrigger } from './start-index.ts';

// Five fields: the finest unit is the minute. A schedule with seconds is a mistake.
const FIELDS = 5;

/** The faults of a schedule; other triggers have none. */
export function scheduleFaults({ event, cron = '', timezone }: Draft<AutomationTrigger>): FaultDetail[] {
  if (event !== 'schedule') return [];
  const faults: FaultDetail[] = [];
  if (timezone !== undefined && !isTimeZone(timezone))
    faults.push({ field: 'trigger.timezone', issue: 'must be an IANA time zone, such as Europe/Berlin' });
  const issue =
    'must be a cron expression of five fields that matches some time, such as 0 9 * * 1 for Mondays at 9:00';
  if (!isCron(cron.trim())) faults.push({ field: 'trigger.cron', issue });
  return faults;
}

function isCron(cron: string): boolean {
  if (cron.split(/\s+/).length !== FIELDS || cron.startsWith('@')) return false;
  try {
    return new Cron(cron, { paused: true }).nextRun() !== null;
  } catch {
    // The error of croner says what croner expects, not what people should write.
    return false;
  }
}

/** The next time of a schedule; `null` for another trigger, or while the automation is disabled. */
export function nextRunAt(
  { event, cron = '', timezone = 'UTC' }: AutomationTrigger,
  now: Date,
): string | null {
  if (event !== 'schedule') return null;
  return new Cron(cron.trim(), { paused: true, timezone }).nextRun(now)?.toISOString() ?? null;
}

const scheduled = {
  name: 'automation_schedule',
  payload: z.object({ workspace_id: z.string(), automation_id: z.string(), at: z.string() }),
};

/**
 * Enqueues the job of the next time. The time is in its key and payload, so that the job of an older schedule sees that
 * it is outdated.
 */
export async function enqueueSchedule(tx: Tx, work: WorkContext, row: AutomationRow): Promise<void> {
  const { id, workspace_id, next_run_at: at } = row;
  if (at === null) return;
  await enqueue(tx, work, {
    kind: scheduled,
    key: `${id} ${at}`,
    payload: { workspace_id, automation_id: id, at },
    delayMs: Math.max(0, Date.parse(at) - work.now.getTime()),
  });
}

/** Starts a scheduled run, and enqueues the next. A server that was down starts one run, however many it missed. */
export const automationScheduleJob = defineJob({
  ...scheduled,
  concurrency: 4,
  computesTime: true,
  async run(deps, { workspace_id: workspaceId, automation_id: id, at }) {
    const work = workContext(deps);
    return work.write(async (tx) => {
      // Others disable it, or change its schedule: the next time must follow from what is stored then.
      await lockWorkspace(tx, workspaceId);
      const row = await findAutomation(tx, workspaceId, id);
      if (!row || row.next_run_at !== at) return undefined;
      const nextAt = nextRunAt(JSON.parse(row.trigger) as AutomationTrigger, work.now);
      const earlyMs = Date.parse(at) - work.now.getTime();
      if (earlyMs > 0 && nextAt === at) return { againInMs: earlyMs };
      // A time that lies ahead and is not the next was stored by a clock that was ahead.
      if (earlyMs <= 0) await startScheduled(tx, work, { row, at });
      await updateAutomation(tx, row, { next_run_at: nextAt });
      await enqueueSchedule(tx, work, { ...row, next_run_at: nextAt });
      return undefined;
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
