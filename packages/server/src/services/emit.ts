import type { Trigger } from '@hubline/contract';
import type { Context } from '../context.ts';
import { type DeliveryRow, insertDeliveries, type NewDelivery } from '../db/deliveries.ts';
import type { Tx } from '../db/schema.ts';
import { listSubscribers, type WebhookRow } from '../db/webhooks.ts';
import { encodeEnvelope } from '../domain/envelope.ts';
import { matches, type Subscription } from '../domain/subscription.ts';
import type { Awake, Lease } from '../job.ts';

/** Something that webhooks may be subscribed to. */
export interface Emission {
  trigger: Trigger;
  workspaceId: string;
  data: Record<string, unknown>;
  resourceIds: readonly string[];
  /** For `event.created`: what was stored. */
  event?: { id: string; type: string; source: string; occurredAt: string };
}

/**
 * Makes one delivery for each matching webhook, in the transaction of what happened: there is no moment at which the
 * one is stored and the other is not. The body is made here, once, and every attempt sends the same bytes.
 */
export async function emit(tx: Tx, context: Context, emission: Emission): Promise<void> {
  const { trigger, workspaceId, resourceIds, event } = emission;
  const occurrence = {
    trigger,
    resourceIds,
    ...(event ? { eventType: event.type, source: event.source } : {}),
  };
  const subscribers = await listSubscribers(tx, workspaceId);
  const wanted = subscribers.filter((webhook) => matches(subscriptionOf(webhook), occurrence));
  if (wanted.length === 0) return;

  const plans = wanted.map((webhook) => {
    const reservation = context.reserve(webhook);
    if (reservation) context.afterRollback(() => reservation.release());
    const lease = reservation?.lease ?? null;
    return {
      webhook,
      reservation,
      row: newDelivery(context, { webhook, trigger: 'event', emission, lease }),
    };
  });
  const rows = plans.map(({ row }) => row);
  const seqs = await insertDeliveries(tx, rows);
  context.afterCommit(() => {
    const unreserved: Awake[] = [];
    for (const [index, { webhook, reservation, row }] of plans.entries()) {
      if (!reservation) unreserved.push({ webhookId: webhook.id, workspaceId, line: 'first' });
      else reservation.begin({ delivery: { ...row, seq: seqs[index] ?? 0 }, webhook, body: row.body });
    }
    if (unreserved.length > 0) context.wake(unreserved);
  });
}

const subscriptions = new WeakMap<WebhookRow, Subscription>();

/** What a webhook wants. Its row is the same object for every event until it changes. */
function subscriptionOf(webhook: WebhookRow): Subscription {
  let subscription = subscriptions.get(webhook);
  if (!subscription) {
    subscription = {
      events: JSON.parse(webhook.events) as string[],
      filters: webhook.filters === null ? null : JSON.parse(webhook.filters),
    };
    subscriptions.set(webhook, subscription);
  }
  return subscription;
}

interface DeliverySource {
  webhook: WebhookRow;
  trigger: DeliveryRow['trigger'];
  emission: Omit<Emission, 'resourceIds'>;
  /** Who has it from the beginning. */
  lease: Lease | null;
}

/** A delivery that is due now, or held while its webhook is disabled. */
export function newDelivery(
  context: Context,
  { webhook, trigger, emission, lease }: DeliverySource,
): NewDelivery {
  const now = context.now.toISOString();
  const id = context.ids('delivery');
  const due = webhook.status === 'active' ? now : null;
  return {
    id,
    workspace_id: webhook.workspace_id,
    webhook_id: webhook.id,
    event_id: emission.event?.id ?? null,
    event_type: emission.trigger,
    status: due === null ? 'held' : 'pending',
    trigger,
    body: encodeEnvelope({
      id,
      type: emission.trigger,
      workspaceId: webhook.workspace_id,
      occurredAt: emission.event?.occurredAt ?? now,
      data: emission.data,
      eventId: emission.event?.id ?? null,
    }),
    attempt_count: 0,
    scheduled_count: 0,
    next_attempt_at: now,
    manual: 0,
    due_at: lease?.until ?? due,
    lease_owner: lease?.owner ?? null,
    lease_token: lease ? 1 : 0,
    interruptions: 0,
    created_at: now,
    completed_at: null,
  };
}
