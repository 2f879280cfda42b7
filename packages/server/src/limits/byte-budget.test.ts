import { expect, test } from 'vitest';
import { Fault } from '../domain/faults/fault.ts';
import { ByteBudget } from './byte-budget.ts';

const MIB = 1024 * 1024;

const budgetOf = (limit: number, patienceMs = 5_000) =>
  new ByteBudget({ name: 'responses', limit: limit * MIB, patienceMs });

test('one holder gets half of the budget, and others get the rest', () => {
  const budget = budgetOf(32);
  const taken = Array.from({ length: 20 }, () => budget.take('greedy', MIB)).filter(Boolean);
  expect(taken).toHaveLength(16);
  expect(budget.take('modest', MIB)).not.toBeNull();
});

test('a request larger than the budget is served when nobody else holds anything', () => {
  const budget = budgetOf(32);
  expect(budget.take('alone', 100 * MIB)).not.toBeNull();
  expect(budget.used).toBe(100 * MIB);
});

test('somebody who holds more than the budget leaves most of it to others', () => {
  const budget = budgetOf(32);
  budget.take('greedy', 100 * MIB);
  expect(budget.take('modest', 6 * MIB)).not.toBeNull();
  expect(budget.take('greedy', 1)).toBeNull();
});

test('a second large request is served and a third is not, and a quarter is left to small ones', () => {
  const budget = budgetOf(32);
  budget.take('greedy', 24 * MIB);
  expect(budget.take('owner', 24 * MIB)).not.toBeNull();
  expect(budget.take('third', 24 * MIB)).toBeNull();
  expect(budget.take('third', 2 * MIB)).not.toBeNull();
});

test('large reservations leave a quarter to small ones', () => {
  const budget = budgetOf(32);
  for (const holder of ['a', 'b', 'c']) expect(budget.take(holder, 8 * MIB)).not.toBeNull();
  expect(budget.take('large', 8 * MIB)).toBeNull();
  for (const holder of ['d', 'e', 'f', 'g']) expect(budget.take(holder, 2 * MIB)).not.toBeNull();
  expect(budget.take('h', 1)).toBeNull();
});

test('a released reservation is free again, once', () => {
  const budget = budgetOf(32);
  const [first, second] = [budget.take('greedy', 100 * MIB), budget.take('modest', 6 * MIB)];
  first?.release();
  first?.release();
  expect(budget.used).toBe(6 * MIB);
  second?.release();
  expect(budget.used).toBe(0);
  expect(budget.take('next', 100 * MIB)).not.toBeNull();
});

test('a reservation grows as far as there is room, and alone as far as it needs', () => {
  const budget = budgetOf(32);
  const grown = budget.take('growing', MIB);
  expect(grown?.resize(100 * MIB)).toBe(true);
  expect(grown?.resize(4 * MIB)).toBe(true);
  budget.take('modest', MIB);
  expect(grown?.resize(100 * MIB)).toBe(false);
  expect(grown?.bytes).toBe(4 * MIB);
  expect(() => grown?.require(100 * MIB)).toThrow(Fault);
  expect(budget.refused).toBe(1);
});

test('those who wait are served in their order, and a small one passes a large one', async () => {
  const budget = budgetOf(32);
  const [first, second] = [budget.take('a', 12 * MIB), budget.take('b', 12 * MIB)];
  budget.take('c', 2 * MIB);
  const served: string[] = [];
  const waits = (name: string, bytes: number) =>
    Promise.resolve(budget.reserve(name, bytes)).then(() => served.push(name));
  const large = waits('large', 16 * MIB);
  const small = waits('small', 4 * MIB);
  expect(served).toEqual([]);
  first?.release();
  await small;
  expect(served).toEqual(['small']);
  second?.release();
  await large;
  expect(served).toEqual(['small', 'large']);
});

test('a caller who waits too long is refused, and one who leaves is forgotten', async () => {
  const budget = budgetOf(32, 1);
  for (let index = 0; index < 16; index++) budget.take(`holder ${index}`, 2 * MIB);
  await expect(budget.reserve('c', MIB)).rejects.toMatchObject({ code: 'service_unavailable' });
  let leave: (reason: Error) => void = () => {};
  let isListening = true;
  const left = budgetOf(1);
  left.take('a', MIB);
  const waiting = left.reserve('a', MIB, (gone) => {
    leave = gone;
    return () => (isListening = false);
  });
  expect(isListening).toBe(true);
  leave(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(isListening).toBe(false);
  expect(left.used).toBe(MIB);
});

test.each<[string, number, number | null, number[]]>([
  ['a page of a hundred small rows is left to V8', 400 * 1024, null, []],
  ['a megabyte is counted', MIB, null, [MIB]],
  ['a large response is counted', 8 * MIB, null, [8 * MIB]],
  ['a response that needed less is counted as that', 8 * MIB, 400 * 1024, []],
  ['memory that was freed leaves nothing', 8 * MIB, 0, []],
])('garbage of released memory: %s', (_, taken, used, counted) => {
  const added: number[] = [];
  const budget = new ByteBudget({ name: 'bodies', limit: 32 * MIB, garbage: { add: (n) => added.push(n) } });
  const reservation = budget.take('a', taken);
  if (used !== null) reservation?.resize(used);
  reservation?.release();
  expect(added).toEqual(counted);
});
