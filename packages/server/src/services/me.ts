import { roleAllows, weakerRole } from '@hubline/contract';
import type { UserContext } from '../context.ts';
import { findApiKey } from '../db/api-keys.ts';
import { listMemberships, type MembershipRow } from '../db/members.ts';
import { findUser } from '../db/users.ts';
import { Fault } from '../domain/fault.ts';
import { toApiKey } from './api-keys.ts';

/**
 * The workspaces that the key of a request can see: its own for a workspace key, those where its user may manage keys
 * for a personal one. Roles are lowered to the cap of the key.
 */
export async function visibleMemberships(context: UserContext): Promise<MembershipRow[]> {
  const { key, userId } = context.actor;
  const memberships = await listMemberships(context.store.read, userId);
  return memberships
    .filter(({ workspace_id: id, role }) =>
      key.workspaceId === null ? roleAllows(role, 'manage_api_keys') : id === key.workspaceId,
    )
    .map((membership) => ({
      ...membership,
      role: key.role === null ? membership.role : weakerRole(membership.role, key.role),
    }));
}

export async function get(context: UserContext) {
  const [user, key, memberships] = await Promise.all([
    findUser(context.store.read, context.actor.userId),
    findApiKey(context.store.read, context.actor.key.id),
    visibleMemberships(context),
  ]);
  if (!user || !key) throw new Fault('unauthorized', 'The API key was revoked while it was used.');
  return {
    user: { id: user.id, email: user.email, created_at: user.created_at },
    key: toApiKey(key, context.now),
    memberships,
  };
}
