import type { Selectable } from 'kysely';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type ProviderDefinitionRow = Selectable<Database['provider_definitions']>;

export async function listProviderDefinitions(
  db: Db,
  workspaceId: string,
  page: PageRequest,
): Promise<ProviderDefinitionRow[]> {
  let query = db.selectFrom('provider_definitions').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** The definition with that ID or that key. */
export async function findProviderDefinition(
  db: Db,
  workspaceId: string,
  named: { id: string } | { provider: string },
): Promise<ProviderDefinitionRow | undefined> {
  const inWorkspace = db
    .selectFrom('provider_definitions')
    .selectAll()
    .where('workspace_id', '=', workspaceId);
  const query =
    'id' in named
      ? inWorkspace.where('id', '=', named.id)
      : inWorkspace.where('provider', '=', named.provider);
  return query.executeTakeFirst();
}

export async function insertProviderDefinition(tx: Tx, row: ProviderDefinitionRow): Promise<void> {
  await tx.insertInto('provider_definitions').values(row).execute();
}

export async function updateProviderDefinition(tx: Tx, row: ProviderDefinitionRow): Promise<void> {
  const { definition, updated_at } = row;
  await tx
    .updateTable('provider_definitions')
    .set({ definition, updated_at })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
}

export async function deleteProviderDefinition(tx: Tx, row: ProviderDefinitionRow): Promise<void> {
  await tx
    .deleteFrom('provider_definitions')
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
}
