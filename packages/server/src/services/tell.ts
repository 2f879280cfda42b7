import type { Notice } from '@hubline/contract';
import type { WorkContext } from '../context.ts';
import type { Tx } from '../db/core/schema.ts';
import { startAutomations } from './automations/start.ts';
import { notify } from './notifications/notify.ts';
import { fanOut, type Occurrence } from './webhooks/fan-out.ts';

/** Tells webhooks, automations and people, in the transaction of what happened, of something that is no event. */
export async function tell(
  tx: Tx,
  context: WorkContext,
  occurrence: Occurrence & { trigger: Exclude<Notice, 'event.created'> },
): Promise<void> {
  await fanOut(tx, context, occurrence);
  await startAutomations(tx, context, occurrence);
  const { workspaceId, trigger, data } = occurrence;
  await notify(tx, context, { workspaceId, id: context.ids('message'), fact: { trigger }, data });
}
