import type { Condition } from '@hubline/contract';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { compileConditions } from './conditions.ts';
import { compilePattern, storedPattern } from './pattern.ts';
import { eventScope, type Scope } from './scope.ts';
import { textSearch } from './text-search.ts';
import { OVER_BUDGET, WorkBudget } from './work-budget.ts';

const scopeOf = (payload: unknown, budget?: WorkBudget): Scope =>
  eventScope(
    'event.created',
    {
      id: 'evt_1',
      type: 'x',
      source: 'api',
      provider: null,
      integrationId: null,
      workspaceId: 'ws_1',
      summary: '{}',
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      occurredAt: '2026-11-02T10:00:00.000Z',
      createdAt: '2026-11-02T10:00:01.000Z',
    },
    budget,
  );

function compiled(condition: Condition) {
  const result = compileConditions(condition, {
    field: 'conditions',
    names: { event: null },
    isStored: true,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.conditions;
}

const ab = 'abaabbbabaab'.repeat(170);
const costly: Condition = { field: 'event.payload.l[*]', op: 'matches', value: '(?i)a[ab]{60}\\bc' };
const cheap: Condition = { field: 'event.payload.n', op: 'eq', value: 1 };
const event = { n: 1, l: Array.from({ length: 480 }, () => ab) };

describe('the work of conditions', () => {
  it.each<[string, Condition, unknown]>([
    ['a pattern over a long list', costly, event],
    ['the contrary of a pattern', { not: costly }, event],
    [
      'a text in 20 MB',
      { field: 'event.payload.t', op: 'contains', value: 'b' },
      { t: 'a'.repeat(20_000_000) },
    ],
    [
      'a list of a million',
      { field: 'event.payload.t', op: 'contains', value: 'b' },
      { t: Array(1_000_000).fill(0) },
    ],
    ['digits of 20 MB', { field: 'event.payload.t', op: 'gt', value: 5 }, { t: '1'.repeat(20_000_000) }],
  ])('%s is given up: it does not hold, and says so', (_, condition, payload) => {
    const conditions = compiled(condition);
    const scope = scopeOf(payload);
    expect(conditions.matches(scope)).toBe(false);
    expect(scope.budget.exceeded).toBe(1);
    const verdicts = conditions.explain(scopeOf(payload));
    expect(verdicts.at(-1)).toMatchObject({ matched: false, note: OVER_BUDGET });
  });

  it('leaves those that cost little what they need', () => {
    const scope = scopeOf(event);
    expect(compiled(costly).matches(scope)).toBe(false);
    expect(compiled(cheap).matches(scope)).toBe(true);
    for (let count = 0; count < 5; count += 1) compiled(costly).matches(scope);
    expect(compiled(cheap).matches(scope)).toBe(false);
    expect(scope.budget.exceeded).toBe(7);
  });

  it('has room for what people write', () => {
    const words = Array.from({ length: 20 }, () => 'the deploy of api has failed with an error '.repeat(10));
    const scope = scopeOf({ l: words, n: 1 });
    const conditions = compiled({
      any: [
        { field: 'event.payload.l[*]', op: 'matches', value: '(?i)\\b(panic|crash|oom)\\b' },
        { field: 'event.payload.l[*]', op: 'matches', value: '^\\[[A-Z]{2,10}-\\d+\\]' },
        { field: 'event.payload.l[*]', op: 'contains', value: 'rollback' },
        cheap,
      ],
    });
    for (let count = 0; count < 10; count += 1) expect(conditions.matches(scope)).toBe(true);
    expect(scope.budget.exceeded).toBe(0);
  });
});

describe('a pattern', () => {
  it.each([
    ['a'.repeat(257), /256 characters/],
    ['(?i)\\pL\\pL\\pL\\pL\\pL\\pL\\pL\\pL\\pL', /8 classes of Unicode/],
    ['(?i)[!-\\x{FFFF}]'.repeat(9), /8 classes of Unicode/],
    ['((((a{10}){10}){10}))', /smaller repetitions/],
    ['((?:a?){9}){90}'.repeat(17), /smaller repetitions/],
    ['[ab]{301}', /300/],
  ])('%s is refused before it is compiled', (source, issue) => {
    expect(compilePattern(source)).toEqual({ ok: false, issue: expect.stringMatching(issue) as string });
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
    const pattern = compilePattern(source);
    for (const text of TEXTS)
      expect([text, pattern.ok && pattern.test(text, new WorkBudget())]).toEqual([
        text,
        reference.test(text),
      ]);
  });
});

it.each(['', 'a', 'ab', 'aab', 'abab', 'aabaa', 'b', 'abc', 'ababac'])(
  'a search for %j finds what is there',
  (part) => {
    const finds = textSearch(part);
    for (const text of ['', 'a', 'ab', 'aaab', 'abaababac', 'ababababac', 'aabaabaa', 'bbb'])
      expect([text, finds(text)]).toEqual([text, text.includes(part)]);
  },
);
