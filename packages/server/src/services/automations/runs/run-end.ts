import type { WorkContext } from '../../../context.ts';
import { nextOfKey, type RunRow } from '../../../db/automations/runs.ts';
import type { Awaitable } from '../../../db/core/awaitable.ts';
import type { RunStatus, Tx } from '../../../db/core/schema.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { promote } from '../../../jobs/enqueue.ts';
import { fireTrigger } from '../../fire-trigger.ts';
import { automationRun } from '../triggers/automation-run.ts';

/**
 * Locks the concurrency key of a run, at the beginning of a unit that may end the run: another run with the key begins under the same lock,
 * before its row changes.
 */
export const lockConcurrencyKey = (
  tx: Tx,
  { concurrency, workspace_id }: Pick<RunRow, 'concurrency' | 'workspace_id'>,
): Awaitable<void> => (concurrency === null ? undefined : lockWorkspace(tx, workspace_id));

/**
 * Fires `automation.completed` for a run that has ended, in its transaction, and lets the next one with its concurrency key begin. The
 * caller has called `lockConcurrencyKey`.
 */
export async function fireCompleted(
  tx: Tx,
  work: WorkContext,
  { run, name, status }: { run: RunRow; name: string; status: RunStatus },
): Promise<void> {
  if (run.concurrency !== null) {
    // The next run has either checked already, so its job is made due here, or it will check later and find that it may
    // begin.
    const next = await nextOfKey(tx, run);
    if (next) await promote(tx, work, { kind: automationRun, key: next.id });
  }
  await fireTrigger(tx, work, {
    trigger: 'automation.completed',
    workspaceId: run.workspace_id,
    data: {
      automation_id: run.automation_id,
      automation_name: name,
      run_id: run.id,
      status,
      event_id: run.event_id,
    },
    resourceIds: [run.automation_id],
  });
}
