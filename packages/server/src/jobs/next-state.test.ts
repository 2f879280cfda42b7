import { describe, expect, it } from 'vitest';
import { type JobOutcome, nextJobState } from './next-state.ts';

const NOW = 1_000_000;
const MINUTE = 60_000;
const failed: JobOutcome = { kind: 'failed', reason: 'no response', permanent: false, retryAfterMs: 0 };

const after = (
  outcome: JobOutcome,
  {
    attempts = 1,
    random = 0.5,
    before = 'before',
    ...kind
  }: { attempts?: number; random?: number; before?: string; maxAttempts?: number; everyMs?: number } = {},
) => nextJobState(kind, { attempts, last_error: before, due_at: 0 }, { outcome, now: NOW, random });

it('a job that is done is over, and a periodic one runs once per period, however many runs were missed', () => {
  expect(after({ kind: 'done' })).toBeNull();
  expect(after({ kind: 'done' }, { everyMs: 10 * MINUTE, attempts: 3 })).toEqual({
    due_at: NOW + 10 * MINUTE,
    attempts: 0,
    last_error: null,
    failed_at: null,
  });
});

it('a job that made progress goes on, and its attempts count from zero', () => {
  expect(after({ kind: 'again', inMs: 200 }, { attempts: 7 })).toEqual({
    due_at: NOW + 200,
    attempts: 0,
    last_error: null,
    failed_at: null,
  });
});

it('an attempt that a stop cut off does not count, and is due at once', () => {
  expect(after({ kind: 'interrupted' }, { attempts: 3 })).toEqual({
    due_at: NOW,
    attempts: 2,
    last_error: 'before',
    failed_at: null,
  });
});

it.each([
  [1, 5],
  [2, 20],
  [3, 80],
  [4, 320],
  [5, 1_280],
  [6, 5_120],
  [7, 7_200],
  [9, 7_200],
])('attempt %i is followed by a retry after %i s', (attempts, seconds) => {
  expect(after(failed, { attempts })).toEqual({
    due_at: NOW + seconds * 1_000,
    attempts,
    last_error: 'no response',
    failed_at: null,
  });
});

it('the retries of jobs that failed together are spread over two fifths of the delay', () => {
  expect(after(failed, { random: 0 })?.due_at).toBe(NOW + 4_000);
  expect(after(failed, { random: 1 })?.due_at).toBe(NOW + 6_000);
});

it('the wait that a called server asks for is kept', () => {
  expect(after({ ...failed, retryAfterMs: MINUTE })?.due_at).toBe(NOW + MINUTE);
});

it('the last attempt, or a permanent failure, ends the job', () => {
  const end = { due_at: NOW, last_error: 'no response', failed_at: NOW };
  expect(after(failed, { attempts: 10 })).toEqual({ ...end, attempts: 10 });
  expect(after(failed, { attempts: 2, maxAttempts: 2 })).toEqual({ ...end, attempts: 2 });
  expect(after({ ...failed, permanent: true })).toEqual({ ...end, attempts: 1 });
  expect(after(failed, { attempts: 1_000, maxAttempts: Infinity })?.failed_at).toBeNull();
});

it('a periodic job never ends, and is retried no later than its next run', () => {
  const last = after({ ...failed, permanent: true }, { attempts: 50, everyMs: MINUTE });
  expect(last).toEqual({ due_at: NOW + MINUTE, attempts: 50, last_error: 'no response', failed_at: null });
});

describe('an attempt that a crash cut off', () => {
  const CRASHED = 'the server crashed during this attempt';

  it.each([
    ['is retried at once', { attempts: 1 }, 0],
    ['counts as a failed one', { attempts: 2 }, 20_000],
    ['is retried later after each crash', { attempts: 4, before: CRASHED }, 320_000],
    ['is no reason to fail while crashes do not follow each other', { attempts: 9 }, 7_200_000],
    ['of a periodic job is retried no later than its next run', { attempts: 4, everyMs: MINUTE }, MINUTE],
    ['can be the last one', { attempts: 10 }, null],
    ['is never the last one of some kinds', { attempts: 10, maxAttempts: Infinity }, 7_200_000],
  ])('%s', (_, given, delayMs) => {
    expect(after({ kind: 'crashed' }, given)).toEqual({
      attempts: given.attempts,
      last_error: CRASHED,
      due_at: NOW + (delayMs ?? 0),
      failed_at: delayMs === null ? NOW : null,
    });
  });

  it.each([{}, { maxAttempts: Infinity }])(
    'ends a job of any kind that is not periodic at its fifth attempt or later, if a crash cut off the one before as well: %o',
    (kind) => {
      for (const attempts of [5, 7])
        expect(after({ kind: 'crashed' }, { ...kind, attempts, before: CRASHED })).toEqual({
          attempts,
          last_error: `${CRASHED} and the one before`,
          due_at: NOW,
          failed_at: NOW,
        });
    },
  );

  it.each([
    ['a periodic job is put off for a day instead', MINUTE, 1_440],
    ['or for its period, if that is longer', 10_000 * MINUTE, 10_000],
  ])('%s', (_, everyMs, minutes) => {
    const again = `${CRASHED} and the one before`;
    const putOff = { last_error: again, due_at: NOW + minutes * MINUTE, failed_at: null };
    for (const attempts of [5, 7])
      expect(after({ kind: 'crashed' }, { everyMs, attempts, before: CRASHED })).toEqual({
        attempts,
        ...putOff,
      });
    // After that day, one crash is not enough.
    const next = after({ kind: 'crashed' }, { everyMs, attempts: 6, before: again });
    expect(next).toMatchObject({ last_error: CRASHED, failed_at: null });
    expect(next?.due_at).toBeLessThan(putOff.due_at);
  });
});
