import type { Role } from '@hubline/contract';
import type { Db, Tx } from '../core/schema.ts';

/** A member who is notified. */
export interface Recipient {
  user_id: string;
  email: string;
}

/** The active members of a workspace who have one of the roles, or are named. */
export async function listRecipients(
  db: Db,
  workspaceId: string,
  {
    roles = [],
    userIds = [],
  }: { roles?: readonly Role[] | undefined; userIds?: readonly string[] | undefined },
): Promise<Recipient[]> {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id as user_id', 'users.email'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .where((expression) =>
      expression.or([
        ...(roles.length > 0 ? [expression('role', 'in', roles)] : []),
        ...(userIds.length > 0 ? [expression('users.id', 'in', userIds)] : []),
      ]),
    )
    .orderBy('users.id')
    .execute();
}

/** The emails of a rule to a member, who can unsubscribe from them. */
export interface EmailSubscription {
  workspaceId: string;
  userId: string;
  rule: string;
}

/** The users who have unsubscribed from the emails of a rule. */
export async function listUnsubscribed(db: Db, workspaceId: string, rule: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('unsubscribed')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('rule', '=', rule)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

export async function unsubscribe(
  tx: Tx,
  { workspaceId, userId, rule }: EmailSubscription,
  now: string,
): Promise<void> {
  await tx
    .insertInto('unsubscribed')
    .values({ workspace_id: workspaceId, user_id: userId, rule, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'rule', 'workspace_id']).doNothing())
    .execute();
}

export async function subscribeAgain(
  tx: Tx,
  { workspaceId, userId, rule }: EmailSubscription,
): Promise<void> {
  await tx
    .deleteFrom('unsubscribed')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('rule', '=', rule)
    .execute();
}
