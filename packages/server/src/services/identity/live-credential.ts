import type { Permission } from '@hubline/contract';
import type { UserContext, WorkspaceContext } from '../../context.ts';
import { findApiKey } from '../../db/identity/api-keys.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findSessionUser } from '../../db/identity/sessions.ts';
import { lockUser } from '../../db/identity/users.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import { Fault, notFound } from '../../domain/faults/fault.ts';
import type { Access } from '../../domain/identity/actor.ts';
import { findAccess, requirePermission } from './access.ts';

/**
 * Refuses a request whose key or session has ended since it was authenticated. Every write that makes or changes access to an
 * account checks this in its transaction: otherwise a running request could outlive a session that was ended because it was stolen.
 */
export async function requireLiveCredential(tx: Tx, context: UserContext): Promise<void> {
  const { actor, now } = context;
  await lockUser(tx, actor.userId);
  const { id, session } = actor.credential;
  const key = id === null ? undefined : await findApiKey(tx, actor.userId, id);
  const live =
    session === null
      ? key?.revoked_at === null
      : (await findSessionUser(tx, session, now.toISOString())) !== undefined;
  if (live) return;
  const wantsApiKey = session === null;
  throw new Fault('unauthorized', 'The API key or the session ended during the request.', { wantsApiKey });
}

/**
 * The caller's access to the workspace as this transaction sees it. Throws if it no longer has the permission. The workspace is
 * locked, so that a member who is being removed, or gets another role, cannot create lasting access with a request under way.
 */
export async function requireCurrent(
  tx: Tx,
  { access, actor }: WorkspaceContext,
  permission: Permission,
): Promise<Access> {
  await lockWorkspace(tx, access.workspaceId);
  const current = await findAccess(tx, actor, access.workspaceId);
  if (current === undefined) throw notFound('workspace');
  requirePermission(current, permission);
  return current;
}

/**
 * `requireCurrent`, for a change that outlives the request, such as a key or a link: refuses a request whose key or session has ended, too.
 * An account that is given back to its owner must not keep what others are making with it at that moment.
 */
export async function requireLiveAccess(
  tx: Tx,
  context: WorkspaceContext,
  permission: Permission,
): Promise<Access> {
  await requireLiveCredential(tx, context);
  return requireCurrent(tx, context, permission);
}
