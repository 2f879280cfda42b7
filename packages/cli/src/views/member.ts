import type { JoinedMember, Member, Role, UpdatedMember } from '@hubline/contract/types';
import { view } from '../spec/view.ts';
import type { Style } from '../terminal/io.ts';
import { shellArgument } from '../terminal/shell-word.ts';

export const memberView = view<Member>()({
  noun: ['member', 'members'],
  fields: ['user_id', 'email', 'role', 'status', 'joined_at'],
  columns: [{ path: 'email', flexible: true }, 'role', 'status', 'joined_at', 'user_id'],
  id: 'user_id',
});

/** An invitation, as the API returns it, or a line of a list of people. The variant form of the endpoint also calls the user `id`. */
export interface Invitation {
  readonly user_id?: string | null;
  readonly id?: string;
  readonly email: string;
  readonly role: string | null;
  /** `invited`, `pending`; for a line also `to invite`, `already a member`, `invalid`, `failed`. */
  readonly status: string;
  readonly invited_at?: string;
  readonly invite_url?: string | null;
  readonly expires_at?: string;
  /** The line in the file. */
  readonly line?: number | null;
  /** The reason for no invitation. */
  readonly problem?: string | null;
}

const ofLink = (who: string): string => `${who} is invited, but the link`;

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
  id: 'user_id',
  name: 'email',
  oneTimeSecrets: ['invite_url'],
  ofLoss: ofLink,
});

/** The cure for a one-time link that got lost. */
export function anotherLink(email: string): string {
  return `Send another link: hubline member resend-invite ${shellArgument(email)}`;
}

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

/** A change about one person, done or planned. */
export interface MemberChange {
  /** The line in the file; `null` for somebody who is not in it. */
  readonly line: number | null;
  readonly email: string;
  readonly change: 'invite' | 'update' | 'remove' | 'none' | 'invalid';
  /** The role in the file; once it is done, the role that was given. */
  readonly role: Role | null;
  /** The role now. */
  readonly from: string | null;
  /** True if it was done; not with `--dry-run`, nor if there is nothing to do. */
  readonly done: boolean;
  readonly user_id: string | null;
  /** The one-time link of an invitation. */
  readonly invite_url: string | null;
  /** The reason for no change. */
  readonly problem: string | null;
}

export const memberChangeView = view<MemberChange>()({
  noun: ['change', 'changes'],
  fields: ['line', 'email', 'change', 'role', 'from', 'done', 'user_id', 'invite_url', 'problem'],
  columns: [
    'line',
    { path: 'email', flexible: true },
    'change',
    'from',
    'role',
    'done',
    { path: 'problem', flexible: true },
  ],
  id: 'email',
  oneTimeSecrets: ['invite_url'],
  ofLoss: ofLink,
});

const MARKS: Readonly<Record<MemberChange['change'], string>> = {
  invite: '+',
  update: '~',
  remove: '-',
  none: '=',
  invalid: '✗',
};

/** `+ li@acme.test as member`, one line for people. */
export function memberChangeLine(item: MemberChange, style: Style): string {
  const { change, email, role, from, done, problem, line } = item;
  const paint = {
    invite: style.green,
    update: style.yellow,
    remove: style.red,
    none: style.dim,
    invalid: style.red,
  };
  const detail = {
    invite: `as ${role ?? 'member'}`,
    update: `${from} → ${role}`,
    remove: `was ${from}`,
    none: `is ${from} already`,
    invalid: `line ${line}: ${problem}`,
  }[change];
  const failed = problem !== null && change !== 'invalid' ? style.red(`  ${problem}`) : '';
  const mark = done ? '✓' : MARKS[change];
  return `${paint[change](mark)} ${change === 'invalid' ? detail : `${change} ${email} ${detail}`}${failed}`;
}
