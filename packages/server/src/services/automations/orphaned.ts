import { roleAllows } from '@hubline/contract';
import { listAnsweredFor, updateAutomation } from '../../db/automations/automations.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findRole } from '../../db/identity/members.ts';
import { audit } from '../audit-log.ts';
import type { Action, StepWork } from './action.ts';

/** Reports whether whoever answers for an action may still edit automations. Asked before each call of an arbitrary URL. */
export async function isAnsweredFor({ work, run, answers }: StepWork): Promise<boolean> {
  const role = await findRole(work.store.read, run.workspace_id, answers);
  return role !== undefined && roleAllows(role, 'edit_automations');
}

/**
 * Disables the automations by which a user sends what happens in the workspace to a URL, when they may no longer edit automations. Somebody
 * else takes one over by enabling it.
 */
export async function disableOrphaned(
  tx: Tx,
  context: Parameters<typeof audit>[1],
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  for (const row of await listAnsweredFor(tx, workspaceId, userId)) {
    if (!(JSON.parse(row.actions) as Action[]).some(({ type }) => type === 'call_webhook')) continue;
    const disabled = { enabled: 0, next_run_at: null, updated_at: context.now.toISOString() };
    await updateAutomation(tx, row, disabled);
    await audit(tx, context, {
      workspaceId,
      action: 'automation.disabled',
      target: { type: 'automation', id: row.id, name: row.name },
      changes: [{ field: 'enabled', from: true, to: false }],
      metadata: { reason: 'whoever set up its calls may no longer edit automations', user_id: userId },
    });
  }
}
