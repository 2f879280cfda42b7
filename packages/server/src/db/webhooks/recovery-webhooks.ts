import type { Selectable } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';

/** A webhook with deliveries that a recovery has yet to look at. */
export type RecoveryWebhookRow = Selectable<Database['recovery_webhooks']>;

/** Stores the webhooks of a recovery. Those that it has already keep their positions. */
export async function insertRecoveryWebhooks(tx: Tx, rows: readonly RecoveryWebhookRow[]): Promise<void> {
  await tx
    .insertInto('recovery_webhooks')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['recovery_id', 'webhook_id']).doNothing())
    .execute();
}

/** The next webhooks of a recovery after one of them, or the first ones. */
export async function listRecoveryWebhooks(
  db: Db,
  recoveryId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<RecoveryWebhookRow[]> {
  let query = db.selectFrom('recovery_webhooks').selectAll().where('recovery_id', '=', recoveryId);
  if (after !== null) query = query.where('webhook_id', '>', after);
  return query.orderBy('webhook_id').limit(limit).execute();
}

/** Moves a recovery to a position in one of its webhooks; `null`: it has reached the end there. */
export async function moveInWebhook(
  tx: Tx,
  { recovery_id, webhook_id }: RecoveryWebhookRow,
  position: number | null,
): Promise<void> {
  const ofWebhook = { recovery_id, webhook_id };
  if (position === null)
    await tx
      .deleteFrom('recovery_webhooks')
      .where((where) => where.and(ofWebhook))
      .execute();
  else
    await tx
      .updateTable('recovery_webhooks')
      .set({ position })
      .where((where) => where.and(ofWebhook))
      .execute();
}
