import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { deliveryView } from '../../views/delivery.ts';

export const command = define({
  path: 'delivery resend',
  summary: 'Make one extra attempt now, for each delivery.',
  aliases: ['retry'],
  endpoints: ['deliveries.retry'],
  args: { delivery: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: [
    'hubline delivery resend dlv_06f8xw2b3c4d5e6f7g8h9j0kmn',
    'hubline delivery list --status failed --since 6h --all -q | hubline delivery resend -',
  ],
  view: deliveryView,
  say: ({ id, status }, style) => `${style.green('✓')} Resending ${id} (${status})`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.delivery, (id) => client.deliveries.retry(id, ctx.request));
  },
});
