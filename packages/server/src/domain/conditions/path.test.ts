import { describe, expect, it } from 'vitest';
import { EVERY, parsePath, type Step, valueAt, valuesAt } from './path.ts';

describe('a path', () => {
  it.each<[string, readonly Step[]]>([
    ['event', ['event']],
    ['event.payload.labels[*].name', ['event', 'payload', 'labels', EVERY, 'name']],
    ['a[0]', ['a', 0]],
    ['a[10][*]', ['a', 10, EVERY]],
    ['a[999999999]', ['a', 999_999_999]],
    ['a["b.c"].d', ['a', 'b.c', 'd']],
    [String.raw`a["\"]"]`, ['a', '"]']],
    [String.raw`a["\u0062"]`, ['a', 'b']],
    ['a[""]', ['a', '']],
    ['a.0', ['a', '0']],
    ['a.é b', ['a', 'é b']],
  ])('%s has its steps', (text, steps) => {
    expect(parsePath(text)).toEqual(steps);
  });

  it.each([
    '',
    '.a',
    'a.',
    'a..b',
    '[0]',
    'a[]',
    'a[01]',
    'a[-1]',
    'a[1000000000]',
    'a[b]',
    'a["b]',
    'a[0',
    'a]',
    'a[*]b',
    'a[*]bc',
    'a.[0]',
    String.raw`a["\x"]`,
    'a["\n"]',
  ])('%j is not one', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });
});

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

describe('the values at a path', () => {
  it.each<[string, unknown, Step[], unknown[]]>([
    ['a member', { a: 1 }, ['a'], [1]],
    ['an item', [1, 2], [1], [2]],
    ['every item', [1, 2], [EVERY], [1, 2]],
    ['the members of every item', [{ a: 1 }, {}, { a: 2 }, null, 3], [EVERY, 'a'], [1, 2]],
    ['no member of a text', 'abc', ['length'], []],
    ['no inherited member', {}, ['toString'], []],
    ['no items of an object', { a: 1 }, [EVERY], []],
    ['1,000 items', numbers(1_000), [EVERY], numbers(1_000)],
    ['no item more', numbers(1_001), [EVERY], numbers(1_000)],
    ['no item more of several lists', [numbers(600), numbers(600, 600)], [EVERY, EVERY], numbers(1_000)],
    ['no item of a list behind them', [numbers(1_000), [7]], [EVERY, EVERY], numbers(1_000)],
    ['an item far behind, by its position', numbers(2_000), [1_999], [1_999]],
  ])('are %s', (_, root, steps, values) => {
    expect(valuesAt(root, steps)).toEqual(values);
  });

  it.each<[unknown, Step[], unknown]>([
    [{ a: [{ b: 1 }] }, ['a', 0, 'b'], 1],
    [{ a: null }, ['a'], null],
    [{ a: null }, ['a', 'b'], undefined],
    [{ a: 'text' }, ['a', 'length'], undefined],
    [{ a: 'text' }, ['a', 0], undefined],
    [[1], [1], undefined],
    [{}, ['__proto__'], undefined],
    [{}, ['constructor', 'name'], undefined],
    [7, [], 7],
  ])('of %j at %j is %j', (root, steps, value) => {
    expect(valueAt(root, steps)).toEqual(value);
  });
});
