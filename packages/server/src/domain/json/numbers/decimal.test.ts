import { describe, expect, it } from 'vitest';
import { compareDecimals, type Decimal, decimalOf } from './decimal.ts';

describe('a decimal number', () => {
  it.each<[string, -1 | 0 | 1, string, number]>([
    ['1', 1, '1', 1],
    ['-1', -1, '1', 1],
    ['120', 1, '12', 3],
    ['0.05', 1, '5', -1],
    ['1.50', 1, '15', 1],
    ['1e3', 1, '1', 4],
    ['-2.5E-3', -1, '25', -2],
    ['1E+2', 1, '1', 3],
    ['0', 0, '', 0],
    ['-0.00e7', 0, '', 0],
  ])('%s is %i · 0.%s · 10^%i', (text, sign, digits, point) => {
    expect(decimalOf(text)).toEqual({ sign, digits, point });
  });

  it.each(['', '-', '.5', '1.', '+1', '1e', '0x1', ' 1', '1\n', 'NaN', 'Infinity', '1,5', '١'])(
    '%j is not one',
    (text) => {
      expect(decimalOf(text)).toBeUndefined();
    },
  );
});

describe('two decimal numbers', () => {
  it.each([
    ['1', '2', -1],
    ['-2', '-1', -1],
    ['-10', '-1', -1],
    ['-1', '1', -1],
    ['-1', '0', -1],
    ['0', '1', -1],
    ['0', '0.001', -1],
    ['9', '10', -1],
    ['0.9', '0.91', -1],
    ['-0.91', '-0.9', -1],
    ['0.09', '0.1', -1],
    ['9007199254740992', '9007199254740993', -1],
    ['1e999999999998', '1e999999999999', -1],
    ['-1e999999999999', '-1e999999999998', -1],
    ['1.0', '1', 0],
    ['100', '1e2', 0],
    ['-0', '0.0', 0],
    ['0e5', '0', 0],
  ])('%s and %s compare as %i', (a, b, order) => {
    const [one, other] = [decimalOf(a) as Decimal, decimalOf(b) as Decimal];
    expect(Math.sign(compareDecimals(one, other))).toBe(order);
    expect(Math.sign(compareDecimals(other, one))).toBe(order === 0 ? 0 : -order);
  });
});
