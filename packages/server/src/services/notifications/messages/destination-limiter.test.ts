import { beforeEach, expect, it } from 'vitest';
import { DestinationLimiter } from './destination-limiter.ts';

let now: number;
let limiter: DestinationLimiter;
beforeEach(() => {
  now = 0;
  limiter = new DestinationLimiter(() => now);
});

it('grants one permit at a time for each destination', () => {
  expect(limiter.acquire('a')).toEqual({ granted: true });
  expect(limiter.acquire('b')).toEqual({ granted: true });
  expect(limiter.acquire('a')).toEqual({ granted: false, waitMs: 250 });
  expect(limiter.acquire('a')).toEqual({ granted: false, waitMs: 500 });
  now = 100;
  limiter.release('a', 0);
  now = 250;
  expect(limiter.acquire('a')).toEqual({ granted: true });
});

it('leaves alone a destination that has asked for it, and lets waiting messages come back one after the other', () => {
  limiter.acquire('a');
  now = 10;
  limiter.release('a', 60_000);
  expect(limiter.acquire('a')).toEqual({ granted: false, waitMs: 60_000 });
  expect(limiter.acquire('a')).toEqual({ granted: false, waitMs: 60_250 });
  now = 60_010;
  expect(limiter.acquire('a')).toEqual({ granted: true });
});
