import type { Condition } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { OCCURRENCE_NAMES } from '../value-names.ts';
import { compileConditions } from './conditions.ts';
import { eventScope } from './scope.ts';

const { data: _, ...NAMES } = OCCURRENCE_NAMES;

const PAYLOAD = `{
  "number": 9007199254740993, "amount": 0.30000000000000004, "zero": 0, "merged": false, "title": "Fix [bot] login",
  "none": null, "empty": "", "text number": "10", "a.b": 1, "labels": [{"name": "bug"}, {"name": "area/api"}],
  "tags": ["red", 5], "nested": {"deep": [[1, 2]]}, "__proto__": {"polluted": true}
}`;

const scope = (payload = PAYLOAD) =>
  eventScope('event.created', {
    id: 'evt_1',
    type: 'pull_request',
    source: 'github',
    provider: 'github',
    integrationId: null,
    workspaceId: 'ws_1',
    summary: '{"severity":"high","actor":{"name":"dependabot[bot]"}}',
    payload,
    occurredAt: '2026-11-02T10:00:00.000Z',
    createdAt: '2026-11-02T10:00:01.000Z',
  });

function compiled(condition: Condition) {
  const result = compileConditions(condition, { field: 'conditions', names: NAMES });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.conditions;
}

const holds = (condition: Condition, payload?: string) => compiled(condition).matches(scope(payload));

describe('a comparison', () => {
  it.each<[string, NonNullable<Condition['op']>, Condition['value'], boolean]>([
    ['type', 'eq', 'pull_request', true],
    ['type', 'eq', 'Pull_request', false],
    ['type', 'ne', 'push', true],
    ['type', 'in', ['push', 'pull_request'], true],
    ['type', 'not_in', ['push', 'pull_request'], false],
    ['summary.severity', 'in', ['high', 'critical'], true],
    ['summary.actor.name', 'ends_with', '[bot]', true],
    ['payload.merged', 'eq', false, true],
    ['payload.merged', 'eq', true, false],
    ['payload.merged', 'eq', 'false', false],
    ['payload.merged', 'gt', 0, false],
    ['payload.title', 'contains', '[bot]', true],
    ['payload.title', 'not_contains', 'logout', true],
    ['payload.title', 'starts_with', 'Fix', true],
    ['payload.title', 'matches', '(?i)^fix .*LOGIN$', true],
    ['payload.zero', 'eq', 0, true],
    ['payload.zero', 'eq', '-0.0e5', true],
    ['payload.zero', 'lte', 0, true],
    ['payload.zero', 'lt', 0, false],
    ['payload.zero', 'gte', '-1', true],
    ['payload.zero', 'contains', '0', false],
    // Beyond 2^53 the neighbors of a number are the same to JavaScript.
    ['payload.number', 'eq', '9007199254740993', true],
    ['payload.number', 'eq', '9007199254740992', false],
    ['payload.number', 'gt', '9007199254740992', true],
    ['payload.number', 'lt', '9.007199254740994e15', true],
    ['payload.number', 'in', ['1', '9007199254740993'], true],
    ['payload.amount', 'eq', '0.30000000000000004', true],
    ['payload.amount', 'gt', '0.3', true],
    ['payload.amount', 'lt', '1e999999999999', true],
    // A text that is a number compares with a number, and with a text as a text.
    ['payload["text number"]', 'gt', 9, true],
    ['payload["text number"]', 'eq', 10, true],
    ['payload["text number"]', 'gt', '9', false],
    ['occurred_at', 'gt', '2026-11-02', true],
    ['payload["a.b"]', 'eq', 1, true],
    ['payload.tags', 'contains', 'red', true],
    ['payload.tags', 'contains', 5, true],
    ['payload.tags', 'contains', 're', false],
    ['payload.tags[1]', 'eq', 5, true],
    ['payload.tags[9]', 'exists', undefined, false],
    ['payload.labels[*].name', 'eq', 'bug', true],
    ['payload.labels[*].name', 'ne', 'bug', false],
    ['payload.labels[*].name', 'starts_with', 'area/', true],
    ['payload.labels[*].name', 'exists', undefined, true],
    ['payload.labels[*].color', 'exists', undefined, false],
    ['payload.nested.deep[*][*]', 'eq', 2, true],
    ['payload.title[*]', 'exists', undefined, false],
    ['payload.nested', 'eq', 'x', false],
    ['payload.empty', 'exists', undefined, true],
    ['payload.empty', 'contains', '', true],
  ])('event.%s %s %j: %s', (path, op, value, expected) => {
    expect(holds({ field: `event.${path}`, op, value })).toBe(expected);
  });

  it.each([
    'event.payload.missing',
    'event.payload.none',
    'event.payload.title.length',
    'event.payload.constructor.name',
  ])('of %s, which is missing, holds only with a negative operator', (field) => {
    const verdicts = (
      [
        ['eq', 'x'],
        ['in', ['x']],
        ['contains', 'x'],
        ['starts_with', ''],
        ['ends_with', ''],
        ['gt', ''],
        ['gte', 0],
        ['lt', 1],
        ['lte', 'x'],
        ['exists', undefined],
        ['matches', ''],
        ['ne', 'x'],
        ['not_in', ['x']],
        ['not_contains', 'x'],
        ['not_exists', undefined],
      ] as const
    ).map(([op, value]) => [op, holds({ field, op, value: value as Condition['value'] })]);
    const denying = ['ne', 'not_in', 'not_contains', 'not_exists'];
    expect(verdicts.filter(([, matched]) => matched).map(([op]) => op)).toEqual(denying);
  });

  it('looks at own properties of a payload only', () => {
    expect(holds({ field: 'event.payload.polluted', op: 'exists' })).toBe(false);
    expect(holds({ field: 'event.payload["__proto__"].polluted', op: 'eq', value: true })).toBe(true);
    expect(holds({ field: 'event.payload.toString', op: 'exists' })).toBe(false);
  });
});

describe('groups', () => {
  const yes: Condition = { field: 'event.type', op: 'exists' };
  const no: Condition = { not: yes };
  it.each<[Condition, boolean]>([
    [{ all: [yes, yes] }, true],
    [{ all: [yes, no] }, false],
    [{ any: [no, yes] }, true],
    [{ any: [no, no] }, false],
    [{ not: { all: [yes, no] } }, true],
    [{ all: [{ any: [no, yes] }, { not: no }] }, true],
  ])('%j: %s', (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });
});

describe('an explanation', () => {
  it('shows the values that each comparison found, including those that decide nothing', () => {
    const verdicts = compiled({
      any: [
        { field: 'event.type', op: 'eq', value: 'pull_request' },
        { not: { all: [{ field: 'event.payload.number', op: 'lt', value: 5 }] } },
        { field: 'event.payload.labels[*].name', op: 'eq', value: 'bug' },
        { field: 'event.payload.missing', op: 'exists' },
      ],
    }).explain(scope());
    expect(verdicts.map(({ path, found, matched }) => [path, found, matched])).toEqual([
      ['any[0]', '"pull_request"', true],
      ['any[1].not.all[0]', '9007199254740993', false],
      ['any[2]', '["bug","area/api"]', true],
      ['any[3]', null, false],
    ]);
  });

  it('shows the beginning of a large value', () => {
    const large = JSON.stringify({
      text: 'x'.repeat(1_000_000),
      list: Array.from({ length: 10_000 }, () => ({ a: 1 })),
    });
    const [text, list] = compiled({
      all: [
        { field: 'event.payload.text', op: 'exists' },
        { field: 'event.payload.list', op: 'exists' },
      ],
    }).explain(scope(large));
    expect(text?.found).toHaveLength(200);
    expect(list?.found?.length).toBeLessThanOrEqual(200);
  });

  it('reads no more of lists in lists than it shows', () => {
    let reads = 0;
    const leaf = new Proxy({}, { ownKeys: () => ((reads += 1), []) });
    const lists = (depth: number): unknown => (depth === 0 ? leaf : Array(20).fill(lists(depth - 1)));
    const [verdict] = compiled({ field: 'event.payload', op: 'exists' }).explain({
      ...scope(),
      values: { event: { payload: lists(4) } },
    });
    expect(verdict?.found).toHaveLength(200);
    expect(reads).toBeLessThan(200);
  });
});

describe('an invalid condition is refused with its path', () => {
  const leaf = { field: 'event.type', op: 'exists' } as const;
  it.each<[Condition, string, RegExp]>([
    [
      { all: [leaf, { ...leaf, field: 'payload.x' }] },
      'conditions.all[1].field',
      /begin with one of event, trigger/,
    ],
    [{ not: { ...leaf, field: 'event..x' } }, 'conditions.not.field', /must be a path/],
    [{ ...leaf, field: 'event.x[' }, 'conditions.field', /must be a path/],
    [{ ...leaf, field: '[0]' }, 'conditions.field', /must be a path/],
    [{ any: [{ field: 'event.type', op: 'matches', value: '(a' }] }, 'conditions.any[0].value', /RE2/],
    [{ field: 'event.type', op: 'matches', value: String.raw`(a)\1` }, 'conditions.value', /RE2/],
    [{ field: 'event.type', op: 'matches', value: '(?=a)' }, 'conditions.value', /RE2/],
    [
      { field: 'event.type', op: 'matches', value: '((a{1,30}){1,30})' },
      'conditions.value',
      /at most 300 instructions/,
    ],
    [
      { field: 'event.type', op: 'matches', value: 'a{1001}' },
      'conditions.value',
      /at most 300 instructions/,
    ],
  ])('%j at %s', (condition, field, issue) => {
    const result = compileConditions(condition, { field: 'conditions', names: NAMES });
    if (result.ok) throw new Error('It was accepted.');
    expect(result.problems).toEqual([{ field, issue: expect.stringMatching(issue) as string }]);
  });

  it('reports all problems', () => {
    const result = compileConditions(
      {
        all: [
          { field: 'x', op: 'exists' },
          { field: 'event.type', op: 'matches', value: '[' },
        ],
      },
      { field: 'c', names: NAMES },
    );
    expect(result.ok ? [] : result.problems.map(({ field }) => field)).toEqual([
      'c.all[0].field',
      'c.all[1].value',
    ]);
  });
});

describe('patterns', () => {
  // A backtracking engine would never finish these.
  it.each([
    ['(a+)+$', `${'a'.repeat(100_000)}!`],
    ['(a|aa)+$', `${'a'.repeat(100_000)}!`],
    ['(.*)(.*)(.*)(.*)(.*)[^a]$', 'a'.repeat(100_000)],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['[01]*1[01]{12}$', '01'.repeat(50_000)],
  ])('%s ends', (pattern, text) => {
    holds({ field: 'event.payload.text', op: 'matches', value: pattern }, JSON.stringify({ text }));
  });

  it('look at the first 2,048 characters of a text', () => {
    const payload = JSON.stringify({ text: `${'a'.repeat(2_048)}b` });
    expect(holds({ field: 'event.payload.text', op: 'matches', value: 'b' }, payload)).toBe(false);
  });

  it('of one webhook read no more of an event than they may', () => {
    const text = 'a'.repeat(2_048);
    const all = Array.from({ length: 50 }, (): Condition => ({
      field: 'event.payload.texts[*]',
      op: 'matches',
      value: 'b',
    }));
    const payload = JSON.stringify({ texts: Array(50).fill(text) });
    const verdicts = compiled({ any: all }).explain(scope(payload));
    expect(verdicts[0]?.note).toBeUndefined();
    expect(verdicts.at(-1)).toMatchObject({ matched: false, note: expect.stringContaining('too expensive') });
  });
});
