import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { WebhookEndpoint, LeasedDelivery } from '../../delivery/delivery-store.ts';
import type { DeliveryState } from '../../domain/deliveries/delivery.ts';
import { partOf } from '../../domain/deliveries/queue-part.ts';

const endpoints = new WeakMap<WebhookRow, WebhookEndpoint>();

/** A webhook as the delivery engine knows it. A cached row has one endpoint until it changes. */
export function endpointOf(row: WebhookRow): WebhookEndpoint {
  let endpoint = endpoints.get(row);
  if (!endpoint) {
    endpoint = {
      id: row.id,
      workspaceId: row.workspace_id,
      url: row.url,
      isActive: row.status === 'active',
      mayBePrefetched: row.status === 'active' && row.rate_per_second === null,
      sealed: {
        current: row.secret,
        previous: row.previous_secret,
        previousUntil: row.previous_until,
      },
    };
    endpoints.set(row, endpoint);
  }
  return endpoint;
}

/** A row without its last attempt. */
type LeasedRow = Omit<DeliveryRow, `last_${string}`>;

/** A row with a lease as the delivery engine knows it. */
export const leasedDelivery = (
  row: LeasedRow,
  endpoint: WebhookEndpoint,
  { body, bytes }: Pick<LeasedDelivery, 'body' | 'bytes'>,
): LeasedDelivery => ({
  id: row.id,
  lease: { seq: row.seq, token: row.lease_token, owner: row.lease_owner ?? '' },
  endpoint,
  part: partOf(row),
  trigger: row.event_type,
  createdAt: row.created_at,
  state: stateOf(row),
  attempts: row.attempt_count,
  interruptions: row.interruptions,
  body,
  bytes,
});

/** The causes of extra attempts, by the number in the column `manual`. */
const EXTRA = [null, 'manual', 'recovery'] as const;

// Only these columns stay in memory while the delivery waits.
const stateOf = (row: LeasedRow): DeliveryState => ({
  status: row.status,
  cause: row.trigger,
  extra: EXTRA[row.manual],
  attemptCount: row.attempt_count,
  scheduledCount: row.scheduled_count,
  nextAttemptAt: row.next_attempt_at,
  completedAt: row.completed_at,
});

/** The lease of a delivery as the database knows it. */
export const leaseOf = ({ lease: { seq, token } }: LeasedDelivery) => ({ seq, lease_token: token });
