import { expect, it } from 'vitest';
import { parseExact } from '../json/numbers/exact-number.ts';
import { OPERATORS, type Scalar, stepsOf, wantedOf } from './compare.ts';

const exact = (number: string) => (parseExact(`[${number}]`) as unknown[])[0];
const ORDERS = ['lt', 'lte', 'eq', 'gte', 'gt'] as const;
const LESS = ['lt', 'lte'];
const SAME = ['lte', 'eq', 'gte'];
const MORE = ['gte', 'gt'];

// A found value, the value of the condition, and the operators that hold.
it.each<[unknown, Scalar, readonly string[]]>([
  [1, 2, LESS],
  [2, 2, SAME],
  [3, 2, MORE],
  [-2, -1, LESS],
  [-10, -1, LESS],
  [0.5, 0.25, MORE],
  [0.5, '0.50', SAME],
  [2, '2', SAME],
  [10, '9', MORE],
  ['10', 9, MORE],
  ['9.0', 9, SAME],
  ['-10', -1, LESS],
  // Two texts compare character by character.
  ['10', '9', LESS],
  ['a', 'b', LESS],
  ['a', 'a', SAME],
  ['b', 'a', MORE],
  ['a', 'A', MORE],
  ['', 'a', LESS],
  // Beyond 2^53 the neighbors of a number are the same to JavaScript.
  [exact('9007199254740993'), '9007199254740992', MORE],
  [exact('9007199254740993'), '9007199254740993', SAME],
  ['9007199254740993', 9_007_199_254_740_991, MORE],
  [exact('1.10'), 1.1, SAME],
  [exact('1e999'), '1e1000', LESS],
  [true, true, ['eq']],
  [true, false, []],
  [true, 'true', []],
  ['true', true, []],
  [1, true, []],
  ['x', 1, []],
  [1, 'x', []],
  [null, 'null', []],
  [undefined, '', []],
  [{}, '[object Object]', []],
  [['a'], 'a', []],
])('%j and %j', (found, value, holding) => {
  const wanted = [wantedOf(value)];
  expect(ORDERS.filter((op) => OPERATORS[op].test(found, wanted))).toEqual(holding);
});

it.each<[keyof typeof OPERATORS, unknown, Scalar[], boolean]>([
  ['in', 'b', ['a', 'b'], true],
  ['in', 'c', ['a', 'b'], false],
  ['in', 2, ['1', '2.0'], true],
  ['in', 'a', [], false],
  ['contains', 'abc', ['bc'], true],
  ['contains', 'abc', ['cb'], false],
  ['contains', 'abc', [''], true],
  ['contains', 'a1', [1], false],
  ['contains', 11, ['1'], false],
  ['contains', ['a', 1], ['a'], true],
  ['contains', ['ab', 1], ['a'], false],
  ['contains', ['1'], [1], true],
  ['contains', [], ['a'], false],
  ['starts_with', 'abc', ['ab'], true],
  ['starts_with', 'abc', ['bc'], false],
  ['starts_with', '1', [1], false],
  ['ends_with', 'abc', ['bc'], true],
  ['ends_with', 'abc', ['ab'], false],
  ['ends_with', ['abc'], ['bc'], false],
  ['exists', '', [], true],
  ['exists', 0, [], true],
  ['exists', false, [], true],
  ['exists', null, [], false],
  ['exists', undefined, [], false],
  ['gt', 1, [], false],
])('%s of %j with %j: %s', (op, found, values, holds) => {
  expect(OPERATORS[op].test(found, values.map(wantedOf))).toBe(holds);
});

it('each negative operator inverts the test of another', () => {
  const pairs = { ne: 'eq', not_in: 'in', not_contains: 'contains', not_exists: 'exists' } as const;
  const denying = Object.entries(OPERATORS).flatMap(([op, { denies }]) => (denies ? [op] : []));
  expect(denying.toSorted()).toEqual(Object.keys(pairs).toSorted());
  for (const [op, other] of Object.entries(pairs))
    expect(OPERATORS[op as keyof typeof pairs].test).toBe(OPERATORS[other].test);
});

it.each<[string, unknown, number, number]>([
  ['a number', 7, 1, 2],
  ['a number with three values', 7, 3, 4],
  ['what is missing', undefined, 1, 2],
  ['an empty text', '', 1, 2],
  ['16 characters', 'x'.repeat(16), 1, 3],
  ['17 characters', 'x'.repeat(17), 1, 4],
  ['an empty list', [], 1, 1],
  ['a list', [1, 'x'.repeat(17), null], 2, 12],
])('%s costs its steps', (_, found, values, steps) => {
  expect(
    stepsOf(
      found,
      Array.from({ length: values }, () => wantedOf('a')),
    ),
  ).toBe(steps);
});
