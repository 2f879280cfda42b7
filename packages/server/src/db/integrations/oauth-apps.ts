import type { Selectable } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';

export type OAuthAppRow = Selectable<Database['oauth_apps']>;

export async function listOAuthApps(db: Db, workspaceId: string): Promise<OAuthAppRow[]> {
  return db.selectFrom('oauth_apps').selectAll().where('workspace_id', '=', workspaceId).execute();
}

export async function findOAuthApp(
  db: Db,
  workspaceId: string,
  provider: string,
): Promise<OAuthAppRow | undefined> {
  return db
    .selectFrom('oauth_apps')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst();
}

/** Stores an app in place of the one that was there. */
export async function putOAuthApp(tx: Tx, row: OAuthAppRow): Promise<void> {
  const { app, updated_at } = row;
  await tx
    .insertInto('oauth_apps')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider']).doUpdateSet({ app, updated_at }))
    .execute();
}

/** Deletes an app; `false` if there was none. */
export async function deleteOAuthApp(tx: Tx, workspaceId: string, provider: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_apps')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
