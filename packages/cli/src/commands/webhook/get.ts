import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { webhookView } from '../../views/webhook.ts';

export const command = define({
  path: 'webhook get',
  summary: 'Show webhooks. A secret is never shown again.',
  aliases: ['view', 'show'],
  endpoints: ['webhooks.get'],
  args: { webhook: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline webhook get whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: webhookView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.webhook, (id) => client.webhooks.get(id, ctx.request));
  },
});
