import { describe, expect, it } from 'vitest';
import { SLOW_MS } from './adaptive-concurrency.ts';
import { Permits, type UsedPermit } from './permits.ts';

/** Takes a permit and begins an attempt with it. */
function begin(permits: Permits, at = 0) {
  permits.take(1);
  return permits.begin(at);
}

/** Ends an attempt, and records its result. */
function finish(permits: Permits, attempt: UsedPermit) {
  permits.end(attempt);
  permits.noteRecorded(attempt);
}

it('a permit is taken when it is granted, and free when its attempt has ended or it is given back', () => {
  const permits = new Permits(3);
  expect(permits.free(0)).toBe(3);
  permits.take(2);
  expect(permits.free(0)).toBe(1);
  const attempt = permits.begin(0);
  expect(permits.free(0)).toBe(1);
  permits.giveBack(1);
  expect(permits.free(0)).toBe(2);
  finish(permits, attempt);
  expect(permits.free(0)).toBe(3);
  expect(permits.mayTurnSlow).toBe(false);
});

it('of attempts that have ended, as many as there are permits wait to be recorded; each further one keeps its permit', () => {
  const permits = new Permits(2);
  const ended: UsedPermit[] = [];
  for (const [unrecorded, free] of [
    [1, 2],
    [2, 2],
    [3, 1],
    [4, 0],
  ]) {
    const attempt = begin(permits);
    permits.end(attempt);
    ended.push(attempt);
    expect([unrecorded, permits.free(SLOW_MS + 1)]).toEqual([unrecorded, free]);
  }
  for (const attempt of ended.splice(0, 2)) permits.noteRecorded(attempt);
  expect(permits.free(0)).toBe(2);
});

describe('a slow attempt', () => {
  it('gives its permit to others, and does not give it back again when it ends', () => {
    const permits = new Permits(2);
    const slow = begin(permits);
    const quick = begin(permits, SLOW_MS);
    // At exactly SLOW_MS, it is not slow yet.
    expect([permits.free(SLOW_MS), slow.slow]).toEqual([0, false]);
    expect([permits.free(SLOW_MS + 1), slow.slow, quick.slow]).toEqual([1, true, false]);
    finish(permits, slow);
    expect(permits.free(SLOW_MS + 1)).toBe(1);
    finish(permits, quick);
    expect(permits.free(SLOW_MS + 1)).toBe(2);
  });

  it('takes no permit when it ends, however many end together', () => {
    const permits = new Permits(2);
    const attempts = Array.from({ length: 6 }, () => begin(permits));
    expect(permits.free(SLOW_MS + 1)).toBe(2);
    for (const attempt of attempts) permits.end(attempt);
    expect(permits.free(SLOW_MS + 1)).toBe(2);
    for (const attempt of attempts) permits.noteRecorded(attempt);
    expect(permits.free(SLOW_MS + 1)).toBe(2);
  });

  it('is looked for only while an attempt may still turn slow', () => {
    const permits = new Permits(2);
    begin(permits);
    expect(permits.mayTurnSlow).toBe(true);
    expect(permits.free(SLOW_MS + 1)).toBe(2);
    expect(permits.mayTurnSlow).toBe(false);
  });

  it('keeps its permit when 2,048 others are slow already', () => {
    const permits = new Permits(3_000);
    const attempts = Array.from({ length: 2_050 }, () => begin(permits));
    expect(permits.free(SLOW_MS + 1)).toBe(3_000 - 2);
    for (const attempt of attempts) finish(permits, attempt);
    expect(permits.free(SLOW_MS + 1)).toBe(3_000);
  });
});

it('keeps permits for receivers that are just turning slow, even if known slow ones want all of them', () => {
  const permits = new Permits(256);
  const attempts: ReturnType<typeof begin>[] = [];
  for (let at = 0; permits.freeForSlow(at) > 0; at += SLOW_MS + 1)
    for (let count = permits.freeForSlow(at); count > 0; count -= 1) attempts.push(begin(permits, at));
  expect(attempts).toHaveLength(1_536);
  const now = 1e6;
  expect(permits.free(now)).toBe(256);
  for (const attempt of attempts.splice(0, 3)) finish(permits, attempt);
  expect(permits.freeForSlow(now)).toBe(3);
});

it('an attempt that ended quickly behind a slow one is not slow', () => {
  const permits = new Permits(4);
  const [first, second, third] = [begin(permits), begin(permits), begin(permits)];
  finish(permits, second);
  expect(permits.free(SLOW_MS + 1)).toBe(4);
  expect([first.slow, second.slow, third.slow]).toEqual([true, false, true]);
  finish(permits, first);
  finish(permits, third);
  expect(permits.free(SLOW_MS + 1)).toBe(4);
});
