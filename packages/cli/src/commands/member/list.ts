import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { memberView } from '../../views/member.ts';

export const command = define({
  path: 'member list',
  summary: 'List members and open invitations.',
  aliases: ['ls'],
  endpoints: ['members.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline member list', 'hubline member list --all --json=email,role'],
  view: memberView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.members.list(workspace, query, ctx.request));
  },
});
