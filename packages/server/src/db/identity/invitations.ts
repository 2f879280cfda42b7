import type { Role } from '@hubline/contract';
import type { Selectable } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';

export type InvitationRow = Selectable<Database['invitations']>;

/** Stores an invitation. An older one of the same member stops working: returns its ID. */
export async function replaceInvitation(tx: Tx, row: InvitationRow): Promise<string[]> {
  const replaced = await deleteInvitation(tx, row);
  await tx.insertInto('invitations').values(row).execute();
  return replaced;
}

/** Reports whether an invitation is neither used nor withdrawn. */
export async function hasInvitation(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The invitation of a token, the returned or the mailed one. */
export async function findInvitation(db: Db, tokenHash: string): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where((or) => or.or([or('token_hash', '=', tokenHash), or('mailed_token_hash', '=', tokenHash)]))
    .executeTakeFirst();
}

/** Reports whether a member has an invitation that can still be accepted. */
export async function hasOpenInvitation(
  db: Db,
  member: { workspace_id: string; user_id: string },
  now: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('workspace_id', '=', member.workspace_id)
    .where('user_id', '=', member.user_id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reports whether the user has an older invitation, to another workspace, that can still be accepted. */
export async function hasOlderInvitation(
  db: Db,
  { id, user_id: userId }: InvitationRow,
  now: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '<', id)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up an invitation. Of several requests at once, one succeeds. */
export async function takeInvitation(tx: Tx, { id }: InvitationRow): Promise<boolean> {
  return (
    (await tx.deleteFrom('invitations').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
  );
}

/** Deletes the invitation of a member. Returns its ID. */
export async function deleteInvitation(
  tx: Tx,
  member: { workspace_id: string; user_id: string },
): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('invitations')
    .where('workspace_id', '=', member.workspace_id)
    .where('user_id', '=', member.user_id)
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}

/** Deletes the open invitations that a member has made in a workspace, except those to a role in `kept`. Returns their IDs. */
export async function deleteInvitationsBy(
  tx: Tx,
  inviter: { workspace_id: string; user_id: string },
  kept: readonly Role[],
): Promise<string[]> {
  const invited = tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', inviter.workspace_id)
    .where('status', '=', 'invited');
  const deleted = await tx
    .deleteFrom('invitations')
    .where('workspace_id', '=', inviter.workspace_id)
    .where('created_by', '=', inviter.user_id)
    .where('user_id', 'in', kept.length === 0 ? invited : invited.where('role', 'not in', kept))
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}
