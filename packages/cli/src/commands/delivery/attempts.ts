import { define } from '../../spec/command.ts';
import { attemptView } from '../../views/delivery.ts';

export const command = define({
  path: 'delivery attempts',
  summary: 'List the attempts of a delivery: when, how long, what came back.',
  endpoints: ['deliveries.get'],
  args: { delivery: { summary: 'Id' } },
  examples: ['hubline delivery attempts dlv_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: attemptView,
  async *run(ctx, { args }) {
    const client = await ctx.client();
    yield* (await client.deliveries.get(args.delivery, ctx.request)).attempts;
  },
});
