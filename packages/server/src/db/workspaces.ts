import { sql, type Selectable, type Updateable } from 'kysely';
import type { PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';
import type { Dialect } from './store.ts';

export type WorkspaceRow = Selectable<Database['workspaces']>;

export async function findWorkspace(db: Db, id: string): Promise<WorkspaceRow | undefined> {
  return db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The workspaces of `ids`, in the order of their creation. */
export async function listWorkspaces(
  db: Db,
  ids: readonly string[],
  page: PageRequest,
): Promise<WorkspaceRow[]> {
  if (ids.length === 0) return [];
  let query = db.selectFrom('workspaces').selectAll().where('id', 'in', ids);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

export async function insertWorkspace(tx: Tx, row: WorkspaceRow): Promise<void> {
  await tx.insertInto('workspaces').values(row).execute();
}

export async function updateWorkspace(
  tx: Tx,
  id: string,
  changes: Updateable<Database['workspaces']>,
): Promise<WorkspaceRow | undefined> {
  return tx.updateTable('workspaces').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
}

export async function deleteWorkspace(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('workspaces').where('id', '=', id).execute();
}

/**
 * Makes units about one workspace run one after another, where the rule they check spans rows: the last owner, the
 * order of its events. SQLite runs all units so; PostgreSQL takes a lock until the commit.
 */
export async function lockWorkspace(tx: Tx, dialect: Dialect, id: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(tx);
}
