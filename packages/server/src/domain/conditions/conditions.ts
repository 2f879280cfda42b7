import type { Condition, ConditionVerdict } from '@hubline/contract';
import type { Draft } from '../draft.ts';
import type { FaultDetail } from '../faults/fault.ts';
import { cut } from '../cut.ts';
import { ExactNumber } from '../json/numbers/exact-number.ts';
import { nameIssue, type ValueNames } from '../value-names.ts';
import { OPERATORS, type Scalar, stepsOf, wantedOf } from './compare.ts';
import { neededValue, type NeededValue } from './needed-value.ts';
import { EVERY, parsePath, type Step, valueAt, valuesAt } from './path.ts';
import { compilePattern, storedPattern } from './patterns/pattern.ts';
import type { Scope } from './scope.ts';
import { OVER_BUDGET, WorkBudget } from './work-budget.ts';

/** Compiled conditions. Both functions are total: a value that is missing or of another type does not match. */
export interface Conditions {
  /** A value that they require: an event without it cannot meet them. `null` if there is none. */
  readonly needs: NeededValue | null;
  /** Returns `false` also for conditions that take too much work, which the budget of the scope counts. */
  matches(scope: Scope): boolean;
  /** The verdict on every comparison, including those that `matches` skips. */
  explain(scope: Scope): ConditionVerdict[];
}

/** Conditions, or their problems. */
export type CompiledConditions =
  | { readonly ok: true; readonly conditions: Conditions }
  | { readonly ok: false; readonly problems: readonly [FaultDetail, ...FaultDetail[]] };

interface Options {
  /** Path of the conditions in the request, such as `filters.conditions`. */
  field: string;
  /** The values that paths may lead to. */
  names: ValueNames;
  /** True for stored conditions, which were checked before: their patterns are compiled only when they are used. */
  isStored?: boolean;
  /** The remaining work for compiling patterns. Default: that of conditions alone. */
  budget?: WorkBudget;
}

/** A comparison: its path in the condition, the path to a value, and its test. */
interface Leaf {
  path: string;
  field: string;
  op: NonNullable<Condition['op']>;
  find(scope: Scope): unknown[];
  test(scope: Scope): boolean;
}

type Test = (scope: Scope) => boolean;

const FOUND_MAX = 200;
const SHOWN_ITEMS = 20;

/** Compiles conditions that follow the contract's schema. Finds problems that the schema cannot see: in paths and patterns. */
export function compileConditions(
  condition: Draft<Condition>,
  { field, names, isStored = false, budget = new WorkBudget() }: Options,
): CompiledConditions {
  const leaves: Leaf[] = [];
  const problems: FaultDetail[] = [];

  function build(node: Draft<Condition> = {}, path: string): Test {
    if (node.all) {
      const tests = node.all.map((child, index) => build(child, `${path}.all[${index}]`));
      return (scope) => tests.every((test) => test(scope));
    }
    if (node.any) {
      const tests = node.any.map((child, index) => build(child, `${path}.any[${index}]`));
      return (scope) => tests.some((test) => test(scope));
    }
    if (node.not) {
      const test = build(node.not, `${path}.not`);
      return (scope) => !test(scope);
    }
    // Only a draft has a comparison without a field. The schema has refused it already.
    if (node.field === undefined) return () => false;
    const leaf = leafOf(node, { path, names, isStored, budget, refuse });
    if (!leaf) return () => false;
    leaves.push(leaf);
    return leaf.test;
  }

  function refuse(path: string, issue: string): void {
    problems.push({ field: `${field}${path}`, issue });
  }

  function refuseAll(): Test {
    refuse('', 'must have fewer patterns with Unicode classes, such as \\pL, or with large repetitions');
    return () => false;
  }

  const matches = budget.within(() => build(condition, '')) ?? refuseAll();
  const [first, ...others] = problems;
  if (first) return { ok: false, problems: [first, ...others] };
  return {
    ok: true,
    conditions: {
      needs: neededValue(condition),
      matches: (scope) => scope.budget.within(() => matches(scope)) ?? false,
      explain: (scope) => explain(leaves, scope),
    },
  };
}

interface LeafOptions {
  path: string;
  names: ValueNames;
  isStored: boolean;
  budget: WorkBudget;
  refuse: (path: string, issue: string) => void;
}

function leafOf(
  { field = '', op = 'exists', value }: Draft<Condition>,
  { path, names, isStored, budget, refuse }: LeafOptions,
): Leaf | undefined {
  const steps = parsePath(field);
  const [root] = steps ?? [];
  if (!steps || typeof root !== 'string') {
    refuse(`${path}.field`, 'must be a path such as event.payload.labels[*].name or event.payload["a.b"]');
    return undefined;
  }
  if (!Object.hasOwn(names, root)) {
    refuse(`${path}.field`, `must begin with one of ${Object.keys(names).join(', ')}`);
    return undefined;
  }
  const unknown = isStored ? null : nameIssue(steps, names);
  if (unknown !== null) {
    refuse(`${path}.field`, `leads nowhere: ${unknown}`);
    return undefined;
  }
  const find = finder(steps);
  const leaf = { path: path.replace(/^\./, ''), field, op, find };
  if (op === 'matches') {
    const test = patternOf(String(value), {
      isStored,
      budget,
      refuse: (issue) => refuse(`${path}.value`, issue),
    });
    if (!test) return undefined;
    return {
      ...leaf,
      test: (scope) => find(scope).some((value) => typeof value === 'string' && test(value, scope.budget)),
    };
  }
  const { test, denies } = OPERATORS[op];
  const wanted = [value]
    .flat()
    .filter((one): one is Scalar => one !== undefined)
    .map(wantedOf);
  const holds = (found: unknown, { budget }: Scope): boolean => {
    budget.use(stepsOf(found, wanted));
    return test(found, wanted);
  };
  const plain = plainPath(steps);
  // Most comparisons are about one value, and an event may meet hundreds of them, so no list is made for it.
  const isTrue: Test = plain
    ? (scope) => {
        scope.budget.use(1);
        return holds(valueAt(scope.values, plain), scope);
      }
    : (scope) => find(scope).some((found) => holds(found, scope));
  return { ...leaf, test: denies ? (scope) => !isTrue(scope) : isTrue };
}

function patternOf(
  source: string,
  { isStored, budget, refuse }: Pick<LeafOptions, 'isStored' | 'budget'> & { refuse(issue: string): void },
) {
  if (isStored) return storedPattern(source);
  const pattern = compilePattern(source, budget);
  if (pattern.ok) return pattern.test;
  refuse(pattern.issue);
  return undefined;
}

/** With `[*]`, a comparison is true if it is true for one item. */
function finder(steps: readonly Step[]): (scope: Scope) => unknown[] {
  const path = plainPath(steps);
  return ({ values, budget }) => {
    budget.use(path ? 1 : 0);
    if (path) return [valueAt(values, path)];
    const found = valuesAt(values, steps);
    budget.use(found.length * steps.length);
    return found;
  };
}

/** A path without `[*]`; `null` for one with it. */
const plainPath = (steps: readonly Step[]): readonly (string | number)[] | null =>
  steps.includes(EVERY) ? null : (steps as readonly (string | number)[]);

/** Judges each comparison, within one budget for all. */
function explain(leaves: readonly Leaf[], scope: Scope): ConditionVerdict[] {
  const verdicts: ConditionVerdict[] = [];
  scope.budget.within(() => {
    for (const leaf of leaves) verdicts.push(verdict(leaf, scope));
  });
  return leaves.map(
    ({ path, field, op }, index) =>
      verdicts[index] ?? { path, field, op, found: null, matched: false, note: OVER_BUDGET },
  );
}

function verdict({ path, field, op, find, test }: Leaf, scope: Scope): ConditionVerdict {
  return { path, field, op, found: shown(find(scope)), matched: test(scope) };
}

/** The values that were found, as JSON of at most 200 characters. */
function shown(values: readonly unknown[]): string | null {
  const texts = values
    .filter((value) => value !== undefined && value !== null)
    .slice(0, SHOWN_ITEMS)
    .map(shortJson);
  const isOne = values.length === 1;
  return texts.length === 0 ? null : cut(isOne ? texts.join() : `[${texts.join(',')}]`, FOUND_MAX);
}

/** JSON of a value of which only the beginning is shown: a payload can be 25 MB. */
function shortJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2 * FOUND_MAX).toWellFormed());
  if (Array.isArray(value)) return `[${shortItems(value)}]`;
  if (value instanceof ExactNumber) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).slice(0, SHOWN_ITEMS);
  return `{${members.map((name) => JSON.stringify(name)).join(',')}}`;
}

/** The first items, up to the first that is not shown anymore: lists of lists multiply. */
function shortItems(list: readonly unknown[]): string {
  let text = '';
  for (const item of list.slice(0, SHOWN_ITEMS)) {
    if (text.length > FOUND_MAX) break;
    text += `${text === '' ? '' : ','}${shortJson(item)}`;
  }
  return text;
}
