import { defaultOperators, Drop, type Liquid, type Operators } from 'liquidjs';

// A filter cannot be interrupted, so its input is bounded: the slowest filter takes about 50 ms for this much.
const LIST_MAX = 10_000;
const TEXT_MAX = 1_048_576;
const SPLIT_MAX = 131_072;
/** The characters of a text times those that are searched for in it: V8 takes 1.5 ns for each in the worst case. */
const SEARCH_MAX = 20_000_000;
/** The most characters and elements that are sorted: each is looked at some thirty times. */
const SORT_MAX = 262_144;

/** The filters that look at the items of a list, but not into them. */
const SHALLOW: ReadonlySet<string> = new Set(
  'map where reject has find find_index group_by concat push pop shift unshift reverse uniq compact slice sample sort sort_natural'.split(
    ' ',
  ),
);
/** The filters that take no longer for larger input. */
const FREE: ReadonlySet<string> = new Set(['default', 'first', 'last', 'size']);
const SEARCHING: ReadonlySet<string> = new Set(
  'split replace replace_first replace_last remove remove_first remove_last'.split(' '),
);
const SORTING: ReadonlySet<string> = new Set(['sort', 'sort_natural']);

type Filter = (this: FilterContext, ...input: unknown[]) => unknown;
interface FilterContext {
  context: { renderLimit: { check(): void } };
}

/** Puts limits before every filter: on the time, and on its input. */
export function limitFilters(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters)) {
    // `raw`, which leaves its text as it is, is the only one that is not a function.
    if (typeof filter !== 'function') continue;
    const unlimited = filter as unknown as Filter;
    const limited: Filter = function (...input) {
      this.context.renderLimit.check();
      const rule = ruleBrokenBy(name, input.map(plain));
      if (rule !== null) throw new Error(`${name} takes ${rule}`);
      return unlimited.apply(this, input);
    };
    engine.registerFilter(name, limited as never);
  }
}

/** The operators of conditions. `contains` is the only one that takes longer than reading both sides. */
export const LIMITED_OPERATORS: Operators = {
  ...defaultOperators,
  contains(left: unknown, right: unknown) {
    const [text, part] = [plain(left), plain(right)];
    const isText = typeof text === 'string';
    const work = isText ? text.length * textOf(part).length : Array.isArray(text) ? text.length : 0;
    if (work > (isText ? SEARCH_MAX : LIST_MAX))
      throw new Error('contains takes a shorter text, or a list of fewer items');
    return defaultOperators['contains']?.(left, right, undefined as never) ?? false;
  },
};

function ruleBrokenBy(name: string, input: readonly unknown[]): string | null {
  if (FREE.has(name)) return null;
  const [value, second] = input;
  for (const one of input) {
    if (typeof one === 'string' && one.length > TEXT_MAX) return `strings of at most ${TEXT_MAX} characters`;
    if (Array.isArray(one) && one.length > LIST_MAX) return `lists of at most ${LIST_MAX} items`;
  }
  // These make a list of a text or an object.
  const makesList = name === 'sample' || name === 'group_by';
  if (makesList && itemsOf(value) > LIST_MAX) return `at most ${LIST_MAX} items`;
  if (SORTING.has(name) && sortedWeight(value, second) > SORT_MAX)
    return `lists with at most ${SORT_MAX} characters in all`;
  if (SEARCHING.has(name) && typeof value === 'string') {
    if (name === 'split' && value.length > SPLIT_MAX) return `strings of at most ${SPLIT_MAX} characters`;
    if (value.length * textOf(second).length > SEARCH_MAX)
      return 'a shorter text to search, or to search for';
  }
  if (!SHALLOW.has(name) && weigh(input, TEXT_MAX) > TEXT_MAX)
    return `at most ${TEXT_MAX} characters and items in all`;
  return null;
}

/** A captured text is an object to liquidjs. */
const plain = (value: unknown): unknown => (value instanceof Drop ? value.valueOf() : value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function itemsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** The weight of the values that a list is sorted by. */
function sortedWeight(list: unknown, property: unknown): number {
  if (!Array.isArray(list)) return 0;
  const path = typeof property === 'string' ? property.split('.') : [];
  let weight = 0;
  for (const item of list as unknown[]) {
    let value = item;
    for (const name of path)
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined;
    weight += weigh(value, SORT_MAX);
    if (weight > SORT_MAX) break;
  }
  return weight;
}

/** Counts the characters and elements of a value. Stops counting beyond a maximum. */
export function weigh(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      weight += weigh(item, most - weight);
      if (weight > most) break;
    }
    return weight;
  }
  for (const name in value) {
    weight += name.length + weigh((value as Record<string, unknown>)[name], most - weight);
    if (weight > most) break;
  }
  return weight;
}
