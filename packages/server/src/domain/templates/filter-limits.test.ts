import { Drop, type Liquid, toValueSync } from 'liquidjs';
import { expect, it } from 'vitest';
import { LIMITED_OPERATORS, limitFilters, weigh } from './filter-limits.ts';

class Text extends Drop {
  readonly #text: string;
  constructor(text: string) {
    super();
    this.#text = text;
  }
  override valueOf = () => this.#text;
}

/** A filter that does nothing, behind its limits: its result, or the rule that it breaks. */
function limited(name: string, check = () => {}): (...input: unknown[]) => unknown {
  const filters: Record<string, (...input: unknown[]) => unknown> = { [name]: () => 'done' };
  const registerFilter = (of: string, filter: (typeof filters)[string]) => void (filters[of] = filter);
  limitFilters({ filters, registerFilter } as unknown as Liquid);
  return (...input) => {
    try {
      return filters[name]?.apply({ context: { renderLimit: { check } } }, input);
    } catch (error) {
      return (error as Error).message;
    }
  };
}

const x = (length: number) => 'x'.repeat(length);
const list = (length: number, item: unknown = 1) => Array<unknown>(length).fill(item);
const object = (members: number) => Object.fromEntries(list(members).map((_, index) => [index, 1]));

// The most that is allowed, one more, and the rule that it breaks.
it.each<[string, unknown[], unknown[], string]>([
  ['slice', [x(1_048_576)], [x(1_048_577)], 'strings of at most 1048576 characters'],
  ['slice', [new Text(x(1_048_576))], [new Text(x(1_048_577))], 'strings of at most 1048576 characters'],
  ['map', [list(10_000)], [list(10_001)], 'lists of at most 10000 items'],
  ['concat', [[], list(10_000)], [[], list(10_001)], 'lists of at most 10000 items'],
  ['sample', [x(10_000)], [x(10_001)], 'at most 10000 items'],
  ['group_by', [object(10_000), 'a'], [object(10_001), 'a'], 'at most 10000 items'],
  ['sort', [[x(262_143)]], [[x(262_144)]], 'lists with at most 262144 characters in all'],
  ['sort', [list(2, x(131_071))], [list(2, x(131_072))], 'lists with at most 262144 characters in all'],
  ['sort_natural', [[x(262_143)]], [[x(262_144)]], 'lists with at most 262144 characters in all'],
  // Of a list that is sorted by a property, only that property counts, and not an inherited one.
  [
    'sort',
    [[{ a: { b: x(262_143) }, c: x(262_144) }], 'a.b'],
    [[{ a: { b: x(262_144) } }], 'a.b'],
    'lists with at most 262144 characters in all',
  ],
  [
    'sort',
    [[Object.create({ a: x(262_144) })], 'a'],
    [[{ a: x(262_144) }], 'a'],
    'lists with at most 262144 characters in all',
  ],
  ['split', [x(131_072), ','], [x(131_073), ','], 'strings of at most 131072 characters'],
  ['replace', [x(1_000_000), x(20)], [x(952_381), x(21)], 'a shorter text to search, or to search for'],
  ['remove_last', [x(20), x(1_000_000)], [x(21), x(1_000_000)], 'a shorter text to search, or to search for'],
  ['upcase', [x(1_048_574)], [x(1_048_575)], 'at most 1048576 characters and items in all'],
  [
    'append',
    [x(524_286), x(524_287)],
    [x(524_287), x(524_287)],
    'at most 1048576 characters and items in all',
  ],
  [
    'join',
    [list(4, x(262_141)), x(2)],
    [list(4, x(262_142)), x(2)],
    'at most 1048576 characters and items in all',
  ],
])('%s takes so much and no more', (name, allowed, refused, rule) => {
  expect(limited(name)(...allowed)).toBe('done');
  expect(limited(name)(...refused)).toBe(`${name} takes ${rule}`);
});

it.each([
  ['size', list(10_001)],
  ['first', x(1_048_577)],
  ['last', list(10_001)],
  ['default', x(1_048_577)],
  // The filters that do not look into the items of a list.
  ['reverse', list(10_000, x(1_000))],
  ['map', list(10_000, x(1_000))],
])('%s costs no more for larger input', (name, value) => {
  expect(limited(name)(value)).toBe('done');
});

it('the time is checked before every filter', () => {
  const late = () => {
    throw new Error('late');
  };
  expect(limited('size', late)('a')).toBe('late');
});

const contains = (left: unknown, right: unknown) => (): unknown =>
  toValueSync(LIMITED_OPERATORS['contains']?.(left, right, undefined as never));

it.each<[string, unknown, unknown, boolean]>([
  ['a text', 'abc', 'bc', true],
  ['a captured text', new Text('abc'), 'x', false],
  ['a long text', x(1_000_000), 'y'.repeat(20), false],
  ['a list', [1, 'a'], 'a', true],
  ['a long list', list(10_000), 2, false],
  ['a number', 12, '1', false],
])('%s contains what is in it', (_, left, right, found) => {
  expect(contains(left, right)()).toBe(found);
});

it.each<[string, unknown, unknown]>([
  ['a text', x(952_381), 'y'.repeat(21)],
  ['a captured text', new Text(x(1_000_000)), new Text('y'.repeat(21))],
  ['a list', list(10_001), 2],
])('%s that is one longer is refused before it is searched', (_, left, right) => {
  expect(contains(left, right)).toThrow('contains takes a shorter text, or a list of fewer items');
});

it.each<[unknown, number, number]>([
  ['abc', 99, 4],
  ['', 99, 1],
  [7, 99, 1],
  [null, 99, 1],
  [[], 99, 1],
  [[1, 'ab'], 99, 5],
  [{ ab: 'c', d: [1] }, 99, 8],
  // Beyond the maximum, nothing more is counted.
  [[1, 2, 3, 4, 5], 2, 3],
  [{ a: 1, b: 2, c: 3 }, 2, 3],
  [[[1, 2, 3], 4], 2, 3],
])('%j weighs, up to %i, %i', (value, most, weight) => {
  expect(weigh(value, most)).toBe(weight);
});
