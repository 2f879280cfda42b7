import { eachId } from '../../client/each-id.ts';
import { resolveMember } from '../../client/resolve-member.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';

export const command = define({
  path: 'member remove',
  summary: 'Remove members, or withdraw invitations. Access ends at once.',
  aliases: ['rm', 'delete'],
  endpoints: ['members.remove'],
  danger: 'confirm',
  question: ({ args }) => `Remove ${args.user.join(', ')} from the workspace?`,
  args: { user: { summary: 'Ids or e-mails; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline member remove li@acme.test', 'hubline member remove li@acme.test sam@acme.test --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Removed ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.user, async (reference) => {
      const user = await resolveMember(ctx, workspace, reference);
      await client.members.remove(workspace, user, ctx.request);
      return gone(user);
    });
  },
});
