import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { UserContext } from '../../../context.ts';
import { lastNotificationSeq, markSomeRead, type Reader } from '../../../db/notifications/inbox.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { type Again, defineJob } from '../../../jobs/job-kind.ts';

// After this long, other users get a turn.
const TURN_MS = 500;

/** Marks all notifications of a reader as read that there are now: the newest at once, and the rest in a job. */
export async function markRead(tx: Tx, context: UserContext, reader: Reader): Promise<void> {
  const readAt = context.now.getTime();
  const last = await lastNotificationSeq(tx, reader.userId, null);
  if (await markSomeRead(tx, reader, { readAt, last })) return;
  const { userId, workspaceIds } = reader;
  await enqueue(tx, context, {
    kind: readAllJob,
    key: `${userId} ${last} ${workspaceIds.join(' ')}`,
    payload: { user_id: userId, workspace_ids: [...workspaceIds], read_at: readAt, last },
  });
}

/** Marks the rest of many notifications as read, in steps. */
export const readAllJob = defineJob({
  name: 'read_notifications',
  payload: z.object({
    user_id: z.string(),
    workspace_ids: z.array(z.string()),
    read_at: z.number(),
    last: z.number(),
  }),
  async run(
    deps,
    { user_id: userId, workspace_ids: workspaceIds, read_at: readAt, last },
    run,
  ): Promise<Again | void> {
    const until = performance.now() + TURN_MS;
    for (;;) {
      const began = performance.now();
      const isDone = await deps.store.write(
        async (tx) => (await markSomeRead(tx, { userId, workspaceIds }, { readAt, last })) && run.finish(tx),
      );
      // Open pages show how many are left.
      deps.announce(userId);
      if (isDone) return;
      if (run.signal.aborted || performance.now() > until) return { againInMs: 0 };
      // Others get the writer for as long as this step had it.
      await sleep(performance.now() - began);
    }
  },
});
