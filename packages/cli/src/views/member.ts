import type {
  InvitedMember,
  JoinedMember,
  Member,
  PendingMember,
  Role,
  UpdatedMember,
} from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const memberView = view<Member>()({
  noun: ['member', 'members'],
  fields: ['user_id', 'email', 'role', 'status', 'joined_at'],
  columns: [{ path: 'email', flexible: true }, 'role', 'status', 'joined_at', 'user_id'],
  id: 'user_id',
});

/** Both answers to an invitation: the variant form names the user `id`. */
export type Invitation = Omit<InvitedMember | PendingMember, 'status'> & {
  user_id?: string;
  id?: string;
  status: InvitedMember['status'] | PendingMember['status'];
};

export const invitationView = view<Invitation>()({
  noun: ['invitation', 'invitations'],
  fields: ['user_id', 'id', 'email', 'role', 'status', 'invited_at', 'invite_url', 'expires_at'],
  columns: [{ path: 'email', flexible: true }, 'role', 'status', 'expires_at', 'invite_url'],
  id: 'email',
  reveal: ['invite_url'],
});

export const updatedMemberView = view<UpdatedMember>()({
  noun: ['member', 'members'],
  fields: ['user_id', 'email', 'role', 'updated_at'],
  columns: [{ path: 'email', flexible: true }, 'role', 'updated_at', 'user_id'],
  id: 'user_id',
});

export const joinedMemberView = view<JoinedMember>()({
  noun: ['member', 'members'],
  fields: ['workspace_id', 'user_id', 'email', 'role', 'status', 'joined_at'],
  columns: [{ path: 'email', flexible: true }, 'role', 'workspace_id', 'user_id'],
  id: 'user_id',
});

/** The roles of the specification, as choices. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];
