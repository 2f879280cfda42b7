import type { Peers } from '../db/core/peers.ts';
import type { DueWebhook } from '../delivery/delivery-store.ts';
import type { DeliveryEngine } from '../delivery/engine.ts';
import type { EventFeed } from '../event-feed.ts';
import type { JobRunner } from '../jobs/runner.ts';

/** The parts of this process that hear the others. */
interface Parts {
  engine: DeliveryEngine;
  jobs: JobRunner;
  feed: EventFeed;
}

/** Joins the other processes on the same database: their hints wake this one's parts, and the leases of those that are gone fall to it. */
export const joinPeers = (peers: Peers, { engine, jobs, feed }: Parts): Promise<void> =>
  peers.join({
    news: (id) => feed.announce(id),
    due: (hints) => engine.expect(hints),
    jobs: () => jobs.lookSoon(),
    lookAround() {
      engine.lookAround();
      jobs.lookSoon();
      feed.announceAll();
    },
    async gone(owners) {
      await engine.takeOver(owners);
      await jobs.takeOver(owners);
      feed.announceAll();
    },
  });

/**
 * Tells the other processes that deliveries are due: they have them where this one does not take them. Not new ones: to look for those
 * they would have to leave their own out of the prefetch buffer, and they look when this process is gone.
 */
export function tellDue(peers: Peers, webhooks: Iterable<DueWebhook>, dueAt: number): void {
  for (const { webhookId, workspaceId, part } of webhooks)
    if (part !== 'initial') peers.tell({ of: 'due', webhookId, workspaceId, part: 'retry', dueAt });
}
