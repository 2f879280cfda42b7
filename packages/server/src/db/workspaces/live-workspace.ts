import { sql, type SqlBool } from 'kysely';
import { cachedRow } from '../core/cache/cache.ts';
import type { Db } from '../core/schema.ts';

/**
 * The condition that the workspace of a row is not deleted. Requests under way may still add rows to a deleted one, so every query that
 * lets somebody in has this condition.
 */
export const inLiveWorkspace = (table: 'members' | 'integrations') => sql<SqlBool>`exists (
  select 1 from workspaces where id = ${sql.ref(`${table}.workspace_id`)} and deleted_at is null)`;

const live = cachedRow<{ id: string }, { id: string }, 'workspaces'>(
  'live workspace',
  (workspaces) => ({ workspaces }),
  (db, p) =>
    db.selectFrom('workspaces').select('id').where('id', '=', p('id')).where('deleted_at', 'is', null),
);

/** Reports whether a workspace exists and is not deleted: background work ends with it. */
export const isLive = async (db: Db, workspaceId: string): Promise<boolean> =>
  (await live(db, { id: workspaceId })) !== undefined;
