import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';
import { PERSONAL_FLAG } from './flags.ts';

export const command = define({
  path: 'key revoke',
  summary: 'Revoke keys. They stop working at once.',
  aliases: ['delete', 'rm'],
  endpoints: ['apiKeys.revoke', 'personalApiKeys.revoke'],
  danger: 'confirm',
  question: ({ args }) => `Revoke ${args.key.join(', ')}? What uses them stops working.`,
  args: { key: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  flags: PERSONAL_FLAG,
  examples: ['hubline key revoke key_06f8xw2b3c4d5e6f7g8h9j0kmn --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Revoked key ${id}`,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const workspace = flags.personal ? undefined : await ctx.workspace();
    return eachId(ctx, args.key, async (id) => {
      if (workspace === undefined) await client.personalApiKeys.revoke(id, ctx.request);
      else await client.apiKeys.revoke(workspace, id, ctx.request);
      return gone(id);
    });
  },
});
