import { beforeEach, expect, it } from 'vitest';
import { type Permit, Shares } from './shares.ts';

let now: number;
beforeEach(() => {
  now = 0;
});
const PERMIT = { release: expect.any(Function) as Permit['release'] };
const monotonic = () => now;

/** The shares of workspaces, of which each takes permits at a time that a test gives. */
function sharesOf(limits: { most: number; whileSlow: number }) {
  const shares = new Shares(limits, monotonic);
  const permits: Permit[] = [];
  return {
    take(workspaceId: string, at: number) {
      now = at;
      const taken = shares.take(workspaceId);
      if (typeof taken !== 'number') permits.push(taken);
      return taken;
    },
    /** Releases the permit that was taken as number `index`, from 0. */
    release: (index: number) => permits[index]?.release(),
  };
}

it('runs of one workspace leave permits for others, and more of them while its receivers are slow', () => {
  const { take, release } = sharesOf({ most: 3, whileSlow: 2 });
  expect([1, 2, 3, 4].map((at) => take('a', at))).toEqual([PERMIT, PERMIT, PERMIT, 20]);
  expect(take('b', 4)).toEqual(PERMIT);
  release(1);
  expect(take('a', 5)).toEqual(PERMIT);
  release(4);
  expect([2_000, 2_000].map((at) => take('a', at))).toEqual([1_020, 1_040]);
  for (let n = 0; n < 10_000; n += 1) take('a', 2_000);
  expect(take('a', 2_000)).toBe(60_000);
  release(0);
  release(2);
  expect(take('a', 2_000)).toEqual(PERMIT);
});

it('a workspace that is never idle begins each slow moment with the shortest delay', () => {
  const { take, release } = sharesOf({ most: 2, whileSlow: 2 });
  expect([0, 1_500].map((at) => take('a', at))).toEqual([PERMIT, PERMIT]);
  for (let n = 0; n < 100; n += 1) take('a', 2_000);
  expect(take('a', 2_000)).toBe(3_020);
  release(0);
  expect([2_000, 2_000].map((at) => take('a', at))).toEqual([PERMIT, 20]);
  expect(take('a', 5_000)).toBe(1_020);
});

it('a run waits briefly for the permit of another before it is put off', async () => {
  const shares = new Shares({ most: 1, whileSlow: 1 }, monotonic);
  const first = (await shares.enter('a')) as Permit;
  const next = shares.enter('a');
  first.release();
  expect(await next).toEqual(PERMIT);
  expect(await shares.enter('a')).toBe(20);
});
