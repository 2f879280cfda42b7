import { changing } from '../core/cache/changing.ts';
import type { Tx } from '../core/schema.ts';
import type { WebhookRow } from './webhooks.ts';

type Webhook = Pick<WebhookRow, 'id' | 'workspace_id'>;

/** Notes the first failure after a success. */
export async function markFailing(tx: Tx, { id, workspace_id }: Webhook, at: string): Promise<void> {
  await changing(tx, 'webhooks', { workspace_id })
    .update()
    .set({ failing_since: at })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute();
}

/** Notes the first success after a failure. It does not end another failure that has begun since the webhook was read. */
export async function markWorking(
  tx: Tx,
  { id, workspace_id, failing_since }: Webhook & Pick<WebhookRow, 'failing_since'>,
): Promise<void> {
  await changing(tx, 'webhooks', { workspace_id })
    .update()
    .set({ failing_since: null, failing_told: 0 })
    .where('id', '=', id)
    .where('failing_since', '=', failing_since)
    .execute();
}

/** Records that owners and admins are notified of a failure; `undefined` if they have been, or it is over. */
export async function markNotified(
  tx: Tx,
  { id, workspace_id, failing_since }: Webhook & Pick<WebhookRow, 'failing_since'>,
): Promise<WebhookRow | undefined> {
  return changing(tx, 'webhooks', { workspace_id })
    .update()
    .set({ failing_told: 1 })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('failing_told', '=', 0)
    .where('failing_since', '=', failing_since)
    .returningAll()
    .executeTakeFirst();
}

interface Disabling {
  webhook: Webhook;
  reason: Exclude<WebhookRow['disabled_reason'], 'manual' | null>;
  now: string;
  /** Matches only a webhook that has been failing since then or before. */
  failingBefore?: string;
  /** Matches only a webhook that still has this sealed secret. */
  secret?: string;
}

/** Disables an active webhook; `undefined` if it is no longer active, or the reason no longer holds. */
export async function disableWebhook(
  tx: Tx,
  { webhook: { id, workspace_id }, reason, now, failingBefore, secret }: Disabling,
): Promise<WebhookRow | undefined> {
  let update = changing(tx, 'webhooks', { workspace_id })
    .update()
    .set({ status: 'disabled', disabled_reason: reason, disabled_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'active');
  if (failingBefore !== undefined) update = update.where('failing_since', '<=', failingBefore);
  if (secret !== undefined) update = update.where('secret', '=', secret);
  return update.returningAll().executeTakeFirst();
}
