import { expect, test } from 'vitest';
import { type DeliveryState, stateAfterAttempt } from './delivery.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const EARLIER = '2026-01-02T02:00:00.000Z';
const LATER = '2026-01-02T03:07:00.000Z';

const fails = (retryAfterMs: number | null = null) => ({ ok: false, retryAfterMs });
const SUCCEEDS = { ok: true, retryAfterMs: null };

function stateAfter(state: Partial<DeliveryState>, result: Parameters<typeof stateAfterAttempt>[1]) {
  const before: DeliveryState = {
    status: 'pending',
    cause: 'event',
    attemptCount: 0,
    scheduledCount: 0,
    nextAttemptAt: null,
    extra: null,
    completedAt: null,
    ...state,
  };
  return stateAfterAttempt(before, result, NOW);
}

test.each([
  // Attempts of the schedule so far, `Retry-After` of the response, and the wait, both in seconds.
  [0, null, 5],
  [1, null, 25],
  [2, null, 120],
  [3, null, 600],
  [0, 3, 5],
  [0, 90, 90],
  [3, 3_600, 3_600],
  [3, 7_200, 3_600],
])('after %i attempts a failure with Retry-After %s waits %i s', (scheduled, retryAfter, wait) => {
  const due = new Date(NOW.getTime() + wait * 1_000).toISOString();
  const result = fails(retryAfter === null ? null : retryAfter * 1_000);
  expect(stateAfter({ attemptCount: scheduled, scheduledCount: scheduled }, result)).toEqual({
    status: 'retrying',
    attemptCount: scheduled + 1,
    scheduledCount: scheduled + 1,
    nextAttemptAt: due,
    dueAt: due,
    completedAt: null,
  });
});

const resumed = { status: 'retrying', nextAttemptAt: LATER, dueAt: LATER, completedAt: null };
const ended = (status: 'delivered' | 'failed', completedAt = NOW.toISOString()) => ({
  status,
  nextAttemptAt: null,
  dueAt: null,
  completedAt,
});

test.each([
  ['the first attempt succeeds', {}, SUCCEEDS, ended('delivered'), 1],
  ['the fifth succeeds', { status: 'retrying', scheduledCount: 4 }, SUCCEEDS, ended('delivered'), 5],
  ['the fifth fails', { status: 'retrying', scheduledCount: 4 }, fails(), ended('failed'), 5],
  ['the fifth fails and asks to wait', { scheduledCount: 4 }, fails(60_000), ended('failed'), 5],
  ['a test call fails', { cause: 'test' }, fails(), ended('failed'), 1],
  // Extra attempts leave the schedule where it was.
  [
    'one by hand succeeds',
    { extra: 'manual', scheduledCount: 5, status: 'failed' },
    SUCCEEDS,
    ended('delivered'),
    5,
  ],
  [
    'one by hand fails',
    { extra: 'manual', scheduledCount: 5, status: 'failed' },
    fails(),
    ended('failed'),
    5,
  ],
  [
    'a recovery fails',
    { extra: 'recovery', scheduledCount: 5, status: 'failed' },
    fails(),
    ended('failed'),
    5,
  ],
  [
    'one by hand fails between two of the schedule',
    { extra: 'manual', scheduledCount: 2, status: 'retrying', nextAttemptAt: LATER },
    fails(60_000),
    resumed,
    2,
  ],
  [
    'a retry of a delivered one fails',
    { extra: 'manual', scheduledCount: 1, status: 'delivered', completedAt: EARLIER },
    fails(),
    ended('delivered', EARLIER),
    1,
  ],
] satisfies [string, Partial<DeliveryState>, Parameters<typeof stateAfterAttempt>[1], object, number][])(
  '%s',
  (_, state: Partial<DeliveryState>, result, after, scheduled) => {
    expect(stateAfter({ attemptCount: 7, ...state }, result)).toEqual({
      ...after,
      attemptCount: 8,
      scheduledCount: scheduled,
    });
  },
);
