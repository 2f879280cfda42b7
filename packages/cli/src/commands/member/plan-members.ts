import type { Member } from '@hubline/contract/types';
import type { Person } from '../../input/read-people.ts';
import type { MemberChange } from '../../views/member-change.ts';

interface Wishes {
  /** Change the roles of those who are members already. */
  readonly update: boolean;
  /** Remove those who are not in the file. */
  readonly prune: boolean;
}

/** What has to be done so that the members are those of the file. Owners are neither removed nor lowered: that is a transfer. */
export function planMembers(
  people: readonly Person[],
  members: readonly Member[],
  { update, prune }: Wishes,
): MemberChange[] {
  const byEmail = new Map(members.map((member) => [member.email, member]));
  const wanted = people.map((person): MemberChange => {
    const member = byEmail.get(person.email);
    const base = { ...nothing, line: person.line, email: person.email, role: person.role ?? null };
    if (person.problem !== undefined) return { ...base, change: 'invalid', problem: person.problem };
    if (!member) return { ...base, change: 'invite' };
    const known = { ...base, from: member.role, user_id: member.user_id };
    const differs = person.role !== undefined && person.role !== member.role && member.role !== 'owner';
    return update && differs ? { ...known, change: 'update' } : { ...known, change: 'none' };
  });
  const listed = new Set(people.map(({ email }) => email));
  const gone = members.filter(({ email, role }) => prune && role !== 'owner' && !listed.has(email));
  return [
    ...wanted,
    ...gone.map(({ email, role, user_id }): MemberChange => {
      return { ...nothing, line: null, email, role: null, change: 'remove', from: role, user_id };
    }),
  ];
}

const nothing = { from: null, done: false, user_id: null, invite_url: null, problem: null } as const;
