import { targetWorkspace } from '../../client/target-workspace.ts';
import { define } from '../../spec/command.ts';
import { workspaceView } from '../../views/workspace.ts';

export const command = define({
  path: 'workspace get',
  summary: 'Show a workspace.',
  aliases: ['view', 'show'],
  endpoints: ['workspaces.get'],
  args: { workspace: { summary: 'Id or slug; default: the one to act in', optional: true } },
  examples: ['hubline workspace get', 'hubline workspace get acme --json=id,plan'],
  view: workspaceView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.workspaces.get(await targetWorkspace(ctx, args.workspace), ctx.request);
  },
});
