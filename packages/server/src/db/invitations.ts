import type { Selectable } from 'kysely';
import type { Database, Db, Tx } from './schema.ts';

export type InvitationRow = Selectable<Database['invitations']>;

/** Stores an invitation; an older one of the same member stops to work. */
export async function replaceInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await deleteInvitation(tx, row);
  await tx.insertInto('invitations').values(row).execute();
}

export async function findInvitation(db: Db, tokenHash: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
}

/** Uses an invitation up: of several who try at once, one gets it. */
export async function takeInvitation(tx: Tx, tokenHash: string): Promise<InvitationRow | undefined> {
  return tx.deleteFrom('invitations').where('token_hash', '=', tokenHash).returningAll().executeTakeFirst();
}

export async function deleteInvitation(
  tx: Tx,
  member: { workspace_id: string; user_id: string },
): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('workspace_id', '=', member.workspace_id)
    .where('user_id', '=', member.user_id)
    .execute();
}
