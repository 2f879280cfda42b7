import { resolveMember } from '../../client/resolve-member.ts';
import { define } from '../../spec/command.ts';
import { invitationView } from '../../views/member.ts';

export const command = define({
  path: 'member resend-invite',
  summary: 'Send an open invitation again, with a new link.',
  endpoints: ['members.resendInvite'],
  args: { user: { summary: 'Id or e-mail' } },
  examples: ['hubline member resend-invite sam@acme.test'],
  view: invitationView,
  say: ({ email }, style) => `${style.green('✓')} Sent a new invitation to ${email}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return client.members.resendInvite(
      workspace,
      await resolveMember(ctx, workspace, args.user),
      ctx.request,
    );
  },
});
