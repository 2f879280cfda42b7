import { expect, it } from 'vitest';
import { AdaptiveConcurrency, SLOW_MS } from './adaptive-concurrency.ts';

const quick = { ok: true, durationMs: 5 };
const slow = { ok: true, durationMs: SLOW_MS };
const failed = { ok: false, durationMs: 5 };

it.each([
  [
    'grows by one with each quick success, up to its maximum',
    [quick, quick, quick, quick, quick],
    [3, 4, 5, 6, 6],
  ],
  [
    'is halved by each failure, down to where it began',
    [quick, quick, quick, failed, failed],
    [3, 4, 5, 2, 2],
  ],
  ['is halved by each slow success', [quick, quick, slow, quick], [3, 4, 2, 3]],
])('the concurrency limit of a webhook %s', (_what, attempts, limits) => {
  const concurrency = new AdaptiveConcurrency({ initial: 2, max: 6 });
  const seen = attempts.map((attempt) => {
    concurrency.record(attempt);
    return concurrency.limit;
  });
  expect(seen).toEqual(limits);
});

it('a webhook is slow until an attempt ends quickly, with whatever result', () => {
  const concurrency = new AdaptiveConcurrency({ initial: 2, max: 6 });
  const seen = [quick, slow, failed, { ok: false, durationMs: 30_000 }, quick].map((attempt) => {
    concurrency.record(attempt);
    return concurrency.wasSlow;
  });
  expect(seen).toEqual([false, true, false, true, false]);
});
