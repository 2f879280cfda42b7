import { targetWorkspace } from '../../client/target-workspace.ts';
import { assertSomeFlag } from '../../input/assert-some-flag.ts';
import { define } from '../../spec/command.ts';
import { PLANS, workspaceView } from '../../views/workspace.ts';

export const command = define({
  path: 'workspace update',
  summary: 'Change name, slug or plan. A plan change may change the bill and needs an owner.',
  endpoints: ['workspaces.update'],
  args: { workspace: { summary: 'Id or slug; default: the one to act in', optional: true } },
  flags: {
    name: { type: 'text', value: 'name', summary: 'New display name' },
    slug: { type: 'text', value: 'slug', summary: 'New slug' },
    plan: { type: 'text', value: 'plan', choices: PLANS, summary: 'New plan' },
  },
  examples: ['hubline workspace update acme --name "Acme Inc."', 'hubline workspace update --plan team'],
  view: workspaceView,
  say: ({ slug, id }, style) => `${style.green('✓')} Updated workspace ${slug} (${id})`,
  async run(ctx, { args, flags: { name, slug, plan } }) {
    const changes = { name, slug, plan };
    assertSomeFlag(changes);
    const client = await ctx.client();
    return client.workspaces.update(await targetWorkspace(ctx, args.workspace), changes, ctx.request);
  },
});
