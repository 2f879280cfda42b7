import { TRIGGERS } from '../../input/triggers.ts';
import { define } from '../../spec/command.ts';
import { deliveryView } from '../../views/delivery.ts';

export const command = define({
  path: 'webhook ping',
  summary: 'Send a test call, once. What came back is in: hubline delivery attempts <delivery>',
  aliases: ['test'],
  endpoints: ['webhooks.test'],
  args: { webhook: { summary: 'Id' } },
  flags: {
    'event-type': {
      type: 'text',
      value: 'trigger',
      choices: TRIGGERS,
      summary: 'Trigger to imitate (server default: event.created)',
    },
  },
  examples: ['hubline webhook ping whk_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: deliveryView,
  say: ({ id, event_type }, style) => `${style.green('✓')} Sent a test ${event_type}: delivery ${id}`,
  async run(ctx, { args, flags: { eventType } }) {
    const client = await ctx.client();
    return client.webhooks.test(args.webhook, { event_type: eventType }, ctx.request);
  },
});
