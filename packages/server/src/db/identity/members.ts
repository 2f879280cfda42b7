import type { Role } from '@hubline/contract';
import type { Selectable, Updateable } from 'kysely';
import { cachedRow } from '../core/cache/cache.ts';
import { changing } from '../core/cache/changing.ts';
import { type Awaitable, andThen } from '../core/awaitable.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type MemberRow = Selectable<Database['members']> & { email: string };

export interface MembershipRow {
  workspace_id: string;
  name: string;
  slug: string;
  role: Role;
}

const withEmail = (db: Db) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('members')
    .select('users.email');

export async function findMember(
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  return withEmail(db)
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

const activeMember = cachedRow<
  { workspaceId: string; userId: string },
  { role: Role; workspace_id: string; user_id: string },
  'members' | 'workspaces'
>(
  'active member',
  (members) => ({ members, workspaces: { id: members.workspace_id } }),
  (db, p) =>
    db
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select(['members.role', 'members.workspace_id', 'members.user_id'])
      .where('members.workspace_id', '=', p('workspaceId'))
      .where('members.user_id', '=', p('userId'))
      .where('members.status', '=', 'active')
      .where('workspaces.deleted_at', 'is', null),
);

/** The role of an active member, which authorizes every request. */
export function findRole(db: Db, workspaceId: string, userId: string): Awaitable<Role | undefined> {
  return andThen(activeMember(db, { workspaceId, userId }), (member) => member?.role);
}

export async function listMembers(db: Db, workspaceId: string, page: PageRequest): Promise<MemberRow[]> {
  let query = withEmail(db).where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('user_id', '>', page.after);
  return query.orderBy('user_id').limit(page.limit).execute();
}

/** The users who see a workspace. */
export async function listActiveUserIds(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .execute();
  return rows.map((row) => row.user_id);
}

/** The workspaces of a user, in the order of their creation. */
export async function listMemberships(db: Db, userId: string): Promise<MembershipRow[]> {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['members.workspace_id', 'members.role', 'workspaces.name', 'workspaces.slug'])
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .where('workspaces.deleted_at', 'is', null)
    .orderBy('members.workspace_id')
    .execute();
}

/** Counts the owners of a workspace, up to two: enough to tell whether one is the last. */
export async function countOwners(db: Db, workspaceId: string): Promise<number> {
  const owners = await db
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .limit(2)
    .execute();
  return owners.length;
}

export async function insertMember(tx: Tx, row: Selectable<Database['members']>): Promise<void> {
  await changing(tx, 'members', row).insert(row).execute();
}

export async function updateMember(
  tx: Tx,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  changes: Updateable<Database['members']>,
): Promise<void> {
  await changing(tx, 'members', { workspace_id, user_id }).update().set(changes).execute();
}

export async function deleteMember(
  tx: Tx,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
): Promise<void> {
  await changing(tx, 'members', { workspace_id, user_id }).delete().execute();
}
