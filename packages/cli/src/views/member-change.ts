import type { Role } from '@hubline/contract/types';
import type { Style } from '../io.ts';
import { view } from '../spec/view.ts';

/** What is, or would be, done about one person. */
export interface MemberChange {
  /** In the file; `null` for somebody who is not in it. */
  readonly line: number | null;
  readonly email: string;
  readonly change: 'invite' | 'update' | 'remove' | 'none' | 'invalid';
  /** The role in the file; once it is done, the role that was given. */
  readonly role: Role | null;
  /** The role now. */
  readonly from: string | null;
  /** Whether it was done; not with `--dry-run`, nor where there is nothing to do. */
  readonly done: boolean;
  readonly user_id: string | null;
  /** The one-time link of an invitation. */
  readonly invite_url: string | null;
  /** Why it was not done. */
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
  once: ['invite_url'],
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
