import type { UserContext } from '../../context.ts';
import { findApiKey } from '../../db/identity/api-keys.ts';
import { listMemberships, type MembershipRow } from '../../db/identity/members.ts';
import { findUser } from '../../db/identity/users.ts';
import { actingRole } from '../../domain/identity/actor.ts';
import { Fault, notFound } from '../../domain/faults/fault.ts';
import { toApiKey } from './api-keys.ts';
import { actsWith, findAccess } from './access.ts';

/**
 * The workspaces that a request can see: for a workspace key, its own; for a personal key, those where its user may
 * manage keys; for a session, all of its user's. Roles are lowered to the role of the key.
 */
export async function visibleMemberships(context: UserContext): Promise<MembershipRow[]> {
  const { credential, userId } = context.actor;
  const memberships = await listMemberships(context.store.read, userId);
  return memberships
    .filter(({ workspace_id: id, role }) =>
      credential.workspaceId === null ? actsWith(credential, role) : id === credential.workspaceId,
    )
    .map((membership) => ({
      ...membership,
      role: actingRole(credential, membership.role),
    }));
}

/** The IDs of the workspaces that a request can see, or of the one that its filter names. */
export async function visibleWorkspaceIds(context: UserContext, filter?: string): Promise<string[]> {
  const { actor, store } = context;
  const visible = (await visibleMemberships(context)).map((membership) => membership.workspace_id);
  if (filter === undefined) return visible;
  if (visible.includes(filter)) return [filter];
  // Forbidden, not unknown, for a member whose personal key does not act there.
  if (actor.credential.workspaceId === null) await findAccess(store.read, actor, filter);
  throw notFound('workspace', 'workspace_id');
}

export async function get(context: UserContext) {
  const { credential, userId } = context.actor;
  if (credential.id === null) {
    throw new Fault(
      'forbidden',
      'This endpoint describes an API key, but the request came with a session. Use GET /session.',
    );
  }
  const [user, key, memberships] = await Promise.all([
    findUser(context.store.read, userId),
    findApiKey(context.store.read, userId, credential.id),
    visibleMemberships(context),
  ]);
  if (!user || !key) throw new Fault('unauthorized', 'The API key was revoked during the request.');
  return {
    user: { id: user.id, email: user.email, created_at: user.created_at },
    key: toApiKey(key, context.now),
    memberships,
  };
}
