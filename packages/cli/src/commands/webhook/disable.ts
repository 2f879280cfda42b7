import { define } from '../../spec/command.ts';
import { webhookView } from '../../views/webhook.ts';

export const command = define({
  path: 'webhook disable',
  summary: 'Disable a webhook; its deliveries are held until it is enabled again.',
  endpoints: ['webhooks.update'],
  args: { webhook: { summary: 'Id' } },
  examples: ['hubline webhook disable whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: webhookView,
  say: ({ id }, style) => `${style.green('✓')} Disabled webhook ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.webhooks.update(args.webhook, { status: 'disabled' }, ctx.request);
  },
});
