import { insertDeliveries } from '../../db/webhooks/deliveries.ts';
import { listAllWebhooks } from '../../db/webhooks/webhooks.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { defineJob } from '../../jobs/job-kind.ts';
import { workContext } from '../../work-context.ts';
import { furtherDeliveries } from './further-deliveries.ts';
import { newDelivery } from './new-deliveries.ts';

/**
 * Stores the deliveries of an event for webhooks that matched when the event was stored. The job ends in the same transaction, so a crash
 * stores no delivery twice. A webhook that was deleted since gets none.
 */
export const furtherDeliveriesJob = defineJob({
  ...furtherDeliveries,
  maxAttempts: Infinity,
  prefetch: 20,
  async run(deps, { workspace_id: workspaceId, event_id: eventId, webhook_ids }, job): Promise<void> {
    const work = workContext(deps);
    const wanted = new Set(webhook_ids);
    await work.write(async (tx) => {
      // As in the transaction of the event: no webhook can be enabled meanwhile.
      await lockWorkspace(tx, workspaceId);
      const webhooks = (await listAllWebhooks(tx, workspaceId)).filter(({ id }) => wanted.has(id));
      const occurrence = { trigger: 'event.created', workspaceId, data: {}, event: { id: eventId } } as const;
      const rows = webhooks.map((webhook) =>
        newDelivery(work, { webhook, cause: 'event', occurrence, lease: null }),
      );
      await insertDeliveries(tx, rows);
      if (!(await job.finish(tx))) throw new Error('Another process has stored these deliveries.');
      const due = rows.flatMap(({ webhook_id: webhookId, due_at }) =>
        due_at === null ? [] : [{ webhookId, workspaceId, part: 'initial' as const }],
      );
      work.afterCommit('wake the delivery engine', () => work.engine.wake(due));
    });
  },
});
