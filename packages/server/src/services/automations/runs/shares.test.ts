import { expect, it } from 'vitest';
import { Shares } from './shares.ts';

it('runs of one workspace leave permits for others, and more of them while its receivers are slow', () => {
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

it('a run waits briefly for the permit of another before it is put off', async () => {
  const shares = new Shares({ most: 1, whileSlow: 1 });
  expect(await shares.enter('a', 1)).toBeNull();
  const next = shares.enter('a', 2);
  shares.release('a', 1);
  expect(await next).toBeNull();
  expect(await shares.enter('a', 3)).toBe(20);
});
