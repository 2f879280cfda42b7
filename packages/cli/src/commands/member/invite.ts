import { ROLES } from '@hubline/contract/constants';
import { eachId } from '../../client/lists.ts';
import { allMembers } from '../../client/members.ts';
import { usageError } from '../../errors/errors.ts';
import { readPeople } from '../../input/read-people.ts';
import { define } from '../../spec/command.ts';
import type { Style } from '../../terminal/io.ts';
import { anotherLink, type Invitation, invitationView, type MemberChange } from '../../views/member.ts';
import { applyChanges } from './apply-changes.ts';
import { planMembers } from './import.ts';

export const command = define({
  path: 'member invite',
  summary: 'Invite people by email. The one-time link is printed, too.',
  description:
    'Many at once: --file takes CSV with a header (email, role), addresses one per line, a JSON list, or one JSON document per line; with --dry-run it is checked against the members. Each has its own result; exit code 10 if some failed.',
  endpoints: ['members.invite', 'members.create'],
  args: {
    email: {
      summary: 'Email addresses; - reads them from stdin, one per line',
      optional: true,
      variadic: true,
      ids: true,
    },
  },
  flags: {
    role: {
      type: 'text',
      value: 'role',
      choices: ROLES,
      summary: 'Role on joining (server default: member)',
    },
    file: { type: 'text', short: 'F', value: 'file|-', summary: 'Invite the people in this file' },
    variant: {
      type: 'boolean',
      summary: 'Use the variant endpoint, which returns an ID and the status "pending"',
    },
  },
  examples: [
    'hubline member invite li@acme.test sam@acme.test --role member',
    'hubline member invite --file people.csv --dry-run',
    'hubline member invite --file people.csv --ndjson > result.ndjson',
  ],
  view: invitationView,
  say: invitationLine,
  ifLost: ({ email }) => anotherLink(email),
  cure: ({ details }, { args: { email } }) =>
    details.some(({ issue }) => issue.includes('open invitation')) && email.length === 1 && email[0] !== '-'
      ? anotherLink(email[0] ?? '')
      : undefined,
  async run(ctx, { args, flags: { role, variant, file } }) {
    if ((file === undefined) === (args.email.length === 0)) {
      throw usageError(
        file === undefined ? 'No address was given.' : 'Give either addresses or --file.',
        'Name addresses, or a file with --file.',
      );
    }
    if (file !== undefined) {
      if (variant) throw usageError('--variant is for addresses, not for --file.', 'Leave out one of them.');
      const people = (await readPeople(ctx, file, '--file')).map((each) => ({
        ...each,
        role: each.role ?? role,
      }));
      const workspace = await ctx.workspace();
      const members = await allMembers(ctx, workspace);
      const changes = planMembers(people, members, { update: false, prune: false });
      return invitations(applyChanges(ctx, changes, { workspace, dryRun: ctx.globals.dryRun }));
    }
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId<Invitation>(ctx, args.email, async (email) => {
      if (!variant) return client.members.invite(workspace, { email, role }, ctx.request);
      const invited = await client.members.create(workspace, { email, role }, ctx.request);
      return { ...invited, user_id: invited.id };
    });
  },
});

/** The result of each line, as an invitation. */
async function* invitations(changes: AsyncIterable<MemberChange>): AsyncGenerator<Invitation> {
  for await (const { line, email, change, role, from, done, user_id, invite_url, problem } of changes) {
    const status = done
      ? 'invited'
      : change === 'none'
        ? 'already a member'
        : change === 'invalid'
          ? 'invalid'
          : problem === null
            ? 'to invite'
            : 'failed';
    yield { line, email, role: role ?? from, status, user_id, invite_url, problem };
  }
}

function invitationLine({ email, role, status, problem, line }: Invitation, style: Style): string {
  if (problem) return `${style.red('✗')} ${line ? `line ${line}: ` : ''}${problem}`;
  if (status === 'invited' || status === 'pending') return `${style.green('✓')} Invited ${email} as ${role}`;
  return `${style.dim('·')} ${email}: ${status}${status === 'to invite' ? ` as ${role ?? 'member'}` : ''}`;
}
