import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { type Invitation, invitationView, ROLES } from '../../views/member.ts';

export const command = define({
  path: 'member invite',
  summary: 'Invite people by e-mail. The one-time link is printed, too.',
  endpoints: ['members.invite', 'members.create'],
  args: {
    email: { summary: 'E-mail addresses; - reads them from stdin, one per line', variadic: true, ids: true },
  },
  flags: {
    role: {
      type: 'text',
      value: 'role',
      choices: ROLES,
      summary: 'Role on joining (server default: member)',
    },
    variant: { type: 'boolean', summary: 'Use the variant endpoint, which answers id and status "pending"' },
  },
  examples: [
    'hubline member invite li@acme.test sam@acme.test --role member',
    'hubline member invite - < people.txt',
  ],
  view: invitationView,
  say: ({ email, role }, style) => `${style.green('✓')} Invited ${email} as ${role}`,
  async run(ctx, { args, flags: { role, variant } }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId<Invitation>(ctx, args.email, (email) =>
      variant
        ? client.members.create(workspace, { email, role }, ctx.request)
        : client.members.invite(workspace, { email, role }, ctx.request),
    );
  },
});
