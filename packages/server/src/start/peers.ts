import type { Peers } from '../db/core/peers.ts';
import type { DueWebhook } from '../delivery/delivery-store.ts';
import type { DeliveryEngine } from '../delivery/engine.ts';
import type { EventFeed } from '../services/events/event-feed.ts';
import type { JobRunner } from '../jobs/runner.ts';

/** The parts of this process that hints of other processes wake. */
interface Parts {
  engine: DeliveryEngine;
  jobs: JobRunner;
  feed: EventFeed;
}

/** Joins the other processes on the same database: their hints wake this one's parts, and it takes over the leases of those that are gone. */
export const joinPeers = (peers: Peers, { engine, jobs, feed }: Parts): Promise<void> =>
  peers.join({
    changed: (id) => feed.announce(id),
    due: (queues) => engine.expect(queues),
    jobs: () => jobs.pollSoon(),
    sweep() {
      engine.sweep();
      jobs.pollSoon();
      feed.announceAll();
    },
    async gone(owners) {
      await engine.takeOver(owners);
      await jobs.takeOver(owners);
      feed.announceAll();
    },
  });

/**
 * Sends hints to the other processes when retries are due, so that they claim them if this one does not. New deliveries are not
 * announced: a process that was told of them would claim from the database even its own new deliveries, which it now prefetches. The
 * others look for them when this process is gone.
 */
export function sendDueHints(peers: Peers, webhooks: readonly DueWebhook[], dueAt: number): void {
  for (const { webhookId, workspaceId, part } of webhooks)
    if (part !== 'initial') peers.send({ of: 'due', webhookId, workspaceId, part: 'retry', dueAt });
}
