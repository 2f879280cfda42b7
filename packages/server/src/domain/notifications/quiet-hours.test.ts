import { expect, it } from 'vitest';
import { isTimeZone, quietUntil } from './quiet-hours.ts';

const NIGHT = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' };
const until = (quiet: Parameters<typeof quietUntil>[0], at: string) =>
  quietUntil(quiet, new Date(at))?.toISOString() ?? null;

it.each([
  // Winter: UTC+1.
  ['2026-11-22T20:59:59Z', null],
  ['2026-11-22T21:00:00Z', '2026-11-23T06:00:00.000Z'],
  ['2026-11-23T05:59:59Z', '2026-11-23T06:00:00.000Z'],
  ['2026-11-23T06:00:00Z', null],
  // Summer: UTC+2.
  ['2026-07-01T20:00:00Z', '2026-07-02T05:00:00.000Z'],
  // The night in which clocks go forward, and the one in which they go back.
  ['2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
  ['2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
])('at %s the night ends at %s', (at, end) => {
  expect(until(NIGHT, at)).toBe(end);
});

it('an end that the clocks skip is an hour later, and of an end that comes twice, the second counts', () => {
  const early = { ...NIGHT, to: '02:30' };
  expect(until(early, '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
  expect(until(early, '2026-10-24T23:00:00Z')).toBe('2026-10-25T01:30:00.000Z');
  expect(until(early, '2026-10-25T00:45:00Z')).toBe('2026-10-25T01:30:00.000Z');
});

it('of a beginning that comes twice, the first counts, and one that the clocks skip is an hour earlier', () => {
  const late = { ...NIGHT, from: '02:30' };
  expect(until(late, '2026-10-25T00:29:00Z')).toBeNull();
  expect(until(late, '2026-10-25T00:45:00Z')).toBe('2026-10-25T06:00:00.000Z');
  expect(until(late, '2026-10-25T01:15:00Z')).toBe('2026-10-25T06:00:00.000Z');
  expect(until(late, '2026-03-29T01:15:00Z')).toBe('2026-03-29T05:00:00.000Z');
});

it('days are those on which the hours begin', () => {
  const friday = { ...NIGHT, days: ['fri' as const] };
  expect(until(friday, '2026-11-20T22:00:00Z')).toBe('2026-11-21T06:00:00.000Z');
  expect(until(friday, '2026-11-21T05:00:00Z')).toBe('2026-11-21T06:00:00.000Z');
  expect(until(friday, '2026-11-21T22:00:00Z')).toBeNull();
});

it('hours that follow each other are one period', () => {
  const weekend = { timezone: 'UTC', days: ['sat' as const, 'sun' as const], from: '00:00', to: '23:59' };
  expect(until(weekend, '2026-11-21T12:00:00Z')).toBe('2026-11-21T23:59:00.000Z');
  const whole = { timezone: 'UTC', days: ['sat' as const, 'sun' as const], from: '08:00', to: '07:59' };
  expect(until(whole, '2026-11-21T12:00:00Z')).toBe('2026-11-22T07:59:00.000Z');
});

type Quiet = Parameters<typeof quietUntil>[0];
const hours = (from: string, to: string, days?: Quiet['days']): Quiet => ({
  timezone: 'UTC',
  from,
  to,
  ...(days && { days }),
});

// The 21st is a Saturday.
it.each<[string, Quiet, string, string | null]>([
  [
    'two days that join are one',
    hours('08:00', '08:00', ['sat', 'sun']),
    '2026-11-21T08:00:00Z',
    '2026-11-23T08:00:00.000Z',
  ],
  [
    'two days that join end with the second',
    hours('08:00', '08:00', ['sat', 'sun']),
    '2026-11-23T07:59:59.999Z',
    '2026-11-23T08:00:00.000Z',
  ],
  [
    'two days that join are over at the end of the second',
    hours('08:00', '08:00', ['sat', 'sun']),
    '2026-11-23T08:00:00Z',
    null,
  ],
  [
    'days that do not join are two',
    hours('08:00', '08:00', ['sat', 'mon']),
    '2026-11-21T08:00:00Z',
    '2026-11-22T08:00:00.000Z',
  ],
  [
    'a minute between two days parts them',
    hours('08:00', '07:59', ['sat', 'sun']),
    '2026-11-22T07:58:59.999Z',
    '2026-11-22T07:59:00.000Z',
  ],
  [
    'the minute between two days is not quiet',
    hours('08:00', '07:59', ['sat', 'sun']),
    '2026-11-22T07:59:00Z',
    null,
  ],
  [
    'hours without an end are looked at for eight days',
    hours('00:00', '00:00'),
    '2026-11-21T12:00:00Z',
    '2026-11-29T00:00:00.000Z',
  ],
  ['hours within a day begin', hours('12:00', '13:30'), '2026-11-21T12:00:00Z', '2026-11-21T13:30:00.000Z'],
  [
    'the time before hours within a day is not quiet',
    hours('12:00', '13:30'),
    '2026-11-21T11:59:59.999Z',
    null,
  ],
  ['hours within a day end', hours('12:00', '13:30'), '2026-11-21T13:30:00Z', null],
  ['hours without a day are never quiet', hours('12:00', '13:30', []), '2026-11-21T12:00:00Z', null],
])('%s', (_, quiet, at, end) => {
  expect(until(quiet, at)).toBe(end);
});

it('knows zones that are not whole hours away from UTC, and zones beyond the date line', () => {
  expect(until({ ...NIGHT, timezone: 'Asia/Kathmandu' }, '2026-11-22T17:00:00Z')).toBe(
    '2026-11-23T01:15:00.000Z',
  );
  expect(until({ ...NIGHT, timezone: 'Pacific/Kiritimati' }, '2026-11-22T09:00:00Z')).toBe(
    '2026-11-22T17:00:00.000Z',
  );
});

it('tells a time zone from any other word', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].map(isTimeZone)).toEqual([true, true, true]);
  expect(['Berlin', '', 'Europe/Nowhere'].map(isTimeZone)).toEqual([false, false, false]);
});
