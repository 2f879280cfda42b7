import { expect, test } from 'vitest';
import { allowance, spend } from './token-bucket.ts';

test.each([
  // Calls a second, used up to, now, and what is allowed. A group is a tenth of a second's worth, and at least one call.
  ['before the first call', 1, null, 1_000, { calls: 1, nextAt: 1_000 }],
  ['after a long rest, one group and no more', 100, 0, 60_000, { calls: 10, nextAt: 59_910 }],
  ['while an interval is under way', 1, 2_000, 1_500, { calls: 0, nextAt: 2_000 }],
  ['when it has just ended', 1, 2_000, 2_000, { calls: 1, nextAt: 2_000 }],
  ['with half a group used up', 100, 1_050, 1_000, { calls: 5, nextAt: 960 }],
  ['with the whole group used up', 100, 1_100, 1_000, { calls: 0, nextAt: 1_010 }],
  ['as far ahead as calls can move it', 100, 1_110, 1_000, { calls: 0, nextAt: 1_020 }],
  ['farther ahead than calls can move it', 100, 1_111, 1_000, { calls: 10, nextAt: 910 }],
  ['as far ahead as one call can move it', 1, 3_000, 1_000, { calls: 0, nextAt: 3_000 }],
  ['farther ahead than one call can move it', 1, 3_001, 1_000, { calls: 1, nextAt: 1_000 }],
  ['with one call of the group left', 100, 1_090, 1_000, { calls: 1, nextAt: 1_000 }],
  ['just before one call of the group is left', 100, 1_091, 1_000, { calls: 0, nextAt: 1_001 }],
  ['between two milliseconds', 3, 1_000 + 1_000 / 3, 1_000, { calls: 0, nextAt: 1_334 }],
  ['at a rate that no group divides', 19, null, 1_000, { calls: 1, nextAt: 1_000 }],
  ['after the clock was set back', 1, 900_000, 1_000, { calls: 1, nextAt: 1_000 }],
])('%s', (_, perSecond, usedUntil, now, allowed) => {
  expect(allowance({ perSecond, usedUntil }, now)).toEqual(allowed);
});

test.each([
  ['begins now before the first call', 10, null, 1, 1_100],
  ['begins where the last call ended', 10, 1_040, 1, 1_140],
  ['lends nothing to a rest', 10, 0, 1, 1_100],
  ['begins where a call as far ahead as possible ended', 100, 1_110, 1, 1_120],
  ['begins now where the clock was set back', 100, 1_111, 1, 1_010],
  ['counts every call of a group', 100, null, 10, 1_100],
])('spending %s', (_, perSecond, usedUntil, calls, usedAfter) => {
  expect(spend({ perSecond, usedUntil }, calls, 1_000)).toBe(usedAfter);
});
