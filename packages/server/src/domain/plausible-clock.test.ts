import { expect, it } from 'vitest';
import { isPlausible } from './plausible-clock.ts';

it.each([
  ['1970-01-01T00:00:00.000Z', false],
  ['2025-12-31T23:59:59.999Z', false],
  ['2026-01-01T00:00:00.000Z', true],
  ['2026-11-02T10:00:00.000Z', true],
  ['2055-12-31T23:59:59.999Z', true],
  ['2056-01-01T00:00:00.000Z', false],
  ['2056-01-01T00:00:00.001Z', false],
  ['+010000-01-01T00:00:00.000Z', false],
  ['-000001-01-01T00:00:00.000Z', false],
])('a clock that shows %s may be right: %s', (now, plausible) => {
  expect(isPlausible(new Date(now))).toBe(plausible);
});
