import { type Selectable, sql } from 'kysely';
import type { FoundRows, PageRequest } from './core/queries/paging.ts';
import { lastLookedAt, pageRange } from './core/queries/seq-range.ts';
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
export async function listAudit(
  db: Db,
  { workspaceId, action, actor, target, since, until }: AuditFilter,
  { after, limit }: PageRequest,
): Promise<FoundRows<AuditRow>> {
  const { above, below } = await pageRange(db, 'audit_log', { after, since, until });
  let list = db.selectFrom('audit_log').where('workspace_id', '=', workspaceId);
  if (above !== undefined) list = list.where('seq', '>', above);
  if (below !== undefined) list = list.where('seq', '<', below);
  // Each of these has an index. Of several, the first is used, and the rows that it finds are checked for the others.
  const filters = [
    ['target_id', target],
    ['actor_id', actor],
    ['action', action],
  ] as const;
  const [indexed, ...others] = filters.filter(([, value]) => value !== undefined);
  if (indexed) list = list.where(indexed[0], '=', indexed[1] ?? '');
  const resume = others.length === 0 ? null : await lastLookedAt(list);
  let query = list.selectAll();
  if (resume !== null) query = query.where('seq', '>=', resume);
  // `coalesce`, because SQLite might use another of the indexes.
  for (const [column, value] of others)
    query = query.where(sql`coalesce(${sql.ref(column)}, '')`, '=', value);
  if (since !== undefined) query = query.where('created_at', '>', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
  return { rows, resume: rows.length < limit ? resume : null };
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
