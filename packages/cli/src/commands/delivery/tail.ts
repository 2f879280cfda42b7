import type { Delivery } from '@hubline/contract/types';
import { followList } from '../../client/follow-list.ts';
import { define } from '../../spec/command.ts';
import { deliveryView } from '../../views/delivery.ts';
import { deliveryFilters, FILTER_FLAGS } from './filters.ts';

const OPEN: readonly string[] = ['pending', 'retrying', 'held'];

export const command = define({
  path: 'delivery tail',
  summary: 'Follow deliveries until Ctrl-C: each when it appears, and again whenever its state changes.',
  description:
    'There is no stream of deliveries: the list is asked for every 2 to 10 seconds. A restart of the server is waited out.',
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
    const following = followList<Delivery>(ctx, {
      since,
      list: (query, options) => client.deliveries.list(workspace, { ...filters, ...query }, options),
      stateOf: ({ status: state, attempt_count: tries }) => `${state} ${tries}`,
      isOpen: ({ status: state }) => OPEN.includes(state),
    });
    let count = 0;
    if (limit === 0) return;
    for await (const delivery of following) {
      if (status !== undefined && delivery.status !== status) continue;
      yield delivery;
      if ((count += 1) === limit) return;
    }
  },
});
