import type { JoinedMember, Member, UpdatedMember } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const memberView = view<Member>()({
  noun: ['member', 'members'],
  fields: ['user_id', 'email', 'role', 'status', 'joined_at'],
  columns: [{ path: 'email', flexible: true }, 'role', 'status', 'joined_at', 'user_id'],
  id: 'user_id',
});

/** An invitation: both answers of the API, of which the variant names the user `id`, and a line of a list of people. */
export interface Invitation {
  readonly user_id?: string | null;
  readonly id?: string;
  readonly email: string;
  readonly role: string | null;
  /** `invited`, `pending`; of a line also `to invite`, `already a member`, `invalid`, `failed`. */
  readonly status: string;
  readonly invited_at?: string;
  readonly invite_url?: string | null;
  readonly expires_at?: string;
  /** Where it stands in the file. */
  readonly line?: number | null;
  /** Why nobody was invited. */
  readonly problem?: string | null;
}

export const invitationView = view<Invitation>()({
  noun: ['invitation', 'invitations'],
  fields: [
    'user_id',
    'id',
    'email',
    'role',
    'status',
    'invited_at',
    'invite_url',
    'expires_at',
    'line',
    'problem',
  ],
  columns: [{ path: 'email', flexible: true }, 'role', 'status', 'expires_at', 'invite_url'],
  id: 'email',
  once: ['invite_url'],
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
