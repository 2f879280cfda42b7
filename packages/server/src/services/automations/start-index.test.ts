import { expect, it } from 'vitest';
import type { StartRow } from '../../db/automations/automations.ts';
import { Shares } from './shares.ts';
import { startsFor } from './start-index.ts';

const row = (id: string, trigger: object, conditions: object | null = null): StartRow => ({
  workspace_id: 'ws_1',
  id,
  trigger: JSON.stringify(trigger),
  conditions: conditions && JSON.stringify(conditions),
});
const created = (types?: string[]) => ({ event: 'event.created', ...(types ? { types } : {}) });
const found = (rows: readonly StartRow[], trigger: string, type?: string) =>
  startsFor(rows, { trigger, type }).map(({ id }) => id);

it('finds automations by trigger and type, and those of any type', () => {
  const rows = [
    row('a', created(['push', 'issue', 'push'])),
    row('b', created()),
    row('c', created(['issue'])),
    row('d', { event: 'user.invited' }),
  ];
  expect(found(rows, 'event.created', 'push')).toEqual(['a', 'b']);
  expect(found(rows, 'event.created', 'issue')).toEqual(['a', 'c', 'b']);
  expect(found(rows, 'event.created', 'other')).toEqual(['b']);
  expect(found(rows, 'user.invited')).toEqual(['d']);
  expect(found(rows, 'integration.connected')).toEqual([]);
});

it('finds one of ten thousand without looking at the others', () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => row(`aut_${n}`, created([`type-${n}`])));
  expect(found(rows, 'event.created', 'type-7777')).toEqual(['aut_7777']);
  const asked = { trigger: 'event.created', type: 'type-1' };
  // The very same list: nothing was made or filtered for this event.
  expect(startsFor(rows, asked)).toBe(startsFor(rows, asked));
  expect(startsFor(rows, { trigger: 'event.created', type: 'none' })).toBe(
    startsFor(rows, { trigger: 'user.invited', type: undefined }),
  );
});

it('a workspace without automations has a row, and nothing in it', () => {
  expect(
    found([{ workspace_id: 'ws_1', id: null, trigger: null, conditions: null }], 'event.created', 'x'),
  ).toEqual([]);
});

it('runs of one workspace leave places to others, and more of them while its receivers are slow', () => {
  const shares = new Shares({ most: 3, whileSlow: 2 });
  expect([1, 2, 3, 4].map((now) => shares.take('a', now))).toEqual([null, null, null, 20]);
  expect(shares.take('b', 4)).toBeNull();
  shares.release('a', 2);
  expect(shares.take('a', 5)).toBeNull();
  shares.release('a', 5);
  expect([2_000, 2_000].map((now) => shares.take('a', now))).toEqual([1_040, 1_060]);
  for (let n = 0; n < 10_000; n += 1) shares.take('a', 2_000);
  expect(shares.take('a', 2_000)).toBe(60_000);
  shares.release('a', 1);
  shares.release('a', 3);
  expect(shares.take('a', 2_000)).toBeNull();
});
