import { define } from '../../spec/command.ts';
import { PLANS, workspaceView } from '../../views/workspace.ts';

export const command = define({
  path: 'workspace create',
  summary: 'Create a workspace; you become its owner.',
  endpoints: ['workspaces.create'],
  flags: {
    name: { type: 'text', value: 'name', required: true, prompt: 'Name', summary: 'Display name' },
    slug: {
      type: 'text',
      value: 'slug',
      required: true,
      prompt: 'Slug (a-z, 0-9, -)',
      summary: 'Name in URLs and on the command line: a-z, 0-9 and -',
    },
    plan: { type: 'text', value: 'plan', choices: PLANS, summary: 'Billing plan' },
  },
  examples: [
    'hubline workspace create --name "Acme" --slug acme',
    'hubline workspace create --name Acme --slug acme -q',
  ],
  view: workspaceView,
  say: ({ slug, id }, style) => `${style.green('✓')} Created workspace ${slug} (${id})`,
  next: ({ slug }) => `Act in it from now on: hubline workspace use ${slug}`,
  async run(ctx, { flags: { name, slug, plan } }) {
    const client = await ctx.client();
    return client.workspaces.create({ name, slug, plan }, ctx.request);
  },
});
