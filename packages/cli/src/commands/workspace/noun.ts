import { PLANS } from '@hubline/contract/constants';
import { paged } from '../../client/lists.ts';
import { resolveMember } from '../../client/members.ts';
import { resolveWorkspace, targetWorkspace } from '../../client/resolve.ts';
import type { SavedContext } from '../../config/config-file.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import { updatedMemberView } from '../../views/member.ts';
import { workspaceView } from '../../views/workspace.ts';
import { confirmName } from './confirm-name.ts';
import { command as health } from './health.ts';
import { command as stats } from './stats.ts';
import { shellArgument } from '../../terminal/shell-word.ts';

/** Changes the saved context in use. */
async function updateContext(ctx: Context, change: (saved: SavedContext) => SavedContext): Promise<void> {
  const { context } = await ctx.settings();
  const config = await ctx.config();
  const saved = context && config.contexts[context.value];
  if (!saved) {
    throw usageError(
      'There is no saved context to keep this in.',
      'Run: hubline auth login, or set HUBLINE_WORKSPACE.',
    );
  }
  await ctx.saveConfig({ ...config, contexts: { ...config.contexts, [context.value]: change(saved) } });
}

const list = define({
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

const get = define({
  path: 'workspace get',
  summary: 'Show a workspace.',
  aliases: ['view', 'show'],
  endpoints: ['workspaces.get'],
  args: { workspace: { summary: 'ID or slug; default: the workspace in use', optional: true } },
  examples: ['hubline workspace get', 'hubline workspace get acme --json=id,plan'],
  view: workspaceView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.workspaces.get(await targetWorkspace(ctx, args.workspace), ctx.request);
  },
});

const create = define({
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
  next: ({ slug }) => `Use it from now on: hubline workspace use ${shellArgument(slug)}`,
  async run(ctx, { flags: { name, slug, plan } }) {
    const client = await ctx.client();
    return client.workspaces.create({ name, slug, plan }, ctx.request);
  },
});

const update = define({
  path: 'workspace update',
  summary: 'Change name, slug or plan. Only an owner can change the plan.',
  needsFlag: true,
  endpoints: ['workspaces.update'],
  args: { workspace: { summary: 'ID or slug; default: the workspace in use', optional: true } },
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
    const client = await ctx.client();
    return client.workspaces.update(await targetWorkspace(ctx, args.workspace), changes, ctx.request);
  },
});

const remove = define({
  path: 'workspace delete',
  summary: 'Delete a workspace and everything in it. This cannot be undone.',
  aliases: ['rm'],
  endpoints: ['workspaces.delete'],
  danger: 'type-name',
  args: { workspace: { summary: 'ID or slug; default: the workspace in use', optional: true } },
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

const transfer = define({
  path: 'workspace transfer',
  summary: 'Make an admin the owner. You become an admin.',
  endpoints: ['members.update'],
  danger: 'type-name',
  args: { workspace: { summary: 'ID or slug; default: the workspace in use', optional: true } },
  flags: {
    to: {
      type: 'text',
      value: 'user',
      required: true,
      prompt: 'New owner (ID or email)',
      summary: 'ID or email of an admin',
    },
    confirm: { type: 'text', value: 'slug', summary: 'The slug, instead of typing it' },
  },
  examples: [
    'hubline workspace transfer acme --to li@acme.test',
    'hubline workspace transfer acme --to li@acme.test --confirm acme',
  ],
  view: updatedMemberView,
  say: ({ email, role }, style) => `${style.green('✓')} ${email} is now ${role}`,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const { id, slug } = await client.workspaces.get(await targetWorkspace(ctx, args.workspace), {
      signal: ctx.signal,
    });
    const user = await resolveMember(ctx, id, flags.to);
    await confirmName(ctx, {
      name: slug,
      given: flags.confirm,
      consequence: `Makes ${flags.to} the owner of ${slug}; you become an admin and cannot take it back yourself.`,
    });
    return client.members.update(id, user, { role: 'owner' }, ctx.request);
  },
});

const use = define({
  path: 'workspace use',
  summary: 'Make a workspace the default of the current context.',
  aliases: ['switch'],
  endpoints: ['workspaces.get'],
  args: { workspace: { summary: 'ID or slug' } },
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

export const commands = [list, create, get, stats, health, update, transfer, remove, use] as const;
