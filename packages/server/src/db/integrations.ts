import type { Selectable, Updateable } from 'kysely';
import { hot } from './hot.ts';
import type { PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';

export type IntegrationRow = Selectable<Database['integrations']>;

const byId = hot<{ id: string }, IntegrationRow>((db, p) =>
  db.selectFrom('integrations').selectAll().where('id', '=', p('id')),
);

export async function findIntegration(db: Db, id: string): Promise<IntegrationRow | undefined> {
  const [row] = await byId(db, { id });
  return row;
}

export async function findIntegrationByProvider(
  db: Db,
  workspaceId: string,
  provider: string,
): Promise<IntegrationRow | undefined> {
  return db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst();
}

export async function listIntegrations(
  db: Db,
  workspaceId: string,
  page: PageRequest,
): Promise<IntegrationRow[]> {
  let query = db.selectFrom('integrations').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** Those that have a hook registered at their provider. */
export async function listHookedIntegrations(db: Db, workspaceId: string): Promise<IntegrationRow[]> {
  return db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('hook', 'is not', null)
    .execute();
}

export async function insertIntegration(tx: Tx, row: IntegrationRow): Promise<void> {
  await tx.insertInto('integrations').values(row).execute();
}

export async function updateIntegration(
  tx: Tx,
  id: string,
  changes: Updateable<Database['integrations']>,
): Promise<IntegrationRow | undefined> {
  return tx.updateTable('integrations').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
}

export async function deleteIntegration(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('integrations').where('id', '=', id).execute();
}
