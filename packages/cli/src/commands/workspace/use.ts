import { resolveWorkspace } from '../../client/resolve-workspace.ts';
import { updateContext } from '../../config/update-context.ts';
import { define } from '../../spec/command.ts';
import { workspaceView } from '../../views/workspace.ts';

export const command = define({
  path: 'workspace use',
  summary: 'Make a workspace the default of the current context.',
  aliases: ['switch'],
  endpoints: ['workspaces.get'],
  args: { workspace: { summary: 'Id or slug' } },
  examples: ['hubline workspace use acme'],
  view: workspaceView,
  say: ({ slug, id }, style) => `${style.green('✓')} Commands now act in ${slug} (${id})`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await client.workspaces.get(await resolveWorkspace(ctx, args.workspace), ctx.request);
    await updateContext(ctx, (saved) => ({ ...saved, workspace: workspace.id }));
    return workspace;
  },
});
