import { expect, test } from 'vitest';
import { periodMs } from './period.ts';

test.each([
  ['90m', 90 * 60_000],
  ['24h', 24 * 60 * 60_000],
  ['7d', 7 * 24 * 60 * 60_000],
  ['366d', 366 * 24 * 60 * 60_000],
  ['367d', null],
  ['0h', null],
  ['24', null],
  ['1.5h', null],
  ['-1h', null],
  ['24 h', null],
  ['24H', null],
  ['', null],
])('%s', (text, ms) => {
  expect(periodMs(text)).toBe(ms);
});
