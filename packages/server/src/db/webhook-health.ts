import { sql } from 'kysely';
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
  reason: 'failing' | 'gone';
  now: string;
  /** Only if it has been failing since then or before; `null`: whatever it did. */
  failingBefore: string | null;
}

/** Disables an active webhook; `undefined` if it is not active any more, or works again. */
export async function disableWebhook(
  tx: Tx,
  { id, reason, now, failingBefore }: Disabling,
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: reason, disabled_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where(
      failingBefore === null ? sql<boolean>`1 = 1` : ({ eb }) => eb('failing_since', '<=', failingBefore),
    )
    .returningAll()
    .executeTakeFirst();
}
