import type { SelectType } from 'kysely';
import type { Database } from '../schema.ts';

const KINDS = [
  'everything',
  'workspace',
  'user',
  'member',
  'webhooks of workspace',
  'automations of workspace',
  'automation version',
  'notification rules of workspace',
  'integrations of workspace',
] as const;

/** Something that cached rows are read from, as text: PostgreSQL's log of changes names it to other processes. */
export type Source = `${(typeof KINDS)[number]} ${string}`;

/** For a change of rows that cannot be named one by one. */
export const EVERYTHING: Source = 'everything ';

/** Reports whether this version knows a source. A process of another version may name others while both run. */
export const isKnown = (source: string): boolean => KINDS.some((kind) => source.startsWith(`${kind} `));

export const workspace = (id: string): Source => `workspace ${id}`;
export const user = (id: string): Source => `user ${id}`;
export const member = (workspaceId: string, userId: string): Source => `member ${workspaceId} ${userId}`;

/** The columns of a row that its sources follow from. */
type Of<Table extends keyof Database, Column extends keyof Database[Table]> = {
  [Name in Column]: SelectType<Database[Table][Name]>;
};

/**
 * The tables that cached queries may read, with the sources of a row. A change of the row names the first. An entry of the cache
 * that was read from the row names all: the others are rows with which it is deleted.
 */
export const SOURCES = {
  workspaces: ({ id }: Of<'workspaces', 'id'>) => [workspace(id)],
  users: ({ id }: Of<'users', 'id'>) => [user(id)],
  members: (row: Of<'members', 'workspace_id' | 'user_id'>) => [
    member(row.workspace_id, row.user_id),
    user(row.user_id),
    workspace(row.workspace_id),
  ],
  // Often all keys of a user change at once.
  api_keys: (row: Of<'api_keys', 'user_id'> & Partial<Of<'api_keys', 'workspace_id'>>) => [
    user(row.user_id),
    ...(row.workspace_id == null ? [] : [workspace(row.workspace_id)]),
  ],
  webhooks: ({ workspace_id: id }: Of<'webhooks', 'workspace_id'>) => [
    `webhooks of workspace ${id}`,
    workspace(id),
  ],
  automations: ({ workspace_id: id }: Of<'automations', 'workspace_id'>) => [
    `automations of workspace ${id}`,
    workspace(id),
  ],
  // Kept when the automation is deleted: nothing reads it anymore.
  automation_versions: ({ id }: Of<'automation_versions', 'id'>) => [`automation version ${id}`],
  notification_rules: ({ workspace_id: id }: Of<'notification_rules', 'workspace_id'>) => [
    `notification rules of workspace ${id}`,
    workspace(id),
  ],
  integrations: ({ workspace_id: id }: Of<'integrations', 'workspace_id'>) => [
    `integrations of workspace ${id}`,
    workspace(id),
  ],
} satisfies { [Table in keyof Database]?: (row: never) => [Source, ...Source[]] };

export type CachedTable = keyof typeof SOURCES;

/** The columns that name the first source of a row: a change of the source can touch only rows that have the same values there. */
export const NAMED_BY: { readonly [Table in CachedTable]: readonly (keyof SourceColumns<Table>)[] } = {
  workspaces: ['id'],
  users: ['id'],
  members: ['workspace_id', 'user_id'],
  api_keys: ['user_id'],
  webhooks: ['workspace_id'],
  automations: ['workspace_id'],
  automation_versions: ['id'],
  notification_rules: ['workspace_id'],
  integrations: ['workspace_id'],
};

export const isCached = (table: keyof Database): table is CachedTable => table in SOURCES;

/** The columns of a row that name its sources. */
export type SourceColumns<Table extends CachedTable> = Parameters<(typeof SOURCES)[Table]>[0];

/** The columns of cached tables that cached queries may not read: they change often, and drop no entry. */
export interface Uncached {
  api_keys: 'last_used_at';
  integrations: Exclude<keyof Database['integrations'], 'id' | 'workspace_id' | 'provider' | 'config'>;
}

/** The part of the database that cached queries may read. */
export type CachedDatabase = {
  [Table in CachedTable]: Table extends keyof Uncached
    ? Omit<Database[Table], Uncached[Table]>
    : Database[Table];
};
