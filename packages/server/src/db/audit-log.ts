import type { Selectable } from 'kysely';
import type { PageRequest } from './core/queries/paging.ts';
import type { Database, Db, Tx } from './core/schema.ts';

export type AuditRow = Selectable<Database['audit_log']>;

/** Filters of a workspace's audit log. */
export interface AuditFilter {
  workspaceId: string;
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export async function insertAudit(tx: Tx, row: Omit<AuditRow, 'seq'>): Promise<void> {
  await tx.insertInto('audit_log').values(row).execute();
}

/** Entries, newest first. */
export async function listAudit(db: Db, filter: AuditFilter, page: PageRequest): Promise<AuditRow[]> {
  let query = db.selectFrom('audit_log').selectAll().where('workspace_id', '=', filter.workspaceId);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.actor !== undefined) query = query.where('actor_id', '=', filter.actor);
  if (filter.target !== undefined) query = query.where('target_id', '=', filter.target);
  if (filter.since !== undefined) query = query.where('created_at', '>', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<', filter.until);
  if (page.after !== null) query = query.where('seq', '<', Number(page.after));
  return query.orderBy('seq', 'desc').limit(page.limit).execute();
}

/** Reports whether a user has ever done something in a workspace. */
export async function hasActed(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('audit_log')
    .select('seq')
    .where('workspace_id', '=', workspaceId)
    .where('actor_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
