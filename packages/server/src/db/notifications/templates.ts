import type { Selectable } from 'kysely';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

/** A version of a template. */
export type TemplateRow = Omit<Selectable<Database['notification_template_versions']>, 'template_id'> & {
  id: string;
  workspace_id: string;
  /** The time of the first version. */
  made_at: string;
};

const versions = (db: Db, workspaceId: string) =>
  db
    .selectFrom('notification_templates as template')
    .innerJoin('notification_template_versions as version', 'version.template_id', 'template.id')
    .where('template.workspace_id', '=', workspaceId)
    .select([
      'template.id',
      'template.workspace_id',
      'template.created_at as made_at',
      'version.version',
      'version.name',
      'version.subject',
      'version.body',
      'version.sample_event_type',
      'version.created_by',
      'version.created_at',
    ]);

/** The current version of a template, or another one. */
export async function findTemplate(
  db: Db,
  workspaceId: string,
  { id, version }: { id: string; version?: number | undefined },
): Promise<TemplateRow | undefined> {
  const query = versions(db, workspaceId).where('template.id', '=', id);
  return version === undefined
    ? query.whereRef('version.version', '=', 'template.version').executeTakeFirst()
    : query.where('version.version', '=', version).executeTakeFirst();
}

export async function listTemplates(db: Db, workspaceId: string, page: PageRequest): Promise<TemplateRow[]> {
  let query = versions(db, workspaceId).whereRef('version.version', '=', 'template.version');
  if (page.after !== null) query = query.where('template.id', '>', page.after);
  return query.orderBy('template.id').limit(page.limit).execute();
}

export async function insertTemplate(tx: Tx, row: TemplateRow): Promise<void> {
  const { id, workspace_id, made_at, version } = row;
  await tx
    .insertInto('notification_templates')
    .values({ id, workspace_id, version, created_at: made_at })
    .execute();
  await insertVersion(tx, row);
}

/** Stores the next version of a template, which is the current one from now on. */
export async function addVersion(tx: Tx, row: TemplateRow): Promise<void> {
  const { id, version } = row;
  await tx.updateTable('notification_templates').set({ version }).where('id', '=', id).execute();
  await insertVersion(tx, row);
}

async function insertVersion(
  tx: Tx,
  { id, workspace_id: _, made_at: __, ...version }: TemplateRow,
): Promise<void> {
  await tx
    .insertInto('notification_template_versions')
    .values({ template_id: id, ...version })
    .execute();
}

export async function deleteTemplate(tx: Tx, { id }: Pick<TemplateRow, 'id'>): Promise<void> {
  await tx.deleteFrom('notification_templates').where('id', '=', id).execute();
}
