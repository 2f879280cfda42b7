import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Places, SLOW_MS } from './places.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes a place and begins an attempt on it. */
function begin(places: Places) {
  places.hold(1);
  return places.begin();
}

it('a place is taken when it is held, and free when its attempt has ended or it is released', () => {
  const places = new Places(3);
  expect(places.free).toBe(3);
  places.hold(2);
  expect(places.free).toBe(1);
  const attempt = places.begin();
  expect(places.free).toBe(1);
  places.release(1);
  expect(places.free).toBe(2);
  places.end(attempt);
  expect(places.free).toBe(3);
  expect(places.mayTurnSlow).toBe(false);
});

describe('an attempt that takes long', () => {
  it('gives its place to others, and takes none again when it ends', () => {
    const places = new Places(2);
    const slow = begin(places);
    vi.advanceTimersByTime(SLOW_MS);
    const quick = begin(places);
    // To the millisecond, it is not slow yet.
    expect([places.free, slow.slow]).toEqual([0, false]);
    vi.advanceTimersByTime(1);
    expect([places.free, slow.slow, quick.slow]).toEqual([1, true, false]);
    places.end(slow);
    expect(places.free).toBe(1);
    places.end(quick);
    expect(places.free).toBe(2);
  });

  it('is looked for only while one may still turn slow', () => {
    const places = new Places(2);
    begin(places);
    expect(places.mayTurnSlow).toBe(true);
    vi.advanceTimersByTime(SLOW_MS + 1);
    expect(places.free).toBe(2);
    expect(places.mayTurnSlow).toBe(false);
  });

  it('holds its place when 2,048 others wait already', () => {
    const places = new Places(3_000);
    const attempts = Array.from({ length: 2_050 }, () => begin(places));
    vi.advanceTimersByTime(SLOW_MS + 1);
    expect(places.free).toBe(3_000 - 2);
    for (const attempt of attempts) places.end(attempt);
    expect(places.free).toBe(3_000);
  });
});

it('an attempt that ended quickly behind a slow one is no slow one', () => {
  const places = new Places(4);
  const [first, second, third] = [begin(places), begin(places), begin(places)];
  places.end(second);
  vi.advanceTimersByTime(SLOW_MS + 1);
  expect(places.free).toBe(4);
  expect([first.slow, second.slow, third.slow]).toEqual([true, false, true]);
  places.end(first);
  places.end(third);
  expect(places.free).toBe(4);
});
