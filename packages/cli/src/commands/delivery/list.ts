import { paged } from '../../client/paged.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { deliveryView, STATUSES } from '../../views/delivery.ts';

export const command = define({
  path: 'delivery list',
  summary: 'List deliveries, newest first.',
  aliases: ['ls'],
  endpoints: ['deliveries.list', 'deliveries.listForWebhook'],
  list: true,
  flags: {
    status: { type: 'text', value: 'status', choices: STATUSES, summary: 'Only deliveries in this state' },
    webhook: { type: 'text', value: 'id', summary: 'Only deliveries to this webhook' },
    event: { type: 'text', value: 'id', summary: 'Only deliveries of this event' },
    'event-type': {
      type: 'text',
      value: 'trigger',
      summary: 'Only deliveries of this trigger, such as event.created',
    },
    since: {
      type: 'time',
      value: 'time',
      summary: 'Only deliveries after this time, or within this duration: 2h',
    },
    until: { type: 'time', value: 'time', summary: 'Only deliveries before this time' },
    ...LIST_FLAGS,
  },
  examples: [
    'hubline delivery list --status failed --since 6h',
    'hubline delivery list --webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn --all --ndjson',
  ],
  view: deliveryView,
  async run(ctx, { flags }) {
    const { status, webhook, event, eventType, since, until } = flags;
    const filters = { status, event_type: eventType, since, until };
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
