import { describe, expect, it } from 'vitest';
import { parseDuration, parseValue } from './parse-value.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const time = (text: string, type: 'time' | 'later' = 'time') =>
  parseValue('since', { type, value: 'time', summary: '' }, { text, now });

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5s', 1_500],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '10', 'm', '-1h', '1e3s', '1 h', '1H', 'Infinityd'])('%j is not one', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('times', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31 12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2h', '2026-06-15T10:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(time(text)).toBe(iso);
  });

  it('counts a duration forwards where the flag is about the future', () => {
    expect(time('90d', 'later')).toBe('2026-09-13T12:00:00.000Z');
  });

  it.each(['2026-02-30', '2026-13-01', '2026-01-31T25:00:00Z', 'yesterday', '1769860800', ''])(
    'refuses %j',
    (text) => {
      expect(() => time(text)).toThrow(/--since takes a time/);
    },
  );
});

it('names the choices when a value is none of them', () => {
  const flag = { type: 'text', value: 'plan', summary: '', choices: ['free', 'team'] } as const;
  expect(() => parseValue('plan', flag, { text: 'gold', now })).toThrow(
    '--plan takes free, team; not "gold".',
  );
});

it.each(['-1', '1.5', '1e9', ' 1', '٣', ''])('refuses %j as a whole number', (text) => {
  expect(() => parseValue('limit', { type: 'integer', value: 'n', summary: '' }, { text, now })).toThrow(
    /whole number/,
  );
});
