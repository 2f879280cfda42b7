import { expect, it } from 'vitest';
import { equal } from './equal.ts';

it('tells equal texts from those that differ in one place, or in length', () => {
  expect(equal('', '')).toBe(true);
  expect(equal('abc', 'abc')).toBe(true);
  for (const other of ['xbc', 'axc', 'abx', 'ab', 'abcd', '', 'abc\0', 'ABC']) {
    expect(equal('abc', other)).toBe(false);
    expect(equal(other, 'abc')).toBe(false);
  }
});
