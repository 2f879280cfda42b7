import { expect, it } from 'vitest';
import { growth } from './fuzz.ts';

it.each([
  { readings: [100, 200, 300, 300, 300], grown: 0, why: 'caches fill in the first half' },
  { readings: [100, 100, 100, 100, 190, 120], grown: 90, why: 'the highest counts, not the last' },
  { readings: [100, 200, 300, 250, 200], grown: 0, why: 'giving memory back is not growth' },
  { readings: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], grown: 5, why: 'a leak of one for each reading' },
  { readings: [7], grown: 0, why: 'one reading says nothing' },
  { readings: [], grown: Number.NaN, why: 'none meets no goal' },
])('memory has grown by $grown: $why', ({ readings, grown }) => {
  expect(growth(readings)).toBe(grown);
});
