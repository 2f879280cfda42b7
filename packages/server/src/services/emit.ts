import type { Trigger } from '@hubline/contract';
import type { Context } from '../context.ts';
import { type DeliveryRow, insertDeliveries, type NewDelivery } from '../db/deliveries.ts';
import type { Tx } from '../db/schema.ts';
import { listSubscriptions } from '../db/webhooks.ts';
import { encodeEnvelope } from '../domain/envelope.ts';
import { matches } from '../domain/subscription.ts';

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
  const wanted = (await listSubscriptions(tx, workspaceId)).filter((webhook) =>
    matches(
      {
        events: JSON.parse(webhook.events) as string[],
        filters: webhook.filters === null ? null : JSON.parse(webhook.filters),
      },
      occurrence,
    ),
  );
  if (wanted.length === 0) return;

  const deliveries = wanted.map((webhook) =>
    newDelivery(context, {
      webhook: { id: webhook.id, workspace_id: workspaceId, status: webhook.status },
      trigger: 'event',
      emission,
    }),
  );
  await insertDeliveries(tx, deliveries);
  context.afterCommit(() => context.wake(wanted.map((webhook) => webhook.id)));
}

interface DeliverySource {
  webhook: { id: string; workspace_id: string; status: 'active' | 'disabled' };
  trigger: DeliveryRow['trigger'];
  emission: Omit<Emission, 'resourceIds'>;
}

/** A delivery that is due now, or held while its webhook is disabled. */
export function newDelivery(context: Context, { webhook, trigger, emission }: DeliverySource): NewDelivery {
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
    due_at: due,
    lease_owner: null,
    lease_token: 0,
    interruptions: 0,
    created_at: now,
    completed_at: null,
  };
}
