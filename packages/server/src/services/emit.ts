import type { Trigger } from '@hubline/contract';
import type { Context } from '../context.ts';
import { type DeliveryRow, insertDeliveries, type NewDelivery, NOT_ATTEMPTED } from '../db/deliveries.ts';
import { READ_WITH_ROW_BYTES } from '../db/large-text.ts';
import type { Tx } from '../db/schema.ts';
import { listSubscribers, type WebhookRow } from '../db/webhooks.ts';
import { encodeEnvelope, type StoredBody, wholeBody } from '../domain/envelope.ts';
import { matches, type Subscription } from '../domain/subscription.ts';
import type { Awake, Job, Lease } from '../job.ts';

/** Something that webhooks may be subscribed to. */
export interface Emission {
  trigger: Trigger;
  workspaceId: string;
  /** Without the payload of an event, which is added as its last member. */
  data: Record<string, unknown>;
  resourceIds: readonly string[];
  /** For `event.created`: what was stored. */
  event?: { id: string; type: string; source: string; occurredAt: string; payload: string };
}

/**
 * Makes one delivery for each matching webhook, in the transaction of what happened: there is no moment at which the
 * one is stored and the other is not. Bodies are made here, once, and every attempt sends the same bytes.
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

  const bodyOf = bodiesOf(context, emission);
  const payload = event?.payload ?? null;
  const bytes = payload?.length ?? 0;
  // A large one is read again when it is sent: what waits in memory stays small.
  const admission = context.admit(bytes > READ_WITH_ROW_BYTES ? [] : wanted, bytes);
  context.afterRollback('give places back', () => admission.release());
  const rows = wanted.map((webhook) => {
    const lease = admission.leaseFor(webhook);
    return newDelivery(context, { webhook, trigger: 'event', emission, bodyOf, lease });
  });
  const seqs = await insertDeliveries(tx, rows);
  // Made before the commit: what fails here is rolled back, and keeps no places.
  const jobs: Job[] = [];
  const waiting: Awake[] = [];
  for (const [index, webhook] of wanted.entries()) {
    const { body: start, after_payload, ...row } = rows[index] as NewDelivery;
    if (row.lease_owner === null) waiting.push({ webhookId: webhook.id, workspaceId, line: 'first' });
    else {
      const body = wholeBody({ body: start, after_payload }, payload);
      jobs.push({ delivery: { ...row, seq: seqs[index] ?? 0 }, webhook, body, bytes });
    }
  }
  context.afterCommit('begin deliveries', () => admission.begin(jobs));
  if (waiting.length > 0) context.afterCommit('wake the delivery engine', () => context.wake(waiting));
}

/** The bodies of what happened, by the ids of their deliveries. */
export function bodiesOf(
  context: Context,
  { trigger, workspaceId, data, event }: Omit<Emission, 'resourceIds'>,
): (id: string) => StoredBody {
  return encodeEnvelope({
    type: trigger,
    workspaceId,
    occurredAt: event?.occurredAt ?? context.now.toISOString(),
    data,
    event: event ?? null,
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
  emission: Pick<Emission, 'trigger' | 'event'>;
  bodyOf: (id: string) => StoredBody;
  /** Who has it from the beginning. */
  lease: Lease | null;
}

/** A delivery that is due now, or held while its webhook is disabled. */
export function newDelivery(
  context: Context,
  { webhook, trigger, emission, bodyOf, lease }: DeliverySource,
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
    ...bodyOf(id),
    attempt_count: 0,
    scheduled_count: 0,
    next_attempt_at: now,
    manual: 0,
    due_at: lease?.until ?? due,
    lease_owner: lease?.owner ?? null,
    lease_token: lease?.token ?? 0,
    interruptions: 0,
    created_at: now,
    completed_at: null,
    ...NOT_ATTEMPTED,
  };
}
