import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { workspaceView } from '../../views/workspace.ts';

export const command = define({
  path: 'workspace list',
  summary: 'List the workspaces that the key can see.',
  aliases: ['ls'],
  endpoints: ['workspaces.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline workspace list', 'hubline workspace list --json=id,slug'],
  view: workspaceView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    return paged(ctx, flags, (query) => client.workspaces.list(query, ctx.request));
  },
});
