import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { id, page } from '../schemas/common.ts';
import {
  InvitationAccept,
  InvitedMember,
  JoinedMember,
  Member,
  MemberInvite,
  MemberUpdate,
  PendingMember,
  UpdatedMember,
} from '../schemas/members.ts';
import { from, inWorkspace } from './access.ts';
import { pageOnly, workspaceParams } from './params.ts';

const memberParams = z.object({ id: id('workspace'), userId: id('user') });

export const memberEndpoints = {
  'members.list': {
    operationId: 'listMembers',
    method: 'GET',
    path: '/workspaces/{id}/members',
    summary: 'List members.',
    description: 'Lists members and open invitations. `status` tells them apart.',
    access: inWorkspace(from.path, 'view', 'members:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(Member),
    status: 200,
    write: false,
  },
  'members.invite': {
    operationId: 'inviteMember',
    method: 'POST',
    path: '/workspaces/{id}/members/invite',
    summary: 'Invite a member.',
    description:
      'Adds a member with the status `invited` and, if the server can send email, emails a link that is valid for 7 days. The response has the link as well.',
    errors: {
      conflict: 'The address belongs to a member or to an open invitation.',
      forbidden: 'The role is above that of the caller.',
      unprocessable_entity: 'The role does not exist.',
    },
    access: inWorkspace(from.path, 'manage_members', 'members:write'),
    params: workspaceParams,
    body: MemberInvite,
    response: InvitedMember,
    status: 201,
    write: true,
    secret: 'once',
  },
  'members.create': {
    operationId: 'createMember',
    method: 'POST',
    path: '/workspaces/{workspace_id}/members',
    summary: 'Invite a member (variant form).',
    description: 'Does the same as `inviteMember`, and returns `id` and the status `pending`.',
    errors: {
      conflict: 'The address belongs to a member or to an open invitation.',
      forbidden: 'The role is above that of the caller.',
      unprocessable_entity: 'The role does not exist.',
    },
    access: inWorkspace({ in: 'path', name: 'workspace_id' }, 'manage_members', 'members:write'),
    params: z.object({ workspace_id: id('workspace') }),
    body: MemberInvite,
    response: PendingMember,
    status: 201,
    write: true,
    secret: 'once',
    variantOf: 'members.invite',
  },
  'members.update': {
    operationId: 'updateMember',
    method: 'PATCH',
    path: '/workspaces/{id}/members/{userId}',
    summary: 'Change the role of a member.',
    description:
      "The new role applies from the member's next request. The role `owner` transfers ownership: only an owner can give it, only an active admin can get it, and the caller becomes an admin.",
    errors: {
      forbidden:
        'The old or the new role is above that of the caller, or somebody other than an owner gives the role `owner`.',
      unprocessable_entity:
        'The role does not exist, the member is the sole owner, or ownership goes to somebody who is not an active admin.',
    },
    access: inWorkspace(from.path, 'manage_members', 'members:write'),
    params: memberParams,
    body: MemberUpdate,
    response: UpdatedMember,
    status: 200,
    write: true,
  },
  'members.remove': {
    operationId: 'removeMember',
    method: 'DELETE',
    path: '/workspaces/{id}/members/{userId}',
    summary: 'Remove a member.',
    description:
      'Removes a member, or withdraws an invitation. Access ends at once, and the keys that the member created in the workspace stop working.',
    errors: {
      forbidden: 'The role of the member is above that of the caller.',
      unprocessable_entity: 'The member is the sole owner.',
    },
    access: inWorkspace(from.path, 'manage_members', 'members:write'),
    params: memberParams,
    status: 204,
    write: true,
  },
  'members.resendInvite': {
    operationId: 'resendInvitation',
    method: 'POST',
    path: '/workspaces/{id}/members/{userId}/resend-invite',
    summary: 'Send an invitation again.',
    description: 'Creates a new link, valid for 7 days, and emails it. The old link stops working.',
    errors: {
      forbidden: 'The role of the invitation is above that of the caller.',
      unprocessable_entity: 'The member has already joined.',
    },
    access: inWorkspace(from.path, 'manage_members', 'members:write'),
    params: memberParams,
    response: InvitedMember,
    status: 200,
    write: true,
    secret: 'once',
  },

  'invitations.accept': {
    operationId: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/accept',
    summary: 'Accept an invitation.',
    description:
      'Turns the invited member into an active one. The token works once. A user without an account may set a first password; any other user also sends a personal API key of their own.',
    errors: {
      unauthorized:
        'The invited user has an account, but the request has no personal API key of that account.',
      forbidden:
        'The API key belongs to somebody else or is bound to a workspace, and the invited user has an account.',
      not_found: 'The token is unknown, used or expired.',
      conflict: 'The invited user has no account, but has an older open invitation to another workspace.',
      unprocessable_entity: 'The body has a password, but the invited user already has an account.',
    },
    access: { kind: 'optional', proof: 'token', scope: 'members:write' },
    body: InvitationAccept,
    response: JoinedMember,
    status: 200,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
