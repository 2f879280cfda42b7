import { type DeliveryCause, LIMITS } from '@hubline/contract';
import type { WorkContext } from '../../context.ts';
import { insertDeliveries, type NewDelivery } from '../../db/webhooks/deliveries.ts';
import { READ_WITH_ROW_BYTES } from '../../db/core/columns/large-text.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import { takeRoom } from '../../db/core/store.ts';
import { findWebhook, lockIfDisabled, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import { eventBody, type EventToSend, messageBody, wholeBody } from '../../domain/events/envelope.ts';
import type { DueWebhook, LeasedDelivery, NewLease } from '../../delivery/delivery-store.ts';
import { enqueueFairly } from '../../jobs/enqueue.ts';
import { endpointOf, leasedDelivery } from '../delivery-store/leased-delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { furtherDeliveries } from './further-deliveries.ts';
import type { Occurrence } from './occurrence.ts';

// The deliveries that one job stores.
const JOB_DELIVERIES = 500;

interface Addressed {
  occurrence: Occurrence;
  webhooks: readonly WebhookRow[];
}

/**
 * Creates one delivery for each of these webhooks. Those for which the prefetch buffer has room are stored with a lease,
 * and offered to it with their bodies after the commit; the others are claimed in their turn. Every attempt sends the same
 * bytes: the body of an event is derived from the event, any other body is stored.
 */
export function createDeliveries(
  tx: Tx,
  context: WorkContext,
  { occurrence, webhooks }: Addressed,
): Awaitable<void> {
  // The transaction of an event has locked the workspace, so no webhook can be enabled meanwhile.
  const isCurrent = occurrence.event !== undefined || webhooks.every(({ status }) => status === 'active');
  if (isCurrent) return storeOrEnqueue(tx, context, { occurrence, webhooks });
  return readCurrent(tx, webhooks).then((current) =>
    storeOrEnqueue(tx, context, { occurrence, webhooks: current }),
  );
}

/** Reads webhooks again, once no transaction that enables one of them is running; without those that were deleted in the meantime. */
async function readCurrent(tx: Tx, webhooks: readonly WebhookRow[]): Promise<WebhookRow[]> {
  const current: WebhookRow[] = [];
  for (const webhook of webhooks) {
    const row = await lockIfDisabled(tx, webhook);
    if (row) current.push(row);
  }
  return current;
}

/**
 * Stores as many deliveries of an event as the unit has room for, and enqueues jobs for the others. A batch for a thousand webhooks would
 * have a million, and all other writes would wait for them: a hundred thousand took SQLite 4 seconds. As many as the limit take 80 ms.
 */
function storeOrEnqueue(tx: Tx, context: WorkContext, { occurrence, webhooks }: Addressed): Awaitable<void> {
  const { event, workspaceId } = occurrence;
  const room = event ? takeRoom(webhooks.length, LIMITS.deliveriesAtOnce) : webhooks.length;
  if (!event || room === webhooks.length) return storeAndOffer(tx, context, { occurrence, webhooks });
  return andThen(storeAndOffer(tx, context, { occurrence, webhooks: webhooks.slice(0, room) }), async () => {
    for (let start = room; start < webhooks.length; start += JOB_DELIVERIES) {
      const ids = webhooks.slice(start, start + JOB_DELIVERIES).map(({ id }) => id);
      const payload = { workspace_id: workspaceId, event_id: event.id, webhook_ids: ids };
      const job = { kind: furtherDeliveries, key: `${event.id} ${start}`, payload, workspaceId };
      await enqueueFairly(tx, context, job);
    }
  });
}

function storeAndOffer(
  tx: Tx,
  context: WorkContext,
  { occurrence, webhooks: wanted }: Addressed,
): Awaitable<void> {
  const bytes = occurrence.event?.payload.length ?? 0;
  const prefetch = context.engine.prefetch();
  // A large body is read again when it is sent, so that waiting deliveries take little memory.
  const isShort = bytes <= READ_WITH_ROW_BYTES;
  const rows = wanted.map((webhook) => {
    const lease = isShort && prefetch.takes(endpointOf(webhook), bytes) ? prefetch.lease : null;
    return newDelivery(context, { webhook, cause: 'event', occurrence, lease });
  });
  return andThen(insertDeliveries(tx, rows), (seqs) => {
    offerAfterCommit(context, { occurrence, webhooks: wanted, rows, seqs, lease: prefetch.lease });
  });
}

/** Stored deliveries, and the lease of those that this process sends. */
interface StoredDeliveries {
  occurrence: Occurrence;
  webhooks: readonly WebhookRow[];
  rows: readonly NewDelivery[];
  seqs: readonly number[];
  lease: NewLease;
}

/** Offers leased deliveries to the engine after the commit, and wakes it for the others. */
function offerAfterCommit(
  context: WorkContext,
  { occurrence: { event, workspaceId }, webhooks, rows, seqs, lease }: StoredDeliveries,
): void {
  const partsOf = event && eventBody(event);
  const leased: LeasedDelivery[] = [];
  const due: DueWebhook[] = [];
  for (const [index, row] of rows.entries()) {
    const webhook = webhooks[index] as WebhookRow;
    if (row.due_at === null) continue;
    if (row.lease_owner === null) due.push({ webhookId: webhook.id, workspaceId, part: 'initial' });
    else {
      const body = event && partsOf ? wholeBody(partsOf(row.id), event.payload) : (row.body ?? '');
      const stored = { ...row, seq: seqs[index] ?? 0 };
      leased.push(leasedDelivery(stored, endpointOf(webhook), { body, bytes: body.length }));
    }
  }
  if (leased.length > 0) context.afterCommit('offer deliveries', () => context.engine.offer(leased, lease));
  if (due.length > 0) context.afterCommit('wake the delivery engine', () => context.engine.wake(due));
}

/** Creates a delivery for one webhook, regardless of its subscription; none if it was deleted in the meantime. */
export async function createDelivery(
  tx: Tx,
  context: WorkContext,
  { webhookId, ...what }: Omit<Occurrence, 'resourceIds' | 'event'> & { webhookId: string },
): Promise<void> {
  const webhook = await findWebhook(tx, what.workspaceId, webhookId);
  if (webhook)
    await createDeliveries(tx, context, { occurrence: { ...what, resourceIds: [] }, webhooks: [webhook] });
}

interface DeliverySource {
  webhook: WebhookRow;
  cause: DeliveryCause;
  occurrence: Omit<Occurrence, 'resourceIds' | 'event'> & { event?: Pick<EventToSend, 'id'> };
  /** The lease with which the delivery is stored; `null` for none. */
  lease: NewLease | null;
}

/** A delivery that is due now, or held while its webhook is disabled. */
export function newDelivery(
  context: WorkContext,
  { webhook, cause, occurrence, lease }: DeliverySource,
): NewDelivery {
  const now = isoTime(context.now.getTime());
  const id = context.ids('delivery');
  const due = webhook.status === 'active' ? now : null;
  const { trigger, workspaceId, data, event } = occurrence;
  return {
    id,
    workspace_id: webhook.workspace_id,
    webhook_id: webhook.id,
    event_id: event?.id ?? null,
    event_type: trigger,
    status: due === null ? 'held' : 'pending',
    trigger: cause,
    attempt_count: 0,
    scheduled_count: 0,
    next_attempt_at: now,
    manual: 0,
    // A leased row is due again at the end of its lease.
    due_at: lease?.until ?? due,
    lease_owner: lease?.owner ?? null,
    lease_token: lease ? 1 : 0,
    interruptions: 0,
    created_at: now,
    completed_at: null,
    body: event ? null : messageBody(id, { type: trigger, workspaceId, occurredAt: now, data }),
  };
}
