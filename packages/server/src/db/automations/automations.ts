import { type Selectable, sql } from 'kysely';
import { cached, cachedForGood, cachedRow } from '../core/cache/cache.ts';
import { changing } from '../core/cache/changing.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Awaitable } from '../core/awaitable.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

// A column cannot be renamed while older processes use it, so `answers` gets a better name here.
interface Responsible {
  /** The user who is responsible for the calls of its actions: whoever saved them or enabled it last. */
  responsible_user_id: string;
}
export type AutomationRow = Omit<Selectable<Database['automations']>, 'answers'> & Responsible;
export type AutomationVersionRow = Omit<Selectable<Database['automation_versions']>, 'answers'> & Responsible;

const COLUMNS = [
  'id',
  'workspace_id',
  'name',
  'description',
  'enabled',
  'version',
  'trigger',
  'conditions',
  'actions',
  'throttle',
  'concurrency_key',
  'secret',
  'next_run_at',
  'answers as responsible_user_id',
  'created_by',
  'created_at',
  'updated_at',
] as const;

const inWorkspace = cachedRow<{ workspaceId: string; id: string }, AutomationRow, 'automations'>(
  'automation',
  (automations) => ({ automations }),
  (db, p) =>
    db
      .selectFrom('automations')
      .select(COLUMNS)
      .where('id', '=', p('id'))
      .where('workspace_id', '=', p('workspaceId')),
);

export const findAutomation = (
  db: Db,
  workspaceId: string,
  id: string,
): Awaitable<AutomationRow | undefined> => inWorkspace(db, { workspaceId, id });

export async function listAutomations(
  db: Db,
  workspaceId: string,
  page: PageRequest,
): Promise<AutomationRow[]> {
  let query = db.selectFrom('automations').select(COLUMNS).where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** An automation that sends a notification template. */
export async function findAutomationOfTemplate(
  db: Db,
  workspaceId: string,
  templateId: string,
): Promise<Pick<AutomationRow, 'name'> | undefined> {
  return db
    .selectFrom('automations')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('actions', 'like', `%"template_id":"${templateId}"%`)
    .limit(1)
    .executeTakeFirst();
}

export async function countAutomations(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('automations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertAutomation(tx: Tx, row: AutomationRow): Promise<void> {
  const { responsible_user_id: answers, ...columns } = row;
  await changing(tx, 'automations', row)
    .insert({ ...columns, answers })
    .execute();
}

export async function updateAutomation(
  tx: Tx,
  { id, workspace_id }: Pick<AutomationRow, 'id' | 'workspace_id'>,
  { responsible_user_id: answers, ...changes }: Partial<AutomationRow>,
): Promise<void> {
  const columns = answers === undefined ? changes : { ...changes, answers };
  await changing(tx, 'automations', { workspace_id }).update().set(columns).where('id', '=', id).execute();
}

/** The enabled automations whose actions this user is responsible for. */
export const listByResponsibleUser = (
  tx: Tx,
  workspaceId: string,
  userId: string,
): Promise<AutomationRow[]> =>
  tx
    .selectFrom('automations')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('answers', '=', userId)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute();

/** Deletes an automation with its versions and runs. */
export async function deleteAutomation(
  tx: Tx,
  { id, workspace_id }: Pick<AutomationRow, 'id' | 'workspace_id'>,
): Promise<void> {
  // Its runs may be very many.
  await dialectOf(tx).deleteMany(tx, 'automation_runs', sql`automation_id = ${id}`);
  await changing(tx, 'automations', { workspace_id }).delete().where('id', '=', id).execute();
}

export async function insertVersion(tx: Tx, row: AutomationVersionRow): Promise<void> {
  const { responsible_user_id: answers, ...columns } = row;
  await changing(tx, 'automation_versions', row)
    .insert({ ...columns, answers })
    .execute();
}

const versionById = cachedForGood<{ id: string }, AutomationVersionRow, 'automation_versions'>(
  'automation version',
  (version) => ({ automation_versions: version }),
  (db, p) =>
    db
      .selectFrom('automation_versions')
      .select(['id', 'automation_id', 'name', 'actions', 'answers as responsible_user_id'])
      .where('id', '=', p('id')),
);

/** The ID of a version. */
export const versionId = (automationId: string, version: number): string => `${automationId}.${version}`;

/** The name and actions that a run began with. */
export const findVersion = (
  db: Db,
  { automation_id: id, version }: { automation_id: string; version: number },
): Awaitable<AutomationVersionRow | undefined> => versionById(db, { id: versionId(id, version) });

/** The part of an automation that says what starts it. A workspace without any has one row of nulls, so that the result can be cached. */
export type StartRow = Pick<AutomationRow, 'workspace_id'> & {
  [Column in 'id' | 'trigger' | 'conditions']: AutomationRow[Column] | null;
};

const enabled = cached<{ workspaceId: string }, StartRow, 'automations' | 'workspaces'>(
  'automations of workspace',
  (row) => ({ automations: row, workspaces: { id: row.workspace_id } }),
  (db, p) =>
    db
      .selectFrom('workspaces')
      .leftJoin('automations', (join) =>
        join.onRef('automations.workspace_id', '=', 'workspaces.id').on('automations.enabled', '=', 1),
      )
      .select([
        'workspaces.id as workspace_id',
        'automations.id as id',
        'automations.trigger as trigger',
        'automations.conditions as conditions',
      ])
      .where('workspaces.id', '=', p('workspaceId'))
      .orderBy('automations.id'),
);

/** The starts of the enabled automations of a workspace. Returns the same array until one of them changes. */
export const listStarts = (db: Db, workspaceId: string): Awaitable<readonly StartRow[]> =>
  enabled(db, { workspaceId });
