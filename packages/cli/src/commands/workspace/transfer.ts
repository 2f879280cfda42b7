import { confirmName } from '../../client/confirm-name.ts';
import { resolveMember } from '../../client/resolve-member.ts';
import { targetWorkspace } from '../../client/target-workspace.ts';
import { define } from '../../spec/command.ts';
import { updatedMemberView } from '../../views/member.ts';

export const command = define({
  path: 'workspace transfer',
  summary: 'Make an admin the owner. You become an admin.',
  endpoints: ['members.update'],
  danger: 'type-name',
  args: { workspace: { summary: 'Id or slug; default: the one to act in', optional: true } },
  flags: {
    to: {
      type: 'text',
      value: 'user',
      required: true,
      prompt: 'New owner (id or e-mail)',
      summary: 'Id or e-mail of an admin',
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
