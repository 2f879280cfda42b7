import { sql } from 'kysely';
import { QUEUE_PARTS } from '../../domain/deliveries/queue-part.ts';
import { STATUS } from '../core/columns/codes.ts';
import { idBytes } from '../core/columns/columns.ts';
import { millis } from '../../domain/time.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Tx } from '../core/schema.ts';
import { waitsIn } from './queue/waits-in.ts';
import type { WebhookRow } from './webhooks.ts';

const { pending, retrying } = STATUS.of;

/**
 * Cancels the open deliveries of a deleted webhook, and drops requests for manual attempts. An attempt under way loses its
 * lease, and with it its result.
 */
export async function cancelDeliveries(tx: Tx, webhook: Pick<WebhookRow, 'id'>, now: string): Promise<void> {
  await lockOpen(tx, webhook.id);
  await endResends(tx, webhook.id);
  for (const part of [waitsIn.initial, waitsIn.retry, isHeld]) {
    await tx
      .updateTable('deliveries')
      .set({
        status: STATUS.of.cancelled,
        completed_at: millis(now),
        next_attempt_at: null,
        due_at: null,
        lease_owner: null,
        manual: 0,
      })
      .where('webhook_id', '=', idBytes(webhook.id))
      .where(part)
      .execute();
  }
}

/**
 * Keeps the open deliveries of a disabled webhook until it is enabled. One under way ends by its own result; a lease that
 * has run out belongs to nobody.
 */
export async function holdDeliveries(tx: Tx, webhook: Pick<WebhookRow, 'id'>, now: string): Promise<void> {
  await lockDue(tx, webhook.id);
  await endResends(tx, webhook.id, now);
  for (const part of QUEUE_PARTS) {
    await tx
      .updateTable('deliveries')
      .set({ status: STATUS.of.held, due_at: null, lease_owner: null })
      .where('webhook_id', '=', idBytes(webhook.id))
      .where(waitsIn[part])
      .where(isIdle(now))
      .execute();
  }
}

/** Makes held deliveries due now. One whose schedule has ended, and that was only requested by hand, gets no `next_attempt_at`. */
export async function releaseHeldDeliveries(
  tx: Tx,
  webhook: Pick<WebhookRow, 'id'>,
  now: string,
): Promise<void> {
  await lockOpen(tx, webhook.id);
  await tx
    .updateTable('deliveries')
    .set({
      status: sql<number>`case when scheduled_count = 0 then ${sql.lit(pending)} else ${sql.lit(retrying)} end`,
      due_at: millis(now),
      next_attempt_at: sql<
        number | null
      >`case when next_attempt_at is null then null else cast(${millis(now)} as bigint) end`,
    })
    .where('webhook_id', '=', idBytes(webhook.id))
    .where(isHeld)
    .execute();
}

/** Locks the open deliveries of a webhook that are not held. Of the others there may be a million. */
const lockDue = (tx: Tx, webhookId: string): Promise<void> =>
  dialectOf(tx).lockDeliveries(
    tx,
    sql`webhook_id = ${idBytes(webhookId)} and (${waitsIn.initial} or ${waitsIn.retry})`,
  );

/** Locks the open deliveries of a webhook. */
const lockOpen = (tx: Tx, webhookId: string): Promise<void> =>
  dialectOf(tx).lockDeliveries(
    tx,
    sql`webhook_id = ${idBytes(webhookId)} and (${waitsIn.initial} or ${waitsIn.retry} or ${isHeld})`,
  );

/** Drops further attempts of delivered deliveries that have not begun. The deliveries stay delivered. */
async function endResends(tx: Tx, webhookId: string, now?: string): Promise<void> {
  let query = tx
    .updateTable('deliveries')
    .set({ due_at: null, lease_owner: null, manual: 0 })
    .where('webhook_id', '=', idBytes(webhookId))
    .where('status', '=', STATUS.of.delivered)
    .where(waitsIn.retry);
  if (now !== undefined) query = query.where(isIdle(now));
  await query.execute();
}

// A literal, as in `waitsIn`.
const isHeld = sql<boolean>`status = ${sql.lit(STATUS.of.held)}`;
const isIdle = (now: string) => sql<boolean>`(lease_owner is null or due_at <= ${millis(now)})`;
