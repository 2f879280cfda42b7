import { expect, it } from 'vitest';
import { RoundRobin } from './round-robin.ts';

const roundRobinOf = (...items: string[]) => {
  const waiting = new RoundRobin<string>();
  // `a1`: an item of workspace a.
  for (const item of items) waiting.add(item.slice(0, 1), item);
  return waiting;
};

it('workspaces take turns, however many items each has', () => {
  const waiting = roundRobinOf('a1', 'a2', 'a3', 'b1');
  expect(waiting.workspaces).toBe(2);
  const turns = Array.from({ length: 4 }, () => [...waiting.next()]);
  expect(turns).toEqual([['a1', 'a2', 'a3'], ['b1'], ['a1', 'a2', 'a3'], ['b1']]);
});

it('an item waits once, and no longer when it has been deleted', () => {
  const waiting = roundRobinOf('a1', 'a1', 'a2');
  expect([waiting.has('a', 'a1'), waiting.has('b', 'a1')]).toEqual([true, false]);
  waiting.delete('a', 'a1');
  waiting.delete('a', 'a1');
  expect(waiting.has('a', 'a1')).toBe(false);
  expect([...waiting.next()]).toEqual(['a2']);
  waiting.delete('a', 'a2');
  expect([waiting.workspaces, [...waiting.next()]]).toEqual([0, []]);
});

it('an item that comes back waits behind the others', () => {
  const waiting = roundRobinOf('a1', 'a2', 'a3');
  waiting.delete('a', 'a1');
  waiting.add('a', 'a1');
  expect([...waiting.next()]).toEqual(['a2', 'a3', 'a1']);
});
