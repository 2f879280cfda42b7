import type { Member } from '@hubline/contract/types';
import { allMembers } from '../../client/members.ts';
import { cancelled } from '../../errors/errors.ts';
import { type Person, readPeople } from '../../input/read-people.ts';
import { define } from '../../spec/command.ts';
import { anotherLink, type MemberChange, memberChangeLine, memberChangeView } from '../../views/member.ts';
import { applyChanges } from './apply-changes.ts';

interface Wishes {
  /** Change the roles of those who are members already. */
  readonly update: boolean;
  /** Remove those who are not in the file. */
  readonly prune: boolean;
}

/** Plans the changes that make the members match the file. Owners are neither removed nor given a lower role: that takes a transfer. */
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

export const command = define({
  path: 'member import',
  summary:
    'Sync members with a file: invite missing people, change roles, and with --prune remove the others.',
  description:
    'CSV with a header (email, role), a JSON list or one JSON document per line, as member export writes them. Each has its own result; exit code 10 if some failed. Owners are left alone. --dry-run shows the change for each line.',
  endpoints: ['members.list', 'members.invite', 'members.update', 'members.remove'],
  args: { file: { summary: 'The file; - for stdin' } },
  flags: {
    diff: { type: 'boolean', summary: 'Show the differences only, and change nothing' },
    prune: { type: 'boolean', summary: 'Remove members who are not in the file; asks, or needs --yes' },
  },
  examples: [
    'hubline member import people.csv --diff',
    'hubline member import people.csv --prune --yes --ndjson',
  ],
  view: memberChangeView,
  say: memberChangeLine,
  ifLost: ({ email }) => anotherLink(email),
  async run(ctx, { args, flags }) {
    const people = await readPeople(ctx, args.file, 'The file');
    const workspace = await ctx.workspace();
    const planned = planMembers(people, await allMembers(ctx, workspace), {
      update: true,
      prune: flags.prune,
    });
    const changes = flags.diff ? planned.filter(({ change }) => change !== 'none') : planned;
    const removed = changes.filter(({ change }) => change === 'remove').length;
    const dryRun = ctx.globals.dryRun || flags.diff;
    if (removed > 0 && !dryRun && !ctx.globals.yes) {
      const question = `Remove ${removed} member${removed === 1 ? '' : 's'} who ${removed === 1 ? 'is' : 'are'} not in the file?`;
      const confirmed = await (await ctx.prompt('--yes')).confirm(question);
      if (!confirmed) throw cancelled();
    }
    return applyChanges(ctx, changes, { workspace, dryRun });
  },
});
