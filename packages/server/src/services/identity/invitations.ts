import { type EndpointInput, LIMITS } from '@hubline/contract';
import type { OptionalContext, WorkspaceContext } from '../../context.ts';
import {
  findInvitation,
  hasOlderInvitation,
  type InvitationRow,
  replaceInvitation,
  takeInvitation,
} from '../../db/identity/invitations.ts';
import { findMember, type MemberRow, updateMember } from '../../db/identity/members.ts';
import type { Db, Tx } from '../../db/core/schema.ts';
import { findUser, lockUser, proveMailbox, setPassword, type UserRow } from '../../db/identity/users.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import {
  type AcceptanceRefusal,
  type AcceptanceFacts,
  decideAcceptance,
} from '../../domain/identity/acceptance.ts';
import type { Actor } from '../../domain/identity/actor.ts';
import { Fault, unprocessable } from '../../domain/faults/fault.ts';
import { unlinked } from '../../domain/notifications/unlinked.ts';
import { authorize } from './access.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { accountOf, handOver, recheckStreams } from './accounts.ts';
import { audit } from '../audit-log.ts';
import { dropInvitationMails, enqueueMail } from '../mail-job.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A link that has just been made; it is shown once. */
export interface IssuedInvitation {
  invite_url: string;
  expires_at: string;
}

/**
 * Makes the two links of an invitation; older ones stop working. One is returned to the inviter. The other is mailed
 * after the commit and shown to nobody else: using it proves ownership of the mailbox.
 */
export async function issueInvitation(
  tx: Tx,
  context: WorkspaceContext,
  { userId, email }: { userId: string; email: string },
): Promise<IssuedInvitation> {
  const { workspaceId } = context.access;
  const returned = newToken();
  const mailed = context.mail.sends ? newToken() : null;
  const expiresAt = new Date(context.now.getTime() + LIMITS.invitationMs).toISOString();
  const id = context.ids('invitation');
  const replaced = await replaceInvitation(tx, {
    id,
    workspace_id: workspaceId,
    user_id: userId,
    token_hash: hashToken(returned),
    mailed_token_hash: mailed === null ? null : hashToken(mailed),
    created_by: context.actor.userId,
    created_at: context.now.toISOString(),
    expires_at: expiresAt,
  });
  await dropInvitationMails(tx, replaced);
  const linkTo = (token: string) => `${context.publicUrl()}/invite?token=${token}`;
  if (mailed !== null) {
    const name = unlinked((await findWorkspace(tx, workspaceId))?.name ?? '');
    await enqueueMail(tx, context, {
      key: id,
      what: 'invitation',
      invitation: { workspace_id: workspaceId, id },
      to: email,
      subject: `${context.actor.email} invites you to "${name}"`,
      text:
        `${context.actor.email} invites you to the workspace "${name}" on Hubline.\n\n` +
        `Accept within ${LIMITS.invitationMs / DAY_MS} days:\n${linkTo(mailed)}\n\n` +
        'The link is for you alone: anybody who has it can set the password of an account under your address. Do not forward it.\n\n' +
        'If you did not expect this invitation, you can ignore this email.\n',
    });
  }
  return { invite_url: linkTo(returned), expires_at: expiresAt };
}

/** An invitation, with the facts that decide what its link may do for the caller. */
interface OpenInvitation extends Omit<AcceptanceFacts, 'password' | 'takeOver'> {
  invitation: InvitationRow;
  user: UserRow;
  member: MemberRow;
}

/** The open invitation behind a token. Throws `not_found` for one that is unknown, used, withdrawn or expired. */
async function openInvitation(db: Db, context: OptionalContext, token: string): Promise<OpenInvitation> {
  const { actor, now } = context;
  const tokenHash = hashToken(token);
  const invitation = await findInvitation(db, tokenHash);
  if (!invitation || invitation.expires_at <= now.toISOString()) throw gone();
  const user = await findUser(db, invitation.user_id);
  const member = await findMember(db, invitation.workspace_id, invitation.user_id);
  if (!user || member?.status !== 'invited') throw gone();
  return {
    invitation,
    user,
    member,
    link: invitation.token_hash === tokenHash ? 'returned' : 'mailed',
    account: await accountOf(db, user, now),
    caller: callerOf(actor, user),
    first: !(await hasOlderInvitation(db, invitation, now.toISOString())),
  };
}

/** A key that is bound to a workspace acts for that workspace, not for its user: its caller counts as somebody else. */
function callerOf(actor: Actor | null, user: UserRow): AcceptanceFacts['caller'] {
  if (actor === null) return 'nobody';
  return actor.userId === user.id && actor.credential.workspaceId === null ? 'invited' : 'other';
}

/** An invitation as the page behind its link shows it. */
export interface ShownInvitation {
  email: string;
  role: string;
  workspace: { name: string; slug: string };
  caller: AcceptanceFacts['caller'];
  /** The next step of the caller. */
  next: 'join' | 'choose_password' | 'take_over' | 'log_in' | 'wait';
}

/** Reads an invitation for its page. Changes nothing: previews and mail scanners open links, too. */
export async function showInvitation(context: OptionalContext, token: string): Promise<ShownInvitation> {
  const { read } = context.store;
  const open = await openInvitation(read, context, token);
  const workspace = await findWorkspace(read, open.invitation.workspace_id);
  if (!workspace) throw gone();
  const { email } = open.user;
  return { email, role: open.member.role, workspace, caller: open.caller, next: nextStep(open) };
}

function nextStep(open: OpenInvitation): ShownInvitation['next'] {
  const outcome = (password: boolean, takeOver = false) => decideAcceptance({ ...open, password, takeOver });
  if (open.caller === 'invited') return 'join';
  if (outcome(true) === 'join_with_password') return 'choose_password';
  if (outcome(true, true) === 'take_over') return 'take_over';
  return outcome(false) === 'not_first' ? 'wait' : 'log_in';
}

/** Makes the invited user a member, if the link and the caller allow it: see docs/decisions/invitations.md. */
export async function accept(context: OptionalContext, { body }: EndpointInput<'invitations.accept'>) {
  const { token, password, take_over: takeOver = false } = body;
  if (takeOver && password === undefined)
    throw unprocessable('password', 'is needed to take an account over');
  const offer = { password: password !== undefined, takeOver };
  // Hashing takes a quarter of a second: it happens before the unit, which checks everything again.
  const before = await openInvitation(context.store.read, context, token);
  try {
    outcomeOf(before, context, offer);
  } catch (refusal) {
    // Another request may have used this link between the reads: then it is `not_found`.
    await openInvitation(context.store.read, context, token);
    throw refusal;
  }
  const hash = password === undefined ? null : await context.passwords.hash(context, password);

  return context.write(async (tx) => {
    // Two links of one user, used at the same moment, must not both find no account.
    await lockUser(tx, before.user.id);
    const open = await openInvitation(tx, context, token);
    const outcome = outcomeOf(open, context, offer);
    if (!(await takeInvitation(tx, open.invitation))) throw gone();
    await updateAccount(tx, context, { ...open, outcome, hash });
    return join(tx, context, open);
  });
}

type Outcome = Exclude<ReturnType<typeof decideAcceptance>, AcceptanceRefusal>;

/** Decides the outcome of an attempt; throws if it is refused. */
function outcomeOf(
  open: OpenInvitation,
  { actor }: OptionalContext,
  offer: { password: boolean; takeOver: boolean },
): Outcome {
  if (open.caller === 'invited' && actor) authorize({ kind: 'user', scope: 'members:write' }, actor, null);
  const { email } = open.user;
  const outcome = decideAcceptance({ ...open, ...offer });
  switch (outcome) {
    case 'log_in':
      throw new Fault(
        'unauthorized',
        `${email} has an account. Log in, or send a personal API key of that account.${wayOut(open)}`,
        { wantsApiKey: true },
      );
    case 'someone_else':
      throw new Fault('forbidden', `${notYours(open.user, actor)}${wayOut(open)}`);
    case 'has_account':
      throw unprocessable(
        'password',
        `must be left out: ${email} has an account, and an invitation does not change its password`,
      );
    case 'not_first':
      throw new Fault(
        'conflict',
        `${email} has an older invitation to another workspace. Accept that one first and choose a password, then log in and accept this one.`,
      );
    default:
      return outcome;
  }
}

function notYours({ id, email }: UserRow, actor: Actor | null): string {
  return actor?.userId === id
    ? 'A key that is bound to a workspace cannot accept an invitation to another. Send a personal API key, or log in.'
    : `This invitation is for ${email}, and you are ${actor?.email}. Log in as ${email}, or send a personal API key of that account.`;
}

/** The advice for somebody who has the mailbox, but not the password. */
function wayOut(open: OpenInvitation): string {
  return decideAcceptance({ ...open, password: true, takeOver: true }) === 'take_over'
    ? ' If you cannot log in, send a new password with take_over: it ends all sessions of the account and revokes its API keys.'
    : '';
}

async function updateAccount(
  tx: Tx,
  context: OptionalContext,
  { user, link, caller, outcome, hash }: OpenInvitation & { outcome: Outcome; hash: string | null },
): Promise<void> {
  const now = context.now.toISOString();
  const proved = link === 'mailed';
  if (outcome === 'take_over' && hash !== null) {
    await handOver(tx, { ...context, actor: invitedActor(user) }, { user, hash, revokeKeys: true });
  } else if (outcome === 'join_with_password' && hash !== null) {
    await setPassword(tx, { id: user.id, hash, now });
    if (proved) await proveMailbox(tx, user.id, now);
  } else if (caller === 'invited' && proved) {
    await proveMailbox(tx, user.id, now);
  }
}

async function join(tx: Tx, context: OptionalContext, { invitation, user, member, caller }: OpenInvitation) {
  const at = context.now.toISOString();
  await updateMember(tx, member, { status: 'active', joined_at: at, updated_at: at });
  await audit(
    tx,
    { ...context, actor: caller === 'invited' && context.actor ? context.actor : invitedActor(user) },
    {
      workspaceId: invitation.workspace_id,
      action: 'member.joined',
      target: { type: 'member', id: user.id, name: user.email },
      metadata: { role: member.role },
    },
  );
  await recheckStreams(tx, context, user.id);
  return {
    workspace_id: invitation.workspace_id,
    user_id: user.id,
    email: user.email,
    role: member.role,
    status: 'active' as const,
    joined_at: at,
  };
}

/** The invited user as the actor, if the link alone was the proof. */
const invitedActor = ({ id, email }: UserRow): Actor => ({
  userId: id,
  email,
  credential: {
    kind: 'invitation',
    id: null,
    session: null,
    workspaceId: null,
    scopes: [],
    role: null,
    expiresAt: null,
    overlapEndsAt: null,
  },
});

function gone(): Fault {
  const issue = 'is unknown, used or expired; ask for a new invitation';
  return new Fault('not_found', `token ${issue}.`, {
    details: [{ field: 'token', issue }],
    reason: 'invitation_not_found',
  });
}
