import type { Delivery } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import type { Pages } from '../../data/queries/use-pages.ts';
import { isUnderWay } from './delivery-statuses.ts';

/** The number of deliveries that are read one by one when the filters of the list no longer find them. */
const SINGLE_MAX = 20;

/**
 * Refreshes the deliveries of a list in place: nothing is moved, added or removed. Returns the number of deliveries that are
 * newer than the list.
 */
export async function refreshDeliveries(
  pages: Pages<Delivery>,
  read: (signal: AbortSignal) => PromiseLike<{ readonly data: readonly Delivery[] }>,
  signal: AbortSignal,
): Promise<number> {
  const items = pages.items ?? [];
  const { data } = await read(signal);
  const fresh = new Map(data.map((delivery) => [delivery.id, delivery]));
  const others = items.filter((delivery) => isUnderWay(delivery) && !fresh.has(delivery.id));
  const singles = others.slice(0, SINGLE_MAX).map(({ id }) => client.deliveries.get(id, { signal }));
  for (const delivery of await Promise.all(singles)) fresh.set(delivery.id, delivery);
  // A row that was replaced in the meantime stays, because it is newer than this response.
  const asked = new Set(items);
  pages.update((now) =>
    now.map((delivery) => (asked.has(delivery) ? (fresh.get(delivery.id) ?? delivery) : delivery)),
  );

  const known = new Set(items.map(({ id }) => id));
  const newest = items[0]?.created_at ?? '';
  return data.filter(({ id, created_at }) => !known.has(id) && created_at >= newest).length;
}
