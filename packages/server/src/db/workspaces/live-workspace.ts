import { cachedRow } from '../core/cache/cache.ts';
import type { Db } from '../core/schema.ts';

const live = cachedRow<{ id: string }, { id: string }, 'workspaces'>(
  'live workspace',
  (workspaces) => ({ workspaces }),
  (db, p) =>
    db.selectFrom('workspaces').select('id').where('id', '=', p('id')).where('deleted_at', 'is', null),
);

/**
 * Reports whether a workspace exists and is not deleted: background work ends with it. Requests under way may still add rows to a deleted
 * one, so every query that grants access checks the same.
 */
export const isLive = async (db: Db, workspaceId: string): Promise<boolean> =>
  (await live(db, { id: workspaceId })) !== undefined;
