import { expect, it } from 'vitest';
import { bucketOf, bucketsOf, type StatsWindow } from './stats-window.ts';

it.each([
  [60, '2026-11-02T10:00:00.000Z', '2026-11-02T10:00:00.000Z'],
  [60, '2026-11-02T10:00:59.999Z', '2026-11-02T10:00:00.000Z'],
  [60, '2026-11-02T10:01:00.000Z', '2026-11-02T10:01:00.000Z'],
  [900, '2026-11-02T10:14:59.999Z', '2026-11-02T10:00:00.000Z'],
  [900, '2026-11-02T10:15:00.000Z', '2026-11-02T10:15:00.000Z'],
  [3_600, '2026-11-02T10:59:59.999Z', '2026-11-02T10:00:00.000Z'],
  [3_600, '2026-11-02T11:00:00.000Z', '2026-11-02T11:00:00.000Z'],
])('in buckets of %i s, %s is in that of %s', (resolution, at, bucket) => {
  expect(bucketOf(resolution, Date.parse(at))).toBe(bucket);
});

it.each<[StatsWindow, string, number, number, string, string]>([
  ['1h', '2026-11-02T10:00:00.000Z', 0, 60, '2026-11-02T09:01:00.000Z', '2026-11-02T10:00:00.000Z'],
  ['1h', '2026-11-02T10:00:59.999Z', 0, 60, '2026-11-02T09:01:00.000Z', '2026-11-02T10:00:00.000Z'],
  ['1h', '2026-11-02T10:01:00.000Z', 0, 60, '2026-11-02T09:02:00.000Z', '2026-11-02T10:01:00.000Z'],
  // The hour before ends where this one begins.
  ['1h', '2026-11-02T10:00:00.000Z', 1, 60, '2026-11-02T08:01:00.000Z', '2026-11-02T09:00:00.000Z'],
  ['24h', '2026-11-02T10:07:00.000Z', 0, 96, '2026-11-01T10:15:00.000Z', '2026-11-02T10:00:00.000Z'],
  ['7d', '2026-11-02T10:30:00.000Z', 0, 168, '2026-10-26T11:00:00.000Z', '2026-11-02T10:00:00.000Z'],
  ['7d', '2026-11-02T10:30:00.000Z', 2, 168, '2026-10-12T11:00:00.000Z', '2026-10-19T10:00:00.000Z'],
])(
  '%s that end at %s, %i windows earlier, are %i buckets from %s to %s',
  (window, now, back, count, first, last) => {
    const at = new Date(now);
    const buckets = back === 0 ? bucketsOf(window, at) : bucketsOf(window, at, back);
    expect([new Set(buckets).size, buckets[0], buckets.at(-1)]).toEqual([count, first, last]);
    expect(buckets).toEqual(buckets.toSorted());
  },
);
