import type { Selectable, Updateable } from 'kysely';
import { cached, cachedRow } from '../core/cache/cache.ts';
import { changing } from '../core/cache/changing.ts';
import { type Awaitable, andThen } from '../core/awaitable.ts';
import { dialectOf } from '../dialect-of.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import { webhookById } from './webhook-by-id.ts';

export type WebhookRow = Selectable<Database['webhooks']>;

const inWorkspace = cachedRow<{ workspaceId: string; id: string }, WebhookRow, 'webhooks'>(
  'webhook',
  (webhooks) => ({ webhooks }),
  (db, p) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', p('id'))
      .where('workspace_id', '=', p('workspaceId')),
);

export function findWebhook(db: Db, workspaceId: string, id: string): Awaitable<WebhookRow | undefined> {
  return inWorkspace(db, { workspaceId, id });
}

/** A webhook of any workspace, for work across workspaces. */
export function findWebhookById(db: Db, id: string): Awaitable<WebhookRow | undefined> {
  return webhookById(db, { id });
}

/** The webhooks with these IDs that exist, of any workspace. */
export const findWebhooksById = (db: Db, ids: readonly string[]): Promise<WebhookRow[]> =>
  dialectOf(db).findWebhooks(db, ids);

/** Reads a webhook again, and locks it until the unit ends. */
export async function lockWebhook(tx: Tx, webhook: Pick<WebhookRow, 'id'>): Promise<WebhookRow | undefined> {
  const query = tx.selectFrom('webhooks').selectAll().where('id', '=', webhook.id);
  return dialectOf(tx).lockRows(query).executeTakeFirst();
}

export async function listWebhooks(db: Db, workspaceId: string, page: PageRequest): Promise<WebhookRow[]> {
  let query = db.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/**
 * Returns a webhook that was just read. If it was disabled, it is read again and locked until the unit ends. Call this before a
 * delivery of a disabled webhook is held: somebody may be enabling it, and a delivery that is held after that is never released.
 */
export const lockIfDisabled = async (tx: Tx, webhook: WebhookRow): Promise<WebhookRow | undefined> =>
  webhook.status === 'disabled' ? lockWebhook(tx, webhook) : webhook;

/** A webhook and its workspace. A workspace without any has one row of nulls, so that the result can be cached. */
type WebhookOfWorkspace = { of_workspace: string } & (WebhookRow | { [Column in keyof WebhookRow]: null });

const ofWorkspace = cached<{ workspaceId: string }, WebhookOfWorkspace, 'webhooks' | 'workspaces'>(
  'webhooks of workspace',
  ({ of_workspace: id }) => ({ webhooks: { workspace_id: id }, workspaces: { id } }),
  (db, p) =>
    db
      .selectFrom('workspaces')
      .leftJoin('webhooks', 'webhooks.workspace_id', 'workspaces.id')
      .selectAll('webhooks')
      .select('workspaces.id as of_workspace')
      .where('workspaces.id', '=', p('workspaceId'))
      .orderBy('webhooks.id')
      .$castTo<WebhookOfWorkspace>(),
);

/** All webhooks of a workspace. Each is the same object until one of them changes. */
export function listAllWebhooks(db: Db, workspaceId: string): Awaitable<readonly WebhookRow[]> {
  return andThen(ofWorkspace(db, { workspaceId }), onlyWebhooks);
}

const onlyWebhooks = (rows: readonly WebhookOfWorkspace[]): readonly WebhookRow[] =>
  rows[0]?.id == null ? [] : (rows as readonly WebhookRow[]);

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await changing(tx, 'webhooks', row).insert(row).execute();
  await tx.insertInto('webhook_pace').values({ webhook_id: row.id, used_until: null }).execute();
}

export async function updateWebhook(
  tx: Tx,
  webhook: Pick<WebhookRow, 'id' | 'workspace_id'>,
  changes: Updateable<Database['webhooks']>,
): Promise<WebhookRow | undefined> {
  return changing(tx, 'webhooks', webhook)
    .update()
    .set(changes)
    .where('id', '=', webhook.id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteWebhook(tx: Tx, webhook: Pick<WebhookRow, 'id' | 'workspace_id'>): Promise<void> {
  await changing(tx, 'webhooks', webhook).delete().where('id', '=', webhook.id).execute();
}
