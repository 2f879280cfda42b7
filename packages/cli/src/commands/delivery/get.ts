import { eachId } from '../../client/each-id.ts';
import { define } from '../../spec/command.ts';
import { deliveryDetailView } from '../../views/delivery.ts';

export const command = define({
  path: 'delivery get',
  summary: 'Show deliveries: what was sent, and every attempt.',
  aliases: ['view', 'show'],
  endpoints: ['deliveries.get'],
  args: { delivery: { summary: 'Ids; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline delivery get dlv_06f8xw2b3c4d5e6f7g8h9j0kmn --json=status,attempts'],
  view: deliveryDetailView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.delivery, (id) => client.deliveries.get(id, ctx.request));
  },
});
