import { roleAllows } from '@hubline/contract';
import { listByResponsibleUser, updateAutomation } from '../../../db/automations/automations.ts';
import type { WorkspaceContext } from '../../../context.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { findRole } from '../../../db/identity/members.ts';
import { audit } from '../../audit-log.ts';
import { fireTrigger } from '../../fire-trigger.ts';
import type { Action, StepWork } from './action.ts';

/**
 * Reports whether the user who is responsible for an action may still edit automations. Checked before each call of a URL,
 * because a run has no caller to authorize.
 */
export async function responsibleUserMayEdit({ work, run, responsibleUserId }: StepWork): Promise<boolean> {
  const role = await findRole(work.store.read, run.workspace_id, responsibleUserId);
  return role !== undefined && roleAllows(role, 'edit_automations');
}

/**
 * Disables the automations that call URLs for a user who may no longer edit automations, and fires the trigger of
 * each, for owners, admins, rules and webhooks. Another member takes one over by enabling it.
 */
export async function disableOrphaned(
  tx: Tx,
  context: WorkspaceContext,
  {
    workspace_id: workspaceId,
    user_id: userId,
    email,
  }: { workspace_id: string; user_id: string; email: string },
): Promise<void> {
  for (const row of await listByResponsibleUser(tx, workspaceId, userId)) {
    if (!(JSON.parse(row.actions) as Action[]).some(({ type }) => type === 'call_webhook')) continue;
    const disabled = { enabled: 0, next_run_at: null, updated_at: context.now.toISOString() };
    await updateAutomation(tx, row, disabled);
    await audit(tx, context, {
      workspaceId,
      action: 'automation.disabled',
      target: { type: 'automation', id: row.id, name: row.name },
      changes: [{ field: 'enabled', from: true, to: false }],
      metadata: {
        reason: 'the member responsible for its calls may no longer edit automations',
        user_id: userId,
      },
    });
    await fireTrigger(tx, context, {
      trigger: 'automation.disabled',
      workspaceId,
      data: {
        automation_id: row.id,
        automation_name: row.name,
        user_id: userId,
        message: `This automation calls URLs on behalf of ${email}, who may no longer edit automations. The member who enables it takes over responsibility for the calls.`,
      },
      resourceIds: [row.id],
    });
  }
}
