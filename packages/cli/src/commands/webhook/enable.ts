import { define } from '../../spec/command.ts';
import { webhookView } from '../../views/webhook.ts';

export const command = define({
  path: 'webhook enable',
  summary: 'Enable a webhook and send what was held.',
  endpoints: ['webhooks.enable'],
  args: { webhook: { summary: 'Id' } },
  examples: ['hubline webhook enable whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: webhookView,
  say: ({ id }, style) => `${style.green('✓')} Enabled webhook ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.webhooks.enable(args.webhook, ctx.request);
  },
});
