import type { Selectable, Updateable } from 'kysely';
import type { PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';

export type WebhookRow = Selectable<Database['webhooks']>;

export async function findWebhook(db: Db, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listWebhooks(db: Db, workspaceId: string, page: PageRequest): Promise<WebhookRow[]> {
  let query = db.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** What decides which webhooks an event goes to. */
export async function listSubscriptions(
  db: Db,
  workspaceId: string,
): Promise<Pick<WebhookRow, 'id' | 'events' | 'filters' | 'status'>[]> {
  return db
    .selectFrom('webhooks')
    .select(['id', 'events', 'filters', 'status'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
}

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute();
}

export async function updateWebhook(
  tx: Tx,
  id: string,
  changes: Updateable<Database['webhooks']>,
): Promise<WebhookRow | undefined> {
  return tx.updateTable('webhooks').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}
