import type { Selectable, Updateable } from 'kysely';
import { cachedForGood } from '../core/cache/cache.ts';
import { changing } from '../core/cache/changing.ts';
import { type Awaitable, andThen } from '../core/awaitable.ts';
import { dialectOf } from '../dialect-of.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type WorkspaceRow = Omit<Selectable<Database['workspaces']>, 'seq' | 'deleted_at'>;

const COLUMNS = ['id', 'name', 'slug', 'plan', 'created_at', 'updated_at'] as const;

// Kept even when the workspace is deleted: no row has its number anymore.
const seqOf = cachedForGood<{ id: string }, { seq: number; id: string }, 'workspaces'>(
  'seq of workspace',
  (workspaces) => ({ workspaces }),
  (db, p) => db.selectFrom('workspaces').select(['seq', 'id']).where('id', '=', p('id')),
);

/** The number by which dense tables refer to a workspace. 0, which no row has and no row may refer to, for one that is gone. */
export function workspaceSeq(db: Db, workspaceId: string): Awaitable<number> {
  return andThen(seqOf(db, { id: workspaceId }), numberOf);
}

const numberOf = (row: { seq: number } | undefined): number => row?.seq ?? 0;

export async function findWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRow | undefined> {
  return db
    .selectFrom('workspaces')
    .select(COLUMNS)
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The workspaces of these IDs, in the order of their creation. */
export async function listWorkspaces(
  db: Db,
  workspaceIds: readonly string[],
  page: PageRequest,
): Promise<WorkspaceRow[]> {
  if (workspaceIds.length === 0) return [];
  let query = db.selectFrom('workspaces').select(COLUMNS).where('id', 'in', workspaceIds);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

export async function insertWorkspace(tx: Tx, row: WorkspaceRow): Promise<void> {
  // Marked as changed, so that its number is not cached before the commit: after a rollback, another workspace gets that number.
  await changing(tx, 'workspaces', row).insert(row).execute();
}

export async function updateWorkspace(
  tx: Tx,
  workspaceId: string,
  changes: Updateable<Database['workspaces']>,
): Promise<WorkspaceRow | undefined> {
  return changing(tx, 'workspaces', { id: workspaceId })
    .update()
    .set(changes)
    .where('id', '=', workspaceId)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Serializes units about one workspace, for the rule of the last owner and for the order of its events. A unit calls it before it changes a
 * row: two units that take a lock and a row in different orders deadlock on PostgreSQL.
 */
export const lockWorkspace = (tx: Tx, workspaceId: string): Awaitable<void> =>
  dialectOf(tx).lock(tx, workspaceId);
