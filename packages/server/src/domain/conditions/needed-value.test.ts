import type { Condition } from '@hubline/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OCCURRENCE_NAMES } from '../value-names.ts';
import { compileConditions } from './conditions.ts';
import { neededValue } from './needed-value.ts';
import { valueAt } from './path.ts';
import { plainScope } from './scope.ts';

const is = (value: Condition['value'], op: Condition['op'] = 'eq', field = 'data.a') =>
  ({ field, op, value }) as Condition;

it.each<[string, Condition, unknown[] | null]>([
  ['a text', is('staging'), ['staging']],
  ['one of some texts', is(['high', 'critical'], 'in'), ['high', 'critical']],
  ['a boolean', is(true), [true]],
  ['the first of all', { all: [is('x', 'ne'), is('y'), is('z')] }, ['y']],
  ['all within all', { all: [{ all: [is('x')] }, is('y')] }, ['x']],
  ['a number, which equals others', is(1), null],
  ['a text that reads as a number', is('1.0'), null],
  ['one of some that reads as a number', is(['a', '1'], 'in'), null],
  ['another operator', is('x', 'starts_with'), null],
  ['a denial', is('x', 'ne'), null],
  ['any', { any: [is('x'), is('y')] }, null],
  ['not', { not: is('x') }, null],
  ['every item of a list', is('x', 'eq', 'data.a[*].b'), null],
])('%s', (_, condition, oneOf) => {
  expect(neededValue(condition)?.oneOf ?? null).toEqual(oneOf);
});

const scalar = fc.constantFrom<string | number | boolean>('x', 'y', '', '1', '1.0', 1, 0, true, false);
const found = fc.oneof(scalar, fc.constantFrom<unknown>(null, undefined, [], ['x'], {}, 12.5));
const leaf = fc.oneof(
  fc.record({
    field: fc.constantFrom('data.a', 'data.b[0]'),
    op: fc.constantFrom('eq', 'ne'),
    value: scalar,
  }),
  fc.record({
    field: fc.constantFrom('data.a', 'data["b"][0]'),
    op: fc.constantFrom('in', 'not_in'),
    value: fc.array(scalar, { minLength: 1, maxLength: 3 }),
  }),
);
const { node: condition } = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
}));

it('conditions never hold without the value that they need', () => {
  fc.assert(
    fc.property(condition, found, found, (generated, a, b) => {
      const asked = generated as Condition;
      const needed = neededValue(asked);
      const compiled = compileConditions(asked, { field: '', names: OCCURRENCE_NAMES });
      if (!needed || !compiled.ok) return;
      const scope = plainScope('webhook.failing', { a, b: [b] });
      if (compiled.conditions.matches(scope))
        expect(needed.oneOf).toContain(valueAt(scope.values, needed.path));
    }),
    { numRuns: 2_000 },
  );
});
