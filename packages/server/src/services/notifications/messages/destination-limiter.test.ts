import { expect, it } from 'vitest';
import { DestinationLimiter } from './destination-limiter.ts';

it('grants one permit at a time for each destination', () => {
  const limiter = new DestinationLimiter();
  expect(limiter.acquire('a', 0)).toEqual({ granted: true });
  expect(limiter.acquire('b', 0)).toEqual({ granted: true });
  expect(limiter.acquire('a', 0)).toEqual({ granted: false, waitMs: 250 });
  expect(limiter.acquire('a', 0)).toEqual({ granted: false, waitMs: 500 });
  limiter.release('a', 100, 0);
  expect(limiter.acquire('a', 250)).toEqual({ granted: true });
});

it('leaves a destination alone that has asked for it, and lets those who wait come back one after the other', () => {
  const limiter = new DestinationLimiter();
  limiter.acquire('a', 0);
  limiter.release('a', 10, 60_010);
  expect(limiter.acquire('a', 10)).toEqual({ granted: false, waitMs: 60_000 });
  expect(limiter.acquire('a', 10)).toEqual({ granted: false, waitMs: 60_250 });
  expect(limiter.acquire('a', 60_010)).toEqual({ granted: true });
});
