import type { Deps } from '../../context.ts';
import { findDeliveryBody } from '../../db/webhooks/delivery-bodies.ts';
import { claimDeliveries } from '../../db/webhooks/queue/delivery-leases.ts';
import { nextDueAt as nextDueIn } from '../../db/webhooks/queue/due-queues.ts';
import { cancelDeliveries, holdDeliveries } from '../../db/webhooks/open-deliveries.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findWebhooksById, lockIfDisabled, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { Claimed, ClaimRequest, LeasedDelivery } from '../../delivery/delivery-store.ts';
import { leaseEnd } from '../../domain/lease.ts';
import { isoTime, millis } from '../../domain/time.ts';
import { QUEUE_PARTS } from '../../domain/deliveries/queue-part.ts';
import { endpointOf, leasedDelivery } from './leased-delivery.ts';
import { openRateLimiter, type WebhookRateLimiter } from './webhook-rate-limiter.ts';

/** A request, with its webhook and the webhook's rate limiter. */
interface RequestedClaim extends ClaimRequest {
  webhook: WebhookRow | undefined;
  limiter: WebhookRateLimiter | undefined;
}

/**
 * Claims due deliveries of several webhooks in one transaction. Deliveries of a deleted or disabled webhook may be due
 * if they were stored at the moment of the change, or left by a dead process: they are cancelled or held.
 */
export async function claim(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  owner: string,
  requests: readonly ClaimRequest[],
): Promise<Claimed[]> {
  return store.write(
    async (tx) => {
      const at = clock();
      const now = at.toISOString();
      const leaseUntil = isoTime(leaseEnd(at.getTime()));
      const rows = await findWebhooksById(
        tx,
        requests.map(({ webhookId }) => webhookId),
      );
      const webhooks = new Map(rows.map((row) => [row.id, row]));
      const requested: RequestedClaim[] = [];
      // Locks that may have to wait come first, always in the same order; the claims, which hold many deliveries, do not
      // wait.
      for (const request of requests.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : 1))) {
        const row = webhooks.get(request.webhookId);
        const webhook = row && (await lockIfDisabled(tx, row));
        const limiter = webhook && (await openRateLimiter(tx, { webhook, now: at.getTime() }));
        requested.push({ ...request, webhook, limiter });
      }
      for (const { webhookId, webhook } of requested) {
        if (!webhook) await cancelDeliveries(tx, { id: webhookId }, now);
        else if (webhook.status === 'disabled') await holdDeliveries(tx, webhook, now);
      }
      // Side by side: PostgreSQL runs all of them in one statement.
      return Promise.all(requested.map((each) => claimRequested(tx, each, { owner, now, leaseUntil })));
    },
    { urgent: true },
  );
}

async function claimRequested(
  tx: Tx,
  { webhookId, limits, ahead = 0, webhook, limiter }: RequestedClaim,
  lease: { owner: string; now: string; leaseUntil: string },
): Promise<Claimed> {
  const deliveries: LeasedDelivery[] = [];
  const nextDueAt: Claimed['nextDueAt'] = {};
  const active = webhook?.status === 'active' ? webhook : undefined;
  const wanted = { ...limits };
  if (active && endpointOf(active).mayBePrefetched) wanted.initial += ahead;
  for (const part of QUEUE_PARTS) {
    if (limits[part] === 0 && (part === 'retry' || ahead === 0)) continue;
    const limit = active && limiter ? Math.min(wanted[part], limiter.calls - deliveries.length) : 0;
    if (active && limit > 0) {
      const workspaceId = active.workspace_id;
      const rows = await claimDeliveries(tx, { workspaceId, webhookId, part, limit, ...lease });
      const bodies = await Promise.all(rows.map((row) => findDeliveryBody(tx, row)));
      for (const [index, row] of rows.entries()) {
        const { text = null, bytes = 0 } = bodies[index] ?? {};
        deliveries.push(leasedDelivery(row, endpointOf(active), { body: text, bytes }));
      }
    }
    const due = await nextDueIn(tx, { webhookId, part, ...lease });
    nextDueAt[part] = due === null ? null : millis(due);
  }
  const pausedUntil = active && limiter ? await limiter.spend(deliveries.length) : 0;
  return { webhookId, deliveries, nextDueAt, pausedUntil };
}
