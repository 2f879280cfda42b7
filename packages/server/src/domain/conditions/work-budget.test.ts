import type { Condition } from '@hubline/contract';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { compileConditions } from './conditions.ts';
import { compilePattern, storedPattern } from './patterns/pattern.ts';
import type { Scope } from './scope.ts';
import { textSearch } from './patterns/text-search.ts';
import { OVER_BUDGET, WorkBudget } from './work-budget.ts';

/** A budget of which `left` steps are left. */
function budgetOf(left = 2_000_000): WorkBudget {
  const budget = new WorkBudget();
  budget.use(2_000_000 - left);
  return budget;
}

// Not from JSON: parsing 20 MB would take longer than all these tests.
const scopeOf = (payload: object, budget = budgetOf()): Scope => ({ values: { event: { payload } }, budget });

function compiled(condition: Condition) {
  const result = compileConditions(condition, {
    field: 'conditions',
    names: { event: null },
    isStored: true,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.conditions;
}

const pattern: Condition = { field: 'event.payload.l[*]', op: 'matches', value: '(?i)a[ab]{60}\\bc' };
const list = { l: ['abaabbbabaab'.repeat(170), 'abaabbbabaab'.repeat(170)] };
const at = (op: Condition['op'], value: Condition['value']): Condition => ({
  field: 'event.payload.t',
  op,
  value,
});
const costly = at('starts_with', 'b');
const cheap: Condition = { field: 'event.payload.n', op: 'eq', value: 1 };
const text = (length: number) => ({ t: '1'.repeat(length) });
const zeros = (length: number) => ({ t: Array(length).fill(0) });

describe('the work of conditions', () => {
  // The budget is nearly spent, so that conditions are given up quickly.
  it.each<[string, Condition, object, number]>([
    ['a pattern', pattern, list, 20_000],
    ['the negation of a pattern', { not: pattern }, list, 20_000],
    ['a pattern that is not compiled yet', pattern, { l: ['a'] }, 3_000],
    ['a part of a long text', at('contains', 'b'), text(16_000), 1_000],
    ['an item of a long list', at('contains', 'b'), zeros(500), 1_000],
    ['a number of many digits', at('gt', 5), text(16_000), 1_000],
  ])('%s is given up: it does not hold, and says so', (_, condition, payload, left) => {
    const conditions = compiled(condition);
    const scope = scopeOf(payload, budgetOf(left));
    expect(conditions.matches(scope)).toBe(false);
    expect(scope.budget.exceeded).toBe(1);
    const verdicts = compiled(condition).explain(scopeOf(payload, budgetOf(left)));
    expect(verdicts.at(-1)).toMatchObject({ matched: false, note: OVER_BUDGET });
  });

  // The longest value that a condition may look at, and one more.
  it.each<[string, 0 | 1, object]>([
    ['8 MB of a text', 0, text(7_999_952)],
    ['8 MB and a character', 1, text(7_999_953)],
    ['a quarter of a million items', 0, zeros(249_999)],
    ['a quarter of a million items and one', 1, zeros(250_000)],
  ])('of %s, %i are given up', (_, exceeded, payload) => {
    const scope = scopeOf(payload);
    compiled(costly).matches(scope);
    expect(scope.budget.exceeded).toBe(exceeded);
  });

  it('leaves enough for conditions that cost little', () => {
    const scope = scopeOf({ n: 1, ...text(8_000_000) });
    expect(compiled(costly).matches(scope)).toBe(false);
    expect(compiled(cheap).matches(scope)).toBe(true);
    for (let count = 0; count < 5; count += 1) compiled(costly).matches(scope);
    expect(compiled(cheap).matches(scope)).toBe(false);
    expect(scope.budget.exceeded).toBe(7);
  });

  it('has room for ordinary conditions', () => {
    const words = Array.from({ length: 4 }, () => 'the deploy of api has failed with an error '.repeat(10));
    const conditions = compiled({
      any: [
        { field: 'event.payload.l[*]', op: 'matches', value: '(?i)\\b(panic|crash|oom)\\b' },
        { field: 'event.payload.l[*]', op: 'matches', value: '^\\[[A-Z]{2,10}-\\d+\\]' },
        { field: 'event.payload.l[*]', op: 'contains', value: 'rollback' },
        cheap,
      ],
    });
    // There is room for fifty of them.
    const scope = scopeOf({ l: words, n: 1 }, budgetOf(40_000));
    expect(conditions.matches(scope)).toBe(true);
    expect(scope.budget.exceeded).toBe(0);
  });
});

describe('a pattern', () => {
  it.each([
    ['a'.repeat(257), /256 characters/],
    ['(?i)\\pL\\pL\\pL\\pL\\pL\\pL\\pL\\pL\\pL', /8 Unicode classes/],
    ['(?i)[!-\\x{FFFF}]'.repeat(9), /8 Unicode classes/],
    ['((((a{10}){10}){10}))', /smaller repetitions/],
    ['((?:a?){9}){90}'.repeat(17), /smaller repetitions/],
    ['[ab]{301}', /300/],
  ])('%s is refused before it is compiled', (source, issue) => {
    expect(compilePattern(source, new WorkBudget())).toEqual({
      ok: false,
      issue: expect.stringMatching(issue) as string,
    });
    expect(storedPattern(source)('aaa', new WorkBudget())).toBe(false);
  });

  const TEXTS = ['', 'a', 'ab c', 'ABC\nabc', 'é K k', '\u212a', 'a😀b', 'foo_1 bar', 'xxaab\n', '日本'];
  it.each([
    'a',
    '',
    '^$',
    '\\bfoo',
    'o\\B',
    '(?i)k',
    '(?i)abc$',
    '(?m)^abc$',
    '[^a]b',
    'a.b',
    '(?s)c.a',
    '\\pL{2}',
    '(a|ab)(c|\\s)',
    'x{2,3}a+b?',
    '\\Aa\\z',
    '(?:a*)*b',
    '\\d',
    '[[:upper:]]{3}',
    '日.',
    '\\w+\\s\\w+',
  ])('%s finds what RE2 finds', (source) => {
    const reference = RE2JS.compile(source);
    const pattern = compilePattern(source, new WorkBudget());
    for (const text of TEXTS)
      expect([text, pattern.ok && pattern.test(text, new WorkBudget())]).toEqual([
        text,
        reference.test(text),
      ]);
  });
});

it.each(['', 'a', 'ab', 'aab', 'abab', 'aabaa', 'b', 'abc', 'ababac'])(
  'a search for %j finds what includes finds',
  (part) => {
    const finds = textSearch(part);
    for (const text of ['', 'a', 'ab', 'aaab', 'abaababac', 'ababababac', 'aabaabaa', 'bbb'])
      expect([text, finds(text)]).toEqual([text, text.includes(part)]);
  },
);

const M = 1_000_000;

// The steps that each part asks for, and whether it is given up.
it.each<[string, number[], boolean[]]>([
  ['a part may take a quarter', [M / 2, M / 2, M / 2, M / 2], [false, false, false, false]],
  ['a part may not take more than a quarter', [M / 2 + 1], [true]],
  [
    'after all parts, nothing is left',
    [M / 2, M / 2, M / 2, M / 2, 1, 0],
    [false, false, false, false, true, false],
  ],
  // A part that was given up is spent completely, and no more.
  [
    'one that asked for too much costs its part',
    [20 * M, M / 2, M / 2, M / 2, 1],
    [true, false, false, false, true],
  ],
  [
    'one that asked for a little too much does so too',
    [M / 2 + 1, M / 2, M / 2, M / 2, 1],
    [true, false, false, false, true],
  ],
  [
    'one that was given up at the end leaves nothing',
    [M / 2, M / 2, M / 2, M / 4, M / 2, 0, 1],
    [false, false, false, false, true, false, true],
  ],
])('of the budget, %s', (_, parts, givenUp) => {
  const budget = new WorkBudget();
  const results = parts.map((steps) => budget.within(() => (budget.use(steps), 'done')));
  expect(results.map((result) => result === null)).toEqual(givenUp);
  expect(budget.exceeded).toBe(givenUp.filter(Boolean).length);
});

it('outside a part, the whole budget may be used, and other errors are rethrown', () => {
  const budget = new WorkBudget();
  expect(budget.within(() => 'done')).toBe('done');
  expect(() =>
    budget.within(() => {
      throw new TypeError('no');
    }),
  ).toThrow('no');
  expect(budget.exceeded).toBe(0);
  budget.use(2 * M);
  expect(() => budget.use(1)).toThrow();
});
