import { describe, expect, it } from 'vitest';
import { isoTime, millis } from './time.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-23T09:34:00.000Z');
const TIMES = [
  0,
  1,
  59_999,
  MINUTE,
  -1,
  -MINUTE,
  -10 * MINUTE - 7,
  NOW,
  NOW + 59_999,
  // The same last digit of another minute, and back.
  NOW + 10 * MINUTE + 5,
  NOW + 12,
  NOW - 1_000_000 * MINUTE,
  Date.parse('9999-12-31T23:59:59.999Z'),
  Date.parse('0001-01-01T00:00:00.000Z'),
];

it.each(TIMES)('%i is written as `Date` writes it, and read back', (time) => {
  const text = new Date(time).toISOString();
  expect(millis(text)).toBe(time);
  expect(isoTime(time)).toBe(text);
  expect(millis(text)).toBe(time);
});

describe('a text that looks like a time of a known minute', () => {
  it.each([
    '2026-11-23T09:34:10+02:00',
    '2026-11-23T09:34:10+0200',
    '2026-11-23T09:34:10Z',
    '2026-11-23T09:34:10.1Z',
    '2026-11-23T09:34:10.1234Z',
    '2026-11-23T09:34:60.000Z',
    '2026-11-23T09:34:x0.000Z',
    '2026-11-23T09:34:10.0x0Z',
    '2026-11-23T09:34:10,000Z',
    '2026-11-23T09:34:10.000z',
    '2026-11-23T09:34:10.000+',
    '2026-11-23',
    '',
  ])('%s is read as `Date` reads it', (text) => {
    isoTime(NOW);
    expect(millis(text)).toBe(Date.parse(text));
  });
});

it('refuses what is not a time', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(() => isoTime(9e15)).toThrow(RangeError);
});
