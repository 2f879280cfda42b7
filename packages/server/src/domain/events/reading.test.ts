import { expect, it } from 'vitest';
import { firstText, firstTime, firstUrl, isExact, paths } from './reading.ts';

const KEY = `ghp_${'aB3'.repeat(12)}`;

it.each<[string, unknown, string | null]>([
  ['the first place', { a: 'one', b: 'two' }, 'one'],
  ['the next where the first is missing', { b: 'two' }, 'two'],
  ['the next where the first is empty', { a: ' \n ', b: 'two' }, 'two'],
  ['the next where the first is an object', { a: {}, b: 'two' }, 'two'],
  ['the next where the first is true', { a: true, b: 'two' }, 'two'],
  ['a number', { a: 7, b: 'two' }, '7'],
  ['zero', { a: 0, b: 'two' }, '0'],
  ['the next where a number is beyond 2^53', { a: 2 ** 53, b: 'two' }, 'two'],
  ['the next where a number is beyond all doubles', JSON.parse('{"a":1e999,"b":"two"}'), 'two'],
  ['one line', { a: ' one\n two ' }, 'one two'],
  ['no secret', { a: `use ${KEY}` }, 'use [redacted]'],
  ['no more than 4,000 characters', { a: `${' '.repeat(4_000)}x`, b: 'two' }, 'two'],
  ['a character at the end of them', { a: `${' '.repeat(3_999)}x`, b: 'two' }, 'x'],
  ['nothing', {}, null],
])('reads %s', (_, payload, text) => {
  expect(firstText(payload, ['/a', '/b'])).toBe(text);
  expect(firstText(payload, paths('/a', '/b'))).toBe(text);
});

it.each([
  [2 ** 53 - 1, true],
  [2 ** 53, false],
  [-(2 ** 53), false],
  [0.1, true],
  [Infinity, false],
])('%d is the number that was written: %s', (value, exact) => {
  expect(isExact(value)).toBe(exact);
});

const long = (length: number) => 'https://example.com/'.padEnd(length, 'x');

it.each<[string, unknown, string | null]>([
  ['a web address', 'https://example.com/a?b=1&c=2', 'https://example.com/a?b=1&c=2'],
  ['one in capitals', 'HTTP://EXAMPLE.COM/A', 'http://example.com/A'],
  ['one of 2,048 characters', long(2_048), long(2_048)],
  ['none of 2,049', long(2_049), null],
  ['no secret', 'https://ana:hunter2@example.com/', 'https://[redacted]@example.com/'],
  ['no script', 'javascript:alert(1)', null],
  ['no script that holds a web address', 'javascript:alert(1)//https://example.com', null],
  ['no address after something else', 'see https://example.com', null],
  ['no host that is not one', 'https://', null],
  ['no number', 7, null],
])('leads to %s', (_, value, url) => {
  expect(firstUrl({ a: value }, ['/a'])).toBe(url);
  expect(firstUrl({ a: value, b: 'https://b.example/' }, ['/a', '/b'])).toBe(url ?? 'https://b.example/');
});

it.each<[unknown, string | null]>([
  ['2026-11-02T10:00:00Z', '2026-11-02T10:00:00.000Z'],
  ['2026-11-02T10:00:00.5+02:00', '2026-11-02T08:00:00.500Z'],
  ['yesterday', null],
  ['1700000000', null],
  [1_700_000_000, '2023-11-14T22:13:20.000Z'],
  [1_700_000_000.5, '2023-11-14T22:13:20.500Z'],
  // Seconds from 1973 to 5138: less is a count, and more are milliseconds or an ID.
  [1e8 - 1, null],
  [1e8, '1973-03-03T09:46:40.000Z'],
  [1e11 - 1, '5138-11-16T09:46:39.000Z'],
  [1e11, null],
  [Number.NaN, null],
])('%j is the time %s', (value, time) => {
  expect(firstTime({ a: value }, ['/a'])).toBe(time);
  expect(firstTime({ a: value, b: 1e9 }, ['/a', '/b'])).toBe(time ?? '2001-09-09T01:46:40.000Z');
});
