import type { Context, UserContext } from '../../context.ts';
import { hasLiveApiKey, revokeAllApiKeysOf } from '../../db/identity/api-keys.ts';
import { deleteInvitationsBy } from '../../db/identity/invitations.ts';
import { listMemberships } from '../../db/identity/members.ts';
import type { Db, Tx } from '../../db/core/schema.ts';
import { deleteSessionsOf, hasSession } from '../../db/identity/sessions.ts';
import { proveMailbox, setPassword, type UserRow } from '../../db/identity/users.ts';
import type { AcceptanceFacts } from '../../domain/identity/acceptance.ts';
import { audit } from '../audit-log.ts';

/** Distinguishes an account from a user who is only an invited address. */
export async function accountOf(db: Db, user: UserRow, now: Date): Promise<AcceptanceFacts['account']> {
  if (user.mailbox_proved_at !== null) return 'proved';
  const exists =
    user.password_hash !== null ||
    (await hasLiveApiKey(db, user.id)) ||
    (await hasSession(db, user.id, now.toISOString())) ||
    (await listMemberships(db, user.id)).length > 0;
  return exists ? 'unproved' : 'none';
}

/**
 * Makes the open pages and streams of a user check their access again: those of an ended session or a revoked key end
 * now, and a new role takes effect.
 */
export async function recheckStreams(tx: Tx, context: Context, userId: string): Promise<void> {
  const memberships = await listMemberships(tx, userId);
  context.afterCommit('recheck the streams of a user', () => {
    context.announce(userId);
    for (const { workspace_id: id } of memberships) context.announce(id);
  });
}

/**
 * Gives an account to the proved owner of its address, with a new password. Sessions end. With `revokeKeys` the API keys
 * of every workspace are revoked, and the invitations that the account has made end, because others may have them.
 * Memberships stay, since workspaces gave them to the address.
 */
export async function handOver(
  tx: Tx,
  context: Pick<Context, 'ids' | 'now'> & Partial<Pick<UserContext, 'actor'>>,
  { user, hash, revokeKeys }: { user: UserRow; hash: string; revokeKeys: boolean },
): Promise<{ keysRevoked: number }> {
  const now = context.now.toISOString();
  await setPassword(tx, { id: user.id, hash, now });
  await proveMailbox(tx, user.id, now);
  await deleteSessionsOf(tx, user.id, null);
  const keysRevoked = revokeKeys ? await revokeAllApiKeysOf(tx, user.id, now) : 0;
  for (const { workspace_id: workspaceId } of await listMemberships(tx, user.id)) {
    if (revokeKeys) await deleteInvitationsBy(tx, { workspace_id: workspaceId, user_id: user.id }, []);
    await audit(tx, context, {
      workspaceId,
      action: 'member.account_reset',
      target: { type: 'member', id: user.id, name: user.email },
      metadata: { keys_revoked: keysRevoked },
    });
  }
  return { keysRevoked };
}
