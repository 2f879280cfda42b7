import { confirmName } from '../../client/confirm-name.ts';
import { targetWorkspace } from '../../client/target-workspace.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';

export const command = define({
  path: 'workspace delete',
  summary: 'Delete a workspace and everything in it. This cannot be undone.',
  aliases: ['rm'],
  endpoints: ['workspaces.delete'],
  danger: 'type-name',
  args: { workspace: { summary: 'Id or slug; default: the one to act in', optional: true } },
  flags: { confirm: { type: 'text', value: 'slug', summary: 'The slug, instead of typing it' } },
  examples: ['hubline workspace delete acme', 'hubline workspace delete acme --confirm acme --no-input'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted workspace ${id}`,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const { id, slug } = await client.workspaces.get(await targetWorkspace(ctx, args.workspace), {
      signal: ctx.signal,
    });
    await confirmName(ctx, {
      name: slug,
      given: flags.confirm,
      consequence: `Deletes ${slug} with its members, integrations, events and webhooks. This cannot be undone.`,
    });
    await client.workspaces.delete(id, ctx.request);
    return gone(id);
  },
});
