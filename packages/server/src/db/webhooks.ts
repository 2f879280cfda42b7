import type { Selectable, Updateable } from 'kysely';
import { remembered, rememberedRow, runsDirectly } from './hot.ts';
import type { PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';
import type { Dialect } from './store.ts';

export type WebhookRow = Selectable<Database['webhooks']>;

const inWorkspace = rememberedRow<{ workspaceId: string; id: string }, WebhookRow>(['webhooks'], (db, p) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', p('id'))
    .where('workspace_id', '=', p('workspaceId')),
);

export function findWebhook(db: Db, workspaceId: string, id: string): Promise<WebhookRow | undefined> {
  return inWorkspace(db, { workspaceId, id });
}

const byId = rememberedRow<{ id: string }, WebhookRow>(['webhooks'], (db, p) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', p('id')),
);

/** A webhook of any workspace: for what works for all of them. */
export function findWebhookById(db: Db, id: string): Promise<WebhookRow | undefined> {
  return byId(db, { id });
}

/** Those of these webhooks, of any workspace, that exist. */
export async function findWebhooksById(db: Db, ids: readonly string[]): Promise<WebhookRow[]> {
  if (!runsDirectly(db)) return db.selectFrom('webhooks').selectAll().where('id', 'in', ids).execute();
  const found: WebhookRow[] = [];
  for (const id of ids) {
    const row = await byId(db, { id });
    if (row) found.push(row);
  }
  return found;
}

/** A webhook as it is now, and stays until the unit ends. */
export async function lockWebhook(tx: Tx, dialect: Dialect, id: string): Promise<WebhookRow | undefined> {
  const query = tx.selectFrom('webhooks').selectAll().where('id', '=', id);
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

export async function listWebhooks(db: Db, workspaceId: string, page: PageRequest): Promise<WebhookRow[]> {
  let query = db.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

const ofWorkspace = remembered<{ workspaceId: string }, WebhookRow>(['webhooks'], (db, p) =>
  db.selectFrom('webhooks').selectAll().where('workspace_id', '=', p('workspaceId')).orderBy('id'),
);

/** The webhooks of a workspace that may want what happens in it. */
export async function listSubscribers(db: Db, workspaceId: string): Promise<readonly WebhookRow[]> {
  return ofWorkspace(db, { workspaceId });
}

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute();
}

export async function updateWebhook(
  tx: Tx,
  webhook: Pick<WebhookRow, 'id'>,
  changes: Updateable<Database['webhooks']>,
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhooks')
    .set(changes)
    .where('id', '=', webhook.id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteWebhook(tx: Tx, webhook: Pick<WebhookRow, 'id'>): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', webhook.id).execute();
}
