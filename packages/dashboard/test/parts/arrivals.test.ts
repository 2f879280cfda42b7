import { expect, it } from 'vitest';
import { withArrivals } from '../../src/data/live/use-arrivals.ts';

interface Item {
  readonly id: number;
  readonly from?: string;
}
const options = { idOf: ({ id }: Item) => String(id), compare: (a: Item, b: Item) => b.id - a.id };
const ids = (items: readonly Item[]) => items.map(({ id }) => id);
const items = (...all: number[]): readonly Item[] => all.map((id) => ({ id }));

it('puts each arrival in its place, once', () => {
  expect(ids(withArrivals(items(7, 5, 3), items(8, 6, 5), options))).toEqual([8, 7, 6, 5, 3]);
});

it('prefers the loaded item, which is newer', () => {
  const [row] = withArrivals([{ id: 1, from: 'list' }], [{ id: 1, from: 'stream' }], options);
  expect(row?.from).toBe('list');
});

it('leaves out items of a page that was not loaded', () => {
  expect(ids(withArrivals(items(7, 5), items(4), options))).toEqual([7, 5]);
});

it('shows every arrival in an empty list', () => {
  expect(ids(withArrivals([], items(2, 1), options))).toEqual([2, 1]);
});

it('returns the same list when nothing has arrived', () => {
  const loaded = items(1);
  expect(withArrivals(loaded, [], options)).toBe(loaded);
});
