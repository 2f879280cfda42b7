import type { Delivery } from '@hubline/contract/types';
import { paged } from '../../client/paged.ts';
import { pollPause } from '../../client/poll.ts';
import { define } from '../../spec/command.ts';
import { deliveryView } from '../../views/delivery.ts';
import { deliveryFilters, FILTER_FLAGS } from './filters.ts';

const OPEN: readonly string[] = ['pending', 'retrying', 'held'];

export const command = define({
  path: 'delivery tail',
  summary: 'Follow deliveries until Ctrl-C: each when it appears, and again whenever its state changes.',
  description: 'There is no stream of deliveries: the list is asked for every 2 to 10 seconds.',
  endpoints: ['deliveries.list'],
  live: true,
  flags: {
    ...FILTER_FLAGS,
    limit: { type: 'integer', short: 'L', value: 'n', summary: 'Stop after this many' },
  },
  examples: [
    'hubline delivery tail',
    'hubline delivery tail --status failed --since 1h --json=id,event_type',
  ],
  view: deliveryView,
  async *run(ctx, { flags }) {
    const { limit = Infinity } = flags;
    // Its state is what changes: a filter on it must not hide that a delivery has left it.
    const { status, since, ...filters } = deliveryFilters(flags);
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const seen = new Map<string, string>();
    const pause = pollPause(ctx.signal);
    let from = since ?? new Date(ctx.now()).toISOString();
    for (let count = 0; count < limit;) {
      const found: Delivery[] = [];
      for await (const delivery of paged(ctx, { limit: 0, all: true }, (query) =>
        client.deliveries.list(workspace, { ...filters, since: from, ...query }, ctx.request),
      )) {
        found.unshift(delivery);
      }
      const news = found.filter((delivery) => seen.get(delivery.id) !== stateOf(delivery));
      for (const delivery of news) {
        seen.set(delivery.id, stateOf(delivery));
        if (status !== undefined && delivery.status !== status) continue;
        yield delivery;
        count += 1;
        if (count >= limit) return;
      }
      // What came before the oldest open one will not change any more. A millisecond back: `since` is exclusive.
      const oldest = found.find((delivery) => OPEN.includes(delivery.status)) ?? found.at(-1);
      if (oldest) from = new Date(Date.parse(oldest.created_at) - 1).toISOString();
      await pause(news.length > 0);
    }
  },
});

const stateOf = ({ status, attempt_count: tries }: Delivery): string => `${status} ${tries}`;
