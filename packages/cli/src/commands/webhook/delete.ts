import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { gone, goneView } from '../../views/gone.ts';

export const command = define({
  path: 'webhook delete',
  summary: 'Delete webhooks; their open deliveries are cancelled.',
  aliases: ['rm'],
  endpoints: ['webhooks.delete'],
  danger: 'confirm',
  question: ({ args }) => `Delete ${args.webhook.join(', ')} and cancel what is still to be delivered?`,
  args: { webhook: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline webhook delete whk_06f8xw2b3c4d5e6f7g8h9j0kmn --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted webhook ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.webhook, async (id) => {
      await client.webhooks.delete(id, ctx.request);
      return gone(id);
    });
  },
});
