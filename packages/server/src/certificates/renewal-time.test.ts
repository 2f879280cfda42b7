import { describe, expect, it } from 'vitest';
import { nextAttempt, renewalOf, type Situation } from './renewal-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');

const certificateFor = (lifeMs: number, fingerprint: string) => ({
  issuedAt: new Date(START),
  expiresAt: new Date(START + lifeMs),
  fingerprint,
});
const LEAST = '00:00:00:00:AB';
const MOST = 'FF:FF:FF:FF:AB';

describe('a certificate is renewed after two thirds of its life, plus up to a fiftieth at random', () => {
  it.each([
    [90 * DAY, LEAST, 60 * DAY],
    [90 * DAY, '80:00:00:00:AB', 60.9 * DAY],
    [90 * DAY, MOST, 61.8 * DAY],
    [6 * DAY, LEAST, 4 * DAY],
    [HOUR, MOST, 41.2 * MINUTE],
  ])('of %d ms with %s after %d ms', (lifeMs, fingerprint, afterMs) => {
    const after = renewalOf(certificateFor(lifeMs, fingerprint)).getTime() - START;
    expect(Math.abs(after - afterMs)).toBeLessThan(2);
  });
});

describe('the authority is asked', () => {
  const certificate = certificateFor(90 * DAY, LEAST);
  const failed = { certificate, failedAt: new Date(START), retryAfterMs: 0 };
  it.each<[string, Situation, number]>([
    [
      'at once, without a certificate',
      { certificate: null, failures: 0, failedAt: null, retryAfterMs: 0 },
      -START,
    ],
    [
      'at the time of the renewal, with a certificate',
      { certificate, failures: 0, failedAt: null, retryAfterMs: 0 },
      60 * DAY,
    ],
    ['two minutes after a failure', { ...failed, failures: 1 }, 2 * MINUTE],
    ['later after the next', { ...failed, failures: 4 }, 16 * MINUTE],
    ['an hour after each of many failures', { ...failed, failures: 6 }, HOUR],
    ['an hour after each failure, however many there were', { ...failed, failures: 5_000 }, HOUR],
    ['not before the time in its Retry-After', { ...failed, failures: 1, retryAfterMs: 5 * HOUR }, 5 * HOUR],
    [
      'not earlier because of a short Retry-After',
      { ...failed, failures: 4, retryAfterMs: MINUTE },
      16 * MINUTE,
    ],
    [
      'within a week, however long its Retry-After is',
      { ...failed, failures: 1, retryAfterMs: 400 * DAY },
      7 * DAY,
    ],
    [
      'later after a failure without a certificate, too',
      { ...failed, certificate: null, failures: 2 },
      4 * MINUTE,
    ],
  ])('%s', (_, situation, afterMs) => {
    expect(nextAttempt(situation).getTime() - START).toBe(afterMs);
  });
});
