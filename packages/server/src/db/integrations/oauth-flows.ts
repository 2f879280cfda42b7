import type { Selectable, Updateable } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';

export type OAuthFlowRow = Selectable<Database['oauth_flows']>;

export async function insertOAuthFlow(tx: Tx, row: OAuthFlowRow): Promise<void> {
  await tx.insertInto('oauth_flows').values(row).execute();
}

export async function findOAuthFlow(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<OAuthFlowRow | undefined> {
  return db
    .selectFrom('oauth_flows')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A flow of any workspace: by the link that was given out for it, or by the ID in the state that the provider sends back. */
export async function findOAuthFlowBy(
  db: Db,
  column: 'link_hash' | 'id',
  value: string,
): Promise<OAuthFlowRow | undefined> {
  return db.selectFrom('oauth_flows').selectAll().where(column, '=', value).executeTakeFirst();
}

/** Changes a flow that is still in the state it was read in; `false` when it is not. */
export async function changeOAuthFlow(
  tx: Tx,
  { id, status }: Pick<OAuthFlowRow, 'id' | 'status'>,
  changes: Updateable<Database['oauth_flows']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_flows')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
