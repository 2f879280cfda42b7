import { type EndpointInput, outranks, type Role, roleAllows, ROLES } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { revokeApiKeysOf } from '../../db/identity/api-keys.ts';
import { deleteInvitation, deleteInvitationsBy, hasOpenInvitation } from '../../db/identity/invitations.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  insertMember,
  listMembers,
  type MemberRow,
  updateMember,
} from '../../db/identity/members.ts';
import type { Tx } from '../../db/core/schema.ts';
import { ensureUser } from '../../db/identity/users.ts';
import type { Access } from '../../domain/identity/actor.ts';
import { Fault, notFound, unprocessable } from '../../domain/faults/fault.ts';
import { disableOrphaned } from '../automations/actions/orphaned.ts';
import { existingRole, hasPermission, requireNotAbove } from './access.ts';
import { recheckStreams } from './accounts.ts';
import { audit } from '../audit-log.ts';
import { fireTrigger } from '../fire-trigger.ts';
import { dropInvitationMails } from '../mail-job.ts';
import { type IssuedInvitation, issueInvitation } from './invitations.ts';
import { requireCurrent, requireLiveAccess } from './live-credential.ts';
import { page } from '../page.ts';

const TRANSFER_FIRST = 'transfer ownership to an admin first';

export async function list(context: WorkspaceContext, { query }: EndpointInput<'members.list'>) {
  return page(context, query, {
    rows: (request) => listMembers(context.store.read, context.access.workspaceId, request),
    position: (row) => row.user_id,
    item: ({ user_id, email, role, status, joined_at }) => ({ user_id, email, role, status, joined_at }),
  });
}

export async function invite(context: WorkspaceContext, { body }: EndpointInput<'members.invite'>) {
  return inviteAs(context, body, (invited) => ({ ...invited, status: 'invited' as const }));
}

/** The variant form: the same invitation under the names of the variant response. */
export async function create(context: WorkspaceContext, { body }: EndpointInput<'members.create'>) {
  return inviteAs(context, body, ({ user_id: id, ...rest }) => ({ id, ...rest, status: 'pending' as const }));
}

interface Invited extends IssuedInvitation {
  user_id: string;
  email: string;
  role: Role;
  invited_at: string;
}

/** The response is made inside the unit, which stores it for the request's `Idempotency-Key`. */
async function inviteAs<Response>(
  context: WorkspaceContext,
  { email, role: wanted }: { email: string; role: string },
  respond: (invited: Invited) => Response,
): Promise<Response> {
  const role = existingRole(wanted);
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    const now = context.now.toISOString();
    refuseAbove(await requireLiveAccess(tx, context, 'manage_members'), role);
    const user = await ensureUser(tx, { id: context.ids('user'), email, now });
    const member = await findMember(tx, workspaceId, user.id);
    if (member?.status === 'active') throw alreadyThere('already belongs to a member');
    if (member && (await hasOpenInvitation(tx, member, now)))
      throw alreadyThere('has an open invitation; resend it instead');
    // The new invitation replaces an expired one.
    if (member) await deleteMember(tx, member);
    await insertMember(tx, {
      workspace_id: workspaceId,
      user_id: user.id,
      role,
      status: 'invited',
      invited_at: now,
      joined_at: null,
      updated_at: now,
    });
    const invitation = await issueInvitation(tx, context, { userId: user.id, email });
    await audit(tx, context, {
      workspaceId,
      action: 'member.invited',
      target: { type: 'member', id: user.id, name: email },
      metadata: { role },
    });
    await fireTrigger(tx, context, {
      trigger: 'user.invited',
      workspaceId,
      data: { user_id: user.id, email, role },
      resourceIds: [user.id],
    });
    return respond({ user_id: user.id, email, role, invited_at: now, ...invitation });
  });
}

export async function update(context: WorkspaceContext, { params, body }: EndpointInput<'members.update'>) {
  const role = existingRole(body.role);
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    const now = context.now.toISOString();
    const caller = await requireCurrent(tx, context, 'manage_members');
    const member = found(await findMember(tx, workspaceId, params.userId));
    const updated = { user_id: member.user_id, email: member.email, role, updated_at: now };
    if (role === 'owner') refuseAsOwner(caller);
    if (member.role === role) return { ...updated, updated_at: member.updated_at };

    if (role === 'owner') {
      refuseTransfer(member);
      const former = { workspace_id: workspaceId, user_id: context.actor.userId };
      await updateMember(tx, former, { role: 'admin', updated_at: now });
      await withdrawInvitations(tx, former, 'admin');
    } else {
      refuseAbove(caller, member.role);
      refuseAbove(caller, role);
      await refuseLastOwner(
        tx,
        member,
        unprocessable('role', `of the sole owner cannot change; ${TRANSFER_FIRST}`),
      );
    }
    await updateMember(tx, member, { role, updated_at: now });
    await withdrawInvitations(tx, member, role);
    await audit(tx, context, {
      workspaceId,
      action: role === 'owner' ? 'member.ownership_transferred' : 'member.role_changed',
      target: { type: 'member', id: member.user_id, name: member.email },
      changes: [{ field: 'role', from: member.role, to: role }],
    });
    // Checks the new role of the member, not the caller's: the member is responsible for the calls of automations.
    if (!roleAllows(role, 'edit_automations')) await disableOrphaned(tx, context, member);
    await recheckStreams(tx, context, member.user_id);
    if (role === 'owner') await recheckStreams(tx, context, context.actor.userId);
    return updated;
  });
}

export async function remove(context: WorkspaceContext, { params }: EndpointInput<'members.remove'>) {
  const { workspaceId } = context.access;
  await context.write(async (tx) => {
    const caller = await requireCurrent(tx, context, 'manage_members');
    const member = found(await findMember(tx, workspaceId, params.userId));
    refuseAbove(caller, member.role);
    await refuseLastOwner(tx, member, unprocessable('userId', `names the sole owner; ${TRANSFER_FIRST}`));
    await dropInvitationMails(tx, await deleteInvitation(tx, member));
    await withdrawInvitations(tx, member, null);
    await revokeApiKeysOf(tx, member, context.now.toISOString());
    await deleteMember(tx, member);
    await audit(tx, context, {
      workspaceId,
      action: 'member.removed',
      target: { type: 'member', id: member.user_id, name: member.email },
      changes: [{ field: 'role', from: member.role, to: null }],
    });
    await disableOrphaned(tx, context, member);
    await recheckStreams(tx, context, member.user_id);
    // The call above wakes the streams in the user's other workspaces. Those in this one must end now, too, not at the
    // next event.
    context.afterCommit('recheck the streams of a workspace', () => context.announce(workspaceId));
  });
}

export async function resendInvite(
  context: WorkspaceContext,
  { params }: EndpointInput<'members.resendInvite'>,
) {
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    const now = context.now.toISOString();
    const caller = await requireLiveAccess(tx, context, 'manage_members');
    const member = found(await findMember(tx, workspaceId, params.userId));
    if (member.status === 'active')
      throw unprocessable('userId', 'has already joined; there is no open invitation');
    refuseAbove(caller, member.role);
    await updateMember(tx, member, { invited_at: now, updated_at: now });
    const { user_id, email, role } = member;
    const invitation = await issueInvitation(tx, context, { userId: user_id, email });
    await audit(tx, context, {
      workspaceId,
      action: 'member.invite_resent',
      target: { type: 'member', id: user_id, name: email },
    });
    return { user_id, email, role, status: 'invited' as const, invited_at: now, ...invitation };
  });
}

/**
 * Ends the invitations that a member has made and could not make now: whoever made one has its link, and could come back
 * with it under another address.
 */
async function withdrawInvitations(
  tx: Tx,
  member: { workspace_id: string; user_id: string },
  role: Role | null,
): Promise<void> {
  const invites = role !== null && roleAllows(role, 'manage_members');
  const kept = invites ? ROLES.filter((given) => !outranks(given, role)) : [];
  await dropInvitationMails(tx, await deleteInvitationsBy(tx, member, kept));
}

function refuseAbove(caller: Access, role: Role): void {
  requireNotAbove(
    caller,
    role,
    `Your role, ${caller.role}, may not give, change or remove the role ${role}.`,
  );
}

/** Refuses a transfer by anybody but an owner. Specification, "Role permissions" 11. */
function refuseAsOwner(caller: Access): void {
  if (hasPermission(caller, 'transfer_ownership')) return;
  throw new Fault('forbidden', 'Only an owner can transfer ownership.', {
    details: [{ field: 'role', issue: 'owner can be given only by an owner' }],
  });
}

/** Refuses a transfer to anybody but an active admin. Specification, "Role permissions" 11. */
function refuseTransfer(member: MemberRow): void {
  if (member.role !== 'admin' || member.status !== 'active') {
    throw unprocessable('role', 'owner can be given only to an active admin; make the member an admin first');
  }
}

/** Refuses a change after which nobody would own the workspace. Specification, "Role permissions" 12. */
async function refuseLastOwner(tx: Tx, member: MemberRow, refusal: Fault): Promise<void> {
  if (member.role !== 'owner' || member.status !== 'active') return;
  if ((await countOwners(tx, member.workspace_id)) < 2) throw refusal;
}

function alreadyThere(issue: string): Fault {
  return new Fault('conflict', `email ${issue}.`, { details: [{ field: 'email', issue }] });
}

function found(member: MemberRow | undefined): MemberRow {
  if (!member) throw notFound('member');
  return member;
}
