import type { Tx } from './schema.ts';
import type { Dialect } from './store.ts';
import type { WebhookRow } from './webhooks.ts';

/** How far the rate limit of a webhook is used up; kept from other workers until the unit ends. */
export async function lockPace(tx: Tx, dialect: Dialect, id: string): Promise<number | null> {
  const query = tx.selectFrom('webhooks').select('paced_until').where('id', '=', id);
  const row = await (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
  return row?.paced_until ?? null;
}

export async function setPace(tx: Tx, id: string, pacedUntil: number): Promise<void> {
  await tx.updateTable('webhooks').set({ paced_until: pacedUntil }).where('id', '=', id).execute();
}

/** Notes the first failure after a success. */
export async function markFailing(tx: Tx, id: string, at: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ failing_since: at })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute();
}

/** Notes the first success after a failure. */
export async function markWorking(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('webhooks').set({ failing_since: null }).where('id', '=', id).execute();
}

interface Disabling {
  id: string;
  reason: Exclude<WebhookRow['disabled_reason'], 'manual' | null>;
  now: string;
  /** Only if it has been failing since then or before. */
  failingBefore?: string;
  /** Only if this is still its secret, sealed. */
  secret?: string;
}

/** Disables an active webhook; `undefined` if it is not active any more, or what speaks against it has changed. */
export async function disableWebhook(
  tx: Tx,
  { id, reason, now, failingBefore, secret }: Disabling,
): Promise<WebhookRow | undefined> {
  let update = tx
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: reason, disabled_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'active');
  if (failingBefore !== undefined) update = update.where('failing_since', '<=', failingBefore);
  if (secret !== undefined) update = update.where('secret', '=', secret);
  return update.returningAll().executeTakeFirst();
}
