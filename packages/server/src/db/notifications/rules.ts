import type { Selectable, Updateable } from 'kysely';
import { cached } from '../core/cache/cache.ts';
import { changing } from '../core/cache/changing.ts';
import type { Awaitable } from '../core/awaitable.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';
import { dialectOf } from '../dialect-of.ts';

export type RuleRow = Selectable<Database['notification_rules']>;

/** The part of an enabled rule that messages need. */
interface EnabledRow {
  workspace_id: string;
  /** This and the rest are `null` in the one row of a workspace without rules, which is cached like any other. */
  id: string | null;
  name: string | null;
  template_id: string | null;
  settings: string | null;
}

const enabled = cached<{ workspaceId: string }, EnabledRow, 'notification_rules' | 'workspaces'>(
  'enabled rules of workspace',
  (row) => ({ notification_rules: row, workspaces: { id: row.workspace_id } }),
  (db, p) =>
    db
      .selectFrom('workspaces as workspace')
      .leftJoin('notification_rules as rule', (join) =>
        join.onRef('rule.workspace_id', '=', 'workspace.id').on('rule.enabled', '=', 1),
      )
      .select(['workspace.id as workspace_id', 'rule.id', 'rule.name', 'rule.template_id', 'rule.settings'])
      .where('workspace.id', '=', p('workspaceId'))
      .orderBy('rule.id'),
);

/** The rules of a workspace that are enabled: the same object until one of them changes. */
export const listEnabledRules = (db: Db, workspaceId: string): Awaitable<readonly EnabledRow[]> =>
  enabled(db, { workspaceId });

/** The settings of an integration. */
interface ConfigRow {
  workspace_id: string;
  id: string | null;
  provider: string | null;
  config: string | null;
}

const configs = cached<{ workspaceId: string }, ConfigRow, 'integrations' | 'workspaces'>(
  'integration settings of workspace',
  (row) => ({ integrations: row, workspaces: { id: row.workspace_id } }),
  (db, p) =>
    db
      .selectFrom('workspaces as workspace')
      .leftJoin('integrations as integration', 'integration.workspace_id', 'workspace.id')
      .select([
        'workspace.id as workspace_id',
        'integration.id',
        'integration.provider',
        'integration.config',
      ])
      .where('workspace.id', '=', p('workspaceId'))
      .orderBy('integration.id'),
);

/** The settings of the integrations of a workspace: the same object until one of them changes. */
export const listConfigs = (db: Db, workspaceId: string): Awaitable<readonly ConfigRow[]> =>
  configs(db, { workspaceId });

export async function findRule(db: Db, workspaceId: string, id: string): Promise<RuleRow | undefined> {
  return db
    .selectFrom('notification_rules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function listRules(db: Db, workspaceId: string, page: PageRequest): Promise<RuleRow[]> {
  let query = db.selectFrom('notification_rules').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** A rule that uses a template. */
export async function findRuleOfTemplate(
  db: Db,
  workspaceId: string,
  templateId: string,
): Promise<Pick<RuleRow, 'name'> | undefined> {
  return db
    .selectFrom('notification_rules')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('template_id', '=', templateId)
    .executeTakeFirst();
}

export async function countRules(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notification_rules')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertRule(tx: Tx, row: RuleRow): Promise<void> {
  await changing(tx, 'notification_rules', row).insert(row).execute();
}

export async function updateRule(
  tx: Tx,
  rule: Pick<RuleRow, 'id' | 'workspace_id'>,
  changes: Updateable<Database['notification_rules']>,
): Promise<RuleRow | undefined> {
  return changing(tx, 'notification_rules', rule)
    .update()
    .set(changes)
    .where('id', '=', rule.id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteRule(tx: Tx, rule: Pick<RuleRow, 'id' | 'workspace_id'>): Promise<void> {
  await changing(tx, 'notification_rules', rule).delete().where('id', '=', rule.id).execute();
}

/** Serializes units that depend on the messages of a rule: whether one is a duplicate, and which digest it goes into. */
export const lockRule = (tx: Tx, key: string): Awaitable<void> => dialectOf(tx).lock(tx, key);
