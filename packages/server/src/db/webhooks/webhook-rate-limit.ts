import { dialectOf } from '../dialect-of.ts';
import type { Tx } from '../core/schema.ts';

// A separate table, `webhook_pace` by its older name: the rows of `webhooks` are cached, and this one is written with every claim of a
// webhook that has a rate limit.

/** Reads the time up to which the rate limit of a webhook is used, and locks it until the unit ends. */
export async function lockUsedUntil(tx: Tx, webhookId: string): Promise<number | null> {
  const query = tx.selectFrom('webhook_pace').select('used_until').where('webhook_id', '=', webhookId);
  const row = await dialectOf(tx).lockRows(query).executeTakeFirst();
  return row?.used_until ?? null;
}

export async function setUsedUntil(tx: Tx, webhookId: string, usedUntil: number): Promise<void> {
  await tx
    .updateTable('webhook_pace')
    .set({ used_until: usedUntil })
    .where('webhook_id', '=', webhookId)
    .execute();
}
