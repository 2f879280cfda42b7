import { ROLES } from '@hubline/contract/constants';
import { resolveMember } from '../../client/resolve-member.ts';
import { define } from '../../spec/command.ts';
import { updatedMemberView } from '../../views/member.ts';

export const command = define({
  path: 'member update',
  summary: "Change a member's role. To hand over ownership, see: hubline workspace transfer.",
  aliases: ['set-role'],
  endpoints: ['members.update'],
  args: { user: { summary: 'Id or e-mail' } },
  flags: {
    role: {
      type: 'text',
      value: 'role',
      choices: ROLES,
      required: true,
      prompt: 'Role',
      summary: 'New role',
    },
  },
  examples: ['hubline member update li@acme.test --role admin'],
  view: updatedMemberView,
  say: ({ email, role, user_id }, style) => `${style.green('✓')} ${email} is now ${role} (${user_id})`,
  async run(ctx, { args, flags: { role } }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const user = await resolveMember(ctx, workspace, args.user);
    return client.members.update(workspace, user, { role }, ctx.request);
  },
});
