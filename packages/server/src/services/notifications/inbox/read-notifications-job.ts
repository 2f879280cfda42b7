import { z } from 'zod';
import type { UserContext } from '../../../context.ts';
import { lastNotificationSeq, markSomeRead, type Reader } from '../../../db/notifications/inbox.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { inSteps } from '../../../jobs/in-steps.ts';
import { defineJob } from '../../../jobs/job-kind.ts';

/** Marks as read all notifications that a reader has now: the newest at once, and the rest in a job. */
export async function markRead(tx: Tx, context: UserContext, reader: Reader): Promise<void> {
  const readAt = context.now.getTime();
  const last = await lastNotificationSeq(tx, reader.userId, null);
  if (await markSomeRead(tx, reader, { readAt, last })) return;
  const { userId, workspaceIds } = reader;
  await enqueue(tx, context, {
    kind: readNotificationsJob,
    key: `${userId} ${last} ${workspaceIds.join(' ')}`,
    payload: { user_id: userId, workspace_ids: [...workspaceIds], read_at: readAt, last },
  });
}

/** Marks the rest of many notifications as read, in steps. */
export const readNotificationsJob = defineJob({
  name: 'read_notifications',
  payload: z.object({
    user_id: z.string(),
    workspace_ids: z.array(z.string()),
    read_at: z.number(),
    last: z.number(),
  }),
  run: (deps, { user_id: userId, workspace_ids: workspaceIds, read_at: readAt, last }, run) =>
    inSteps(run, async () => {
      const isDone = await deps.store.write(
        async (tx) => (await markSomeRead(tx, { userId, workspaceIds }, { readAt, last })) && run.finish(tx),
      );
      // Open pages show how many are left.
      deps.announce(userId);
      return isDone;
    }),
});
