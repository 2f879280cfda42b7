import { expect, test } from 'vitest';
import { fieldOf, readForm } from './form-body.ts';

test.each([
  ['', {}],
  ['&&', {}],
  ['a', { a: '' }],
  ['a=1&b=x+y%26z&c=', { a: '1', b: 'x y&z', c: '' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a=b=c', { a: 'b=c' }],
  ['__proto__=1', { ['__proto__']: '1' }],
])('reads %s', (text, fields) => {
  expect(readForm(text)).toEqual({ ok: true, fields });
});

test.each([
  ['a=%ff', 'is a form with escapes that are not UTF-8'],
  ['a=%', 'is a form with escapes that are not UTF-8'],
  ['a&'.repeat(10_001), 'is a form with more than 10,000 fields'],
])('refuses %.10s', (text, issue) => {
  expect(readForm(text)).toEqual({ ok: false, issue });
});

test('reads a form with as many fields as are allowed', () => {
  const form = readForm('a&'.repeat(10_000));
  expect(form.ok && form.fields['a']).toHaveLength(10_000);
});

test.each([
  ['payload=%7B%7D', '{}'],
  ['x=1&payload=a&payload=b', 'a'],
  [`${'a&'.repeat(100_000)}payload=1`, '1'],
  ['x=1', undefined],
  ['payload=%ff', undefined],
])('finds one field of a form, however many there are: %.20s', (text, value) => {
  expect(fieldOf(text, 'payload')).toBe(value);
});
