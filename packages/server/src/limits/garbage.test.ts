import { expect, test } from 'vitest';
import { nextTurn } from '../clock/timer.ts';
import { ByteBudget } from './byte-budget.ts';
import { Garbage } from './garbage.ts';

const MIB = 1024 * 1024;

test('is collected once for each 24 MiB, in a later turn', async () => {
  let collections = 0;
  const garbage = new Garbage(() => (collections += 1));
  garbage.add(23 * MIB);
  await nextTurn();
  expect(collections).toBe(0);
  garbage.add(MIB);
  garbage.add(30 * MIB);
  expect(collections).toBe(0);
  await nextTurn();
  expect(collections).toBe(1);
  garbage.add(23 * MIB);
  await nextTurn();
  expect(collections).toBe(1);
});

test('is what a budget is given back, once, and not what small requests leave', () => {
  const added: number[] = [];
  const budget = new ByteBudget({
    name: 'responses',
    limit: 32 * MIB,
    garbage: { add: (bytes) => void added.push(bytes) },
  });
  const large = budget.take('a', 8 * MIB);
  large?.resize(4 * MIB);
  large?.release();
  large?.release();
  budget.take('a', 64 * 1024)?.release();
  expect(added).toEqual([4 * MIB]);
});

test('is gone after a collection', async () => {
  const made = (): WeakRef<Buffer> => new WeakRef(Buffer.allocUnsafeSlow(MIB));
  const left = made();
  await nextTurn();
  new Garbage().add(24 * MIB);
  await nextTurn();
  await nextTurn();
  expect(left.deref()).toBeUndefined();
});
