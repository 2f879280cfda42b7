import type { Delivery } from '@hubline/contract/types';
import { eachId, paged } from '../../client/lists.ts';
import { refuseSharedKey } from '../../input/shared-key.ts';
import type { Context } from '../../context.ts';
import { cancelled, usageError } from '../../errors/errors.ts';
import { Failure } from '../../output/items.ts';
import { relativeTime } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { deliveryView } from '../../views/delivery.ts';
import { deliveryFilters, FILTER_FLAGS, UNTIL_FLAG, FILTER_FIELDS } from './filters.ts';

export const command = define({
  path: 'delivery retry',
  summary: 'Request one extra attempt for each named or matching delivery.',
  description:
    'The command makes one request for each delivery, and must keep running. To leave that to the server: hubline delivery retry-all. Exit code 10 if some requests fail. The result of an attempt: hubline delivery attempts <id>. --dry-run lists the deliveries.',
  endpoints: ['deliveries.list', 'deliveries.retry'],
  args: { delivery: { summary: 'IDs; - reads them from stdin', optional: true, variadic: true, ids: true } },
  flags: {
    ...FILTER_FLAGS,
    ...UNTIL_FLAG,
  },
  examples: [
    'hubline delivery retry dlv_06f8xw2b3c4d5e6f7g8h9j0kmn',
    'hubline delivery retry --status failed --since 6h --webhook whk_06f8xw2b3c4d5e6f7g8h9j0kmn --dry-run',
    'hubline delivery retry --status failed --since 6h --yes',
  ],
  typed: FILTER_FIELDS,
  view: deliveryView,
  async run(ctx, { args: { delivery: ids }, flags }) {
    const filters = deliveryFilters(flags);
    const filtered = Object.values(filters).some((value) => value !== undefined);
    if (filtered === ids.length > 0) {
      throw usageError(
        filtered ? 'Give either IDs or filters.' : 'No deliveries are named.',
        'Name IDs, or filter: hubline delivery retry --status failed --since 6h --dry-run',
      );
    }
    const client = await ctx.client();
    const retry = (id: string): Promise<Delivery> => client.deliveries.retry(id, ctx.request);
    const { signal } = ctx;
    if (!filtered) {
      if (!ctx.globals.dryRun) return eachId(ctx, ids, retry);
      return previewed(ctx, await eachId(ctx, ids, (id) => client.deliveries.get(id, { signal })));
    }
    const workspace = await ctx.workspace();
    const found: Delivery[] = [];
    for await (const delivery of paged(ctx, { limit: 0, all: true }, (query) =>
      client.deliveries.list(workspace, { ...filters, ...query }, { signal }),
    )) {
      found.push(delivery);
    }
    const what = describe(ctx, found);
    if (ctx.globals.dryRun) {
      await ctx.note(`Would retry ${what}.`);
      return listed(found);
    }
    if (found.length === 0) {
      await ctx.note('No delivery matches.');
      return listed(found);
    }
    refuseSharedKey(ctx, found.length, 'Leave it out, or name one ID.');
    await confirmAll(ctx, what);
    if (!ctx.machine) ctx.noteBelow('See the attempts of a delivery: hubline delivery attempts <id>');
    return eachId(
      ctx,
      found.map(({ id }) => id),
      retry,
    );
  },
});

async function* listed(found: readonly Delivery[]): AsyncGenerator<Delivery> {
  yield* found;
}

/** Says how many of these deliveries would be retried, and lists them. An ID that was not found is a failure among them. */
async function previewed(
  ctx: Context,
  found: Delivery | AsyncIterable<Delivery>,
): Promise<Delivery | AsyncIterable<Delivery>> {
  const isOne = !(Symbol.asyncIterator in found);
  const all = isOne ? [found] : [];
  if (!isOne) for await (const each of found) all.push(each);
  const deliveries = all.filter((each) => !(each instanceof Failure));
  await ctx.note(`Would retry ${describe(ctx, deliveries)}.`);
  return isOne ? found : listed(all);
}

/** `218 deliveries (oldest 5 hours ago)`. */
function describe({ now }: Context, found: readonly Delivery[]): string {
  const [oldest] = found.map((delivery) => delivery.created_at).toSorted();
  const count = `${found.length} ${found.length === 1 ? 'delivery' : 'deliveries'}`;
  return oldest === undefined ? count : `${count} (oldest ${relativeTime(oldest, now())})`;
}

async function confirmAll(ctx: Context, what: string): Promise<void> {
  if (ctx.globals.yes) return;
  const confirmed = await (await ctx.prompt('--yes')).confirm(`Retry ${what}?`);
  if (!confirmed) throw cancelled('nothing was sent');
}
