import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { deliveryView } from '../../views/delivery.ts';
import { deliveryFilters, FILTER_FLAGS, UNTIL_FLAG } from './filters.ts';

export const command = define({
  path: 'delivery list',
  summary: 'List deliveries, newest first.',
  aliases: ['ls'],
  endpoints: ['deliveries.list', 'deliveries.listForWebhook'],
  list: true,
  flags: { ...FILTER_FLAGS, ...UNTIL_FLAG, ...LIST_FLAGS },
  examples: [
    'hubline delivery list --status failed --since 6h',
    'hubline delivery list --webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn --all --ndjson',
  ],
  view: deliveryView,
  async run(ctx, { flags }) {
    const { webhook_id: webhook, event_id: event, ...filters } = deliveryFilters(flags);
    const client = await ctx.client();
    if (webhook !== undefined && event === undefined) {
      return paged(ctx, flags, (query) =>
        client.deliveries.listForWebhook(webhook, { ...filters, ...query }, ctx.request),
      );
    }
    const workspace = await ctx.workspace();
    const all = { ...filters, webhook_id: webhook, event_id: event };
    return paged(ctx, flags, (query) => client.deliveries.list(workspace, { ...all, ...query }, ctx.request));
  },
});
