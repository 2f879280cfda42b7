import { createHash, randomBytes } from 'node:crypto';
import { type EndpointInput, LIMITS } from '@hubline/contract';
import type { Context, WorkspaceContext } from '../context.ts';
import { findInvitation, type InvitationRow, replaceInvitation, takeInvitation } from '../db/invitations.ts';
import { findMember, updateMember } from '../db/members.ts';
import type { Db, Tx } from '../db/schema.ts';
import { findUser, setPassword, type UserRow } from '../db/users.ts';
import { findWorkspace } from '../db/workspaces.ts';
import { Fault, unprocessable } from '../domain/fault.ts';
import { audit } from './audit-log.ts';

/** A link that has just been made; it is shown once. */
export interface IssuedInvitation {
  invite_url: string;
  expires_at: string;
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Makes the invitation link of a member and mails it after the commit; an older link stops to work. */
export async function issueInvitation(
  tx: Tx,
  context: WorkspaceContext,
  { userId, email }: { userId: string; email: string },
): Promise<IssuedInvitation> {
  const token = randomBytes(32).toString('base64url');
  const { workspaceId } = context.access;
  const expiresAt = new Date(context.now.getTime() + LIMITS.invitationMs).toISOString();
  await replaceInvitation(tx, {
    id: context.ids('invitation'),
    workspace_id: workspaceId,
    user_id: userId,
    token_hash: hashToken(token),
    created_by: context.actor.userId,
    created_at: context.now.toISOString(),
    expires_at: expiresAt,
  });
  const url = `${context.publicUrl()}/invite?token=${token}`;
  const workspace = await findWorkspace(tx, workspaceId);
  context.afterCommit(() =>
    context.mail.send({
      to: email,
      subject: `${context.actor.email} invites you to ${workspace?.name ?? 'a workspace'}`,
      text:
        `${context.actor.email} invites you to the workspace ${workspace?.name ?? ''} on Hubline.\n\n` +
        `Accept within 7 days:\n${url}\n\nIf you did not expect this, ignore it: nothing happens.\n`,
    }),
  );
  return { invite_url: url, expires_at: expiresAt };
}

export async function accept(context: Context, { body }: EndpointInput<'invitations.accept'>) {
  const { store, now } = context;
  const tokenHash = hashToken(body.token);
  // Hashing takes a tenth of a second on another thread: it happens before the unit, on what the unit checks again.
  const { user } = await stillOpen(store.read, await findInvitation(store.read, tokenHash), now);
  const newHash = await newPasswordHash(context, user, body.password);

  return context.write(async (tx) => {
    const { invitation, user } = await stillOpen(tx, await takeInvitation(tx, tokenHash), now);
    const member = await findMember(tx, invitation.workspace_id, user.id);
    if (!member) throw gone();
    const at = now.toISOString();
    if (newHash !== null) await setPassword(tx, { id: user.id, hash: newHash, now: at });
    await updateMember(tx, member, { status: 'active', joined_at: at, updated_at: at });
    await audit(tx, context, {
      workspaceId: invitation.workspace_id,
      action: 'member.joined',
      target: { type: 'member', id: user.id, name: user.email },
      metadata: { role: member.role },
    });
    return {
      workspace_id: invitation.workspace_id,
      user_id: user.id,
      email: user.email,
      role: member.role,
      status: 'active' as const,
      joined_at: at,
    };
  });
}

async function stillOpen(
  db: Db,
  invitation: InvitationRow | undefined,
  now: Date,
): Promise<{ invitation: InvitationRow; user: UserRow }> {
  if (!invitation || invitation.expires_at <= now.toISOString()) throw gone();
  const user = await findUser(db, invitation.user_id);
  if (!user) throw gone();
  return { invitation, user };
}

/** The link alone is enough for a user without a password; one who has a password must give it. */
async function newPasswordHash(
  context: Context,
  { email, password_hash: hash }: UserRow,
  password: string | undefined,
): Promise<string | null> {
  if (hash === null) return password === undefined ? null : context.passwords.hash(context, password);
  if (password !== undefined && (await context.passwords.matches(context, { email, hash }, password)))
    return null;
  throw unprocessable('password', `must be the password of ${email}, who has an account already`);
}

function gone(): Fault {
  const issue = 'is unknown, used or expired; ask for a new invitation';
  return new Fault('not_found', `token ${issue}.`, {
    details: [{ field: 'token', issue }],
    flatCode: 'invitation_not_found',
  });
}
