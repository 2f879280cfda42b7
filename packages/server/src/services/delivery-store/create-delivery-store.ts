import { pause } from '../../clock/timer.ts';
import type { Deps } from '../../context.ts';
import { readDeliveryBody } from '../../db/webhooks/delivery-bodies.ts';
import {
  endLeases,
  expireLeases,
  interruptLease,
  releaseLease,
  releaseUnbegun,
} from '../../db/webhooks/queue/delivery-leases.ts';
import { listDueQueues } from '../../db/webhooks/queue/due-queues.ts';
import { disableWebhook } from '../../db/webhooks/webhook-health.ts';
import { findWebhookById } from '../../db/webhooks/webhooks.ts';
import type { DeliveryStore, WebhookEndpoint, LeasedDelivery } from '../../delivery/delivery-store.ts';
import { openIfReadable } from '../../secrets/vault.ts';
import { reportHealth } from '../webhooks/webhook-health.ts';
import { webhookSecretContext } from '../webhooks/secret.ts';
import { workContext } from '../../work-context.ts';
import { claim } from './claim.ts';
import { followClock, limitToClock } from './follow-clock.ts';
import { endpointOf, leaseOf } from './leased-delivery.ts';
import { record } from './record.ts';
import { millis } from '../../domain/time.ts';

// The most deliveries that one transaction returns: others wait for it.
const RETURN_MAX = 1_000;

/**
 * Makes the storage of deliveries, for both databases. Its transactions also update health, audit log and statistics.
 */
export function createDeliveryStore(deps: Deps): DeliveryStore {
  const { store, clock } = deps;
  return {
    async atStart() {
      await limitToClock(deps);
      // On a shared database, another process may be alive and hold leases; those of a dead one end by themselves.
      if (!store.shared) await store.write((tx) => expireLeases(tx, clock().toISOString()));
    },

    listDue: () => listDueQueues(store.read),
    claim: (owner, requests) => claim(deps, owner, requests),
    async record(ended) {
      const begunAt = performance.now();
      const dueAt = await record(deps, ended);
      const pauseMs = store.peers?.pauseAfter(performance.now() - begunAt) ?? 0;
      // Attempts that end during the pause are recorded together.
      if (pauseMs > 0) await pause(pauseMs);
      return dueAt;
    },

    endLeases: (owners, working) =>
      store.write((tx) =>
        endLeases(tx, { owners, but: working.map(({ lease }) => lease.seq), now: clock().toISOString() }),
      ),

    async returnUnbegun(deliveries) {
      const now = clock().toISOString();
      for (const [owner, leased] of Map.groupBy(deliveries, ({ lease }) => lease.owner)) {
        const leases = leased.map(({ lease }) => lease).toSorted((a, b) => a.seq - b.seq);
        for (let start = 0; start < leases.length; start += RETURN_MAX) {
          const some = leases.slice(start, start + RETURN_MAX);
          await store.write((tx) => releaseUnbegun(tx, { owner, now }, some));
        }
      }
      for (const { endpoint, part } of deliveries) {
        const { id: webhookId, workspaceId } = endpoint;
        store.peers?.send({ of: 'due', webhookId, workspaceId, part, dueAt: millis(now) });
      }
    },

    async returnLater(delivery, delayMs) {
      const due = clock().getTime() + delayMs;
      await store.write((tx) => releaseLease(tx, leaseOf(delivery), new Date(due).toISOString()), {
        urgent: true,
      });
      return due;
    },

    async returnInterrupted(delivery) {
      const now = clock();
      await store.write((tx) => interruptLease(tx, leaseOf(delivery), now.toISOString()), { urgent: true });
      return now.getTime();
    },

    returnUnsigned: (delivery) => returnUnsigned(deps, delivery),

    readBody: ({ id, lease: { seq }, endpoint: { workspaceId } }) =>
      readDeliveryBody(store.read, { seq, id, workspace_id: workspaceId }),

    async findEndpoint(webhookId) {
      const row = await findWebhookById(store.read, webhookId);
      return row && endpointOf(row);
    },

    signingSecrets: (endpoint, now) => signingSecrets(deps, endpoint, now),
    followClock: (owner, jumpMs) => followClock(deps, { owner, jumpMs }),
  };
}

/**
 * Returns a delivery that cannot be signed. Only a new secret helps, so the webhook is disabled and its deliveries are
 * held until it has one.
 */
async function returnUnsigned(deps: Deps, delivery: LeasedDelivery): Promise<number> {
  const now = deps.clock();
  const at = now.toISOString();
  const { id, workspaceId, sealed } = delivery.endpoint;
  const work = { ...workContext(deps), now };
  await work.write(
    async (tx) => {
      const webhook = await disableWebhook(tx, {
        webhook: { id, workspace_id: workspaceId },
        reason: 'secret_unreadable',
        now: at,
        secret: sealed.current,
      });
      await releaseLease(tx, leaseOf(delivery), at);
      if (webhook) await reportHealth(tx, work, webhook);
    },
    { urgent: true },
  );
  return now.getTime();
}

/**
 * The secrets that sign a call. If the previous one no longer decrypts, receivers that have the new one are still
 * served.
 */
function signingSecrets(
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  { id, sealed: { current, previous, previousUntil } }: WebhookEndpoint,
  now: Date,
): string[] | null {
  const secret = openIfReadable(vault, current, webhookSecretContext(id, 'secret'));
  if (secret === null) return null;
  if (previous === null || previousUntil === null || previousUntil <= now.toISOString()) return [secret];
  const rotated = openIfReadable(vault, previous, webhookSecretContext(id, 'previous_secret'));
  if (rotated !== null) return [secret, rotated];
  log.warn({ webhook_id: id }, 'the secret before the last rotation can no longer be decrypted');
  return [secret];
}
