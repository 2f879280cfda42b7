import { z } from 'zod';
import type { WorkContext } from '../../context.ts';
import type { Tx } from '../../db/core/schema.ts';
import {
  cancelDeliveries,
  holdDeliveries,
  releaseHeldDeliveries,
} from '../../db/webhooks/open-deliveries.ts';
import { lockWebhook, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { inSteps } from '../../jobs/in-steps.ts';
import { defineJob } from '../../jobs/job-kind.ts';
import { workContext } from '../../work-context.ts';

/** A webhook in the state that its open deliveries follow. */
type Followed = (Pick<WebhookRow, 'id' | 'workspace_id'> & Pick<WebhookRow, 'status'>) | Deleted;
interface Deleted {
  id: string;
  status: 'deleted';
}

/** Makes one step of what follows from the state of a webhook. */
const STEPS = {
  active: releaseHeldDeliveries,
  disabled: holdDeliveries,
  deleted: cancelDeliveries,
} satisfies Record<Followed['status'], unknown>;

/**
 * Makes the open deliveries of a webhook follow its new state, in the transaction of that state. If there are many, the first ones follow
 * at once, and a job does the rest. A job that is still open for an earlier state does it as well: it can only end under the lock of the
 * webhook, which this unit has.
 */
export async function applyStatusToDeliveries(
  tx: Tx,
  context: WorkContext,
  webhook: Followed,
): Promise<void> {
  if (!(await step(tx, context, webhook)))
    await enqueue(tx, context, {
      kind: openDeliveriesJob,
      key: webhook.id,
      payload: { webhook_id: webhook.id },
    });
}

/** Makes one step; reports whether it was the last. */
async function step(tx: Tx, context: WorkContext, webhook: Followed): Promise<boolean> {
  const isLast = await STEPS[webhook.status](tx, webhook, context.now.toISOString());
  if (webhook.status === 'active') {
    const due = { webhookId: webhook.id, workspaceId: webhook.workspace_id };
    context.afterCommit('wake the delivery engine', () => context.engine.wake([due]));
  }
  return isLast;
}

/**
 * Makes the open deliveries of a webhook follow its state, in steps. Each step reads the state again: if it has changed again, the rest
 * follows the newer one. The job never gives up, because nobody could restart it.
 */
export const openDeliveriesJob = defineJob({
  name: 'open_deliveries',
  payload: z.object({ webhook_id: z.string() }),
  maxAttempts: Infinity,
  concurrency: 2,
  run: (deps, { webhook_id: id }, run) =>
    inSteps(run, () => {
      const work = workContext(deps);
      return work.write(async (tx) => {
        const webhook = (await lockWebhook(tx, { id })) ?? { id, status: 'deleted' as const };
        // The lock is held while the job ends: a change after that adds a job again.
        return (await step(tx, work, webhook)) && run.finish(tx);
      });
    }),
});
