import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRetriedStatus, retryAfter, retryDelay } from './retry-policy.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('the scheduled wait is at least 1 s doubled each time, at most a quarter more, and never over 60 s', () => {
  fc.assert(
    fc.property(fc.nat(2_000), chance, (retry, random) => {
      const scheduled = Math.min(1_000 * 2 ** retry, 60_000);
      const wait = retryDelay(retry, null, random);
      expect(wait).toBeGreaterThanOrEqual(scheduled);
      expect(wait).toBeLessThanOrEqual(Math.min(scheduled * 1.25, 60_000));
    }),
  );
});

it('a wait that the server asked for is never undercut, and jitter stays within a quarter of the schedule', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.integer({ min: 1, max: 100_000 }), chance, (retry, asked, random) => {
      const wait = retryDelay(retry, asked, random);
      expect(wait).toBeGreaterThanOrEqual(asked * 1_000);
      expect(wait).toBeLessThanOrEqual(asked * 1_000 + 15_000);
    }),
  );
});

it('whatever the headers say, the server asks for a whole number of seconds or nothing', () => {
  const header = fc.oneof(fc.string(), fc.nat().map(String), fc.constantFrom('1e9', '-1', 'NaN', '٣', ' 5 '));
  fc.assert(
    fc.property(fc.constantFrom(409, 429, 500, 503), header, header, (status, after, reset) => {
      const headers = { 'retry-after': after, 'x-ratelimit-reset': reset };
      const asked = retryAfter({ status, headers }, Date.UTC(2026, 0, 1));
      expect(asked === null || (Number.isSafeInteger(asked) && asked > 0)).toBe(true);
    }),
  );
});

it('a reset never asks for more than its window of 60 s, whatever the clocks say', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 45 }), fc.nat({ max: 2 ** 45 }), (reset, date) => {
      const asked = retryAfter({ status: 429, headers: { 'x-ratelimit-reset': String(reset) } }, date);
      expect(asked ?? 1).toBeGreaterThan(0);
      expect(asked ?? 1).toBeLessThanOrEqual(60);
    }),
  );
});

it('of all statuses only 429, 500 and 503 are retried, and 409 when it says how long', () => {
  const retried = Array.from({ length: 600 }, (_, status) => status).filter((status) =>
    isRetriedStatus(status, null),
  );
  expect(retried).toEqual([429, 500, 503]);
  expect(isRetriedStatus(409, 1)).toBe(true);
  expect(isRetriedStatus(400, 1)).toBe(false);
});
