import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { TransientMap, TransientSet } from './transient.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

/** The growth of old memory while 64,000 objects of a kilobyte pass through a map, 64 at a time. */
function growthWith(
  map: Pick<Map<number, unknown>, 'set' | 'delete'> | TransientMap<number, unknown>,
): number {
  collect({ type: 'major' });
  const before = oldBytes();
  for (let turn = 0; turn < 1_000; turn += 1) {
    for (let id = 0; id < 64; id += 1)
      map.set(
        turn * 64 + id,
        Array.from({ length: 128 }, () => turn),
      );
    if (turn % 4 === 0) collect({ type: 'minor' });
    for (let id = 0; id < 64; id += 1) map.delete(turn * 64 + id);
  }
  return oldBytes() - before;
}

describe('TransientMap', () => {
  it('lets go of what has left it, where a Map keeps it until V8 collects old memory', () => {
    const growth = growthWith(new TransientMap());
    expect(growthWith(new Map())).toBeGreaterThan(5 * growth);
    expect(growth).toBeLessThan(4 * 1024 * 1024);
  });

  it('keeps its entries, and their order, however many come and go', () => {
    const map = new TransientMap<number, string>();
    for (let id = 0; id < 5_000; id += 1) {
      map.set(id, `value ${id}`);
      if (id >= 1_000) expect(map.delete(id - 1_000)).toBe(true);
    }
    expect(map.size).toBe(1_000);
    expect([...map.values()]).toEqual(Array.from({ length: 1_000 }, (_, index) => `value ${4_000 + index}`));
    expect([...map.entries()][0]).toEqual([4_000, 'value 4000']);
    expect(map.first).toBe('value 4000');
    expect([map.get(3_999), map.get(4_000), map.has(4_999), map.delete(3_999)]).toEqual([
      undefined,
      'value 4000',
      true,
      false,
    ]);
    map.clear();
    expect([map.size, map.get(4_000), map.first]).toEqual([0, undefined, undefined]);
  });
});

it('TransientSet keeps its items, and their order', () => {
  const set = new TransientSet<number>();
  for (let item = 0; item < 1_000; item += 1) {
    set.add(item);
    set.add(item);
    if (item >= 3) expect(set.delete(item - 3)).toBe(true);
  }
  expect([set.size, set.first, [...set.values()], set.delete(0)]).toEqual([3, 997, [997, 998, 999], false]);
});
