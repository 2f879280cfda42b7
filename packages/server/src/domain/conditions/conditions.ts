import type { Condition, ConditionVerdict } from '@hubline/contract';
import type { FaultDetail } from '../faults/fault.ts';
import { cut } from '../events/summary.ts';
import { OPERATORS, type Scalar, wantedOf } from './compare.ts';
import { EVERY, type Found, parsePath, type Step, valueAt, valuesAt } from './path.ts';
import { compilePattern, PATTERN_TEXT_MAX } from './pattern.ts';
import type { Scope } from './scope.ts';

/** Conditions that are ready to be asked. Both functions are total: what is missing or of another type does not match. */
export interface Conditions {
  matches(scope: Scope): boolean;
  /** The verdict on every comparison, also on those that `matches` need not make. */
  explain(scope: Scope): ConditionVerdict[];
}

/** Conditions, or what is wrong with them. */
export type CompiledConditions =
  | { readonly ok: true; readonly conditions: Conditions }
  | { readonly ok: false; readonly problems: readonly [FaultDetail, ...FaultDetail[]] };

/** The first words of paths in webhooks: what happened. */
export const OCCURRENCE_ROOTS = ['event', 'trigger', 'data'] as const;

interface Options {
  /** Path of the conditions in the request, such as `filters.conditions`. */
  field: string;
  /** The first words that paths may have. */
  roots: readonly string[];
}

/** The way to a value, and a test of it. */
interface Leaf {
  place: string;
  field: string;
  op: NonNullable<Condition['op']>;
  find(scope: Scope): Found[];
  test(scope: Scope): boolean;
}

type Test = (scope: Scope) => boolean;

const FOUND_MAX = 200;
const SHOWN_ITEMS = 20;
const OVER_BUDGET = 'patterns have read as much of this event as they may';

/** Compiles conditions that follow the contract's schema. Finds what that cannot see: paths and patterns. */
export function compileConditions(condition: Condition, { field, roots }: Options): CompiledConditions {
  const leaves: Leaf[] = [];
  const problems: FaultDetail[] = [];

  function build(node: Condition, place: string): Test {
    if (node.all) {
      const tests = node.all.map((child, index) => build(child, `${place}.all[${index}]`));
      return (scope) => tests.every((test) => test(scope));
    }
    if (node.any) {
      const tests = node.any.map((child, index) => build(child, `${place}.any[${index}]`));
      return (scope) => tests.some((test) => test(scope));
    }
    if (node.not) {
      const test = build(node.not, `${place}.not`);
      return (scope) => !test(scope);
    }
    const leaf = leafOf(node, { place, roots, refuse });
    if (!leaf) return () => false;
    leaves.push(leaf);
    return leaf.test;
  }

  function refuse(place: string, issue: string): void {
    problems.push({ field: `${field}${place}`, issue });
  }

  const matches = build(condition, '');
  const [first, ...others] = problems;
  if (first) return { ok: false, problems: [first, ...others] };
  return {
    ok: true,
    conditions: { matches, explain: (scope) => leaves.map((leaf) => verdict(leaf, scope)) },
  };
}

interface LeafOptions {
  place: string;
  roots: readonly string[];
  refuse: (place: string, issue: string) => void;
}

function leafOf(
  { field = '', op = 'exists', value }: Condition,
  { place, roots, refuse }: LeafOptions,
): Leaf | undefined {
  const steps = parsePath(field);
  const [root] = steps ?? [];
  if (!steps || typeof root !== 'string') {
    refuse(`${place}.field`, 'must be a path such as event.payload.labels[*].name or event.payload["a.b"]');
    return undefined;
  }
  if (!roots.includes(root)) {
    refuse(`${place}.field`, `must begin with ${roots.join(', ')}`);
    return undefined;
  }
  const find = finder(steps);
  const leaf = { place: place.replace(/^\./, ''), field, op, find };
  if (op === 'matches') {
    const pattern = compilePattern(String(value));
    if (!pattern.ok) {
      refuse(`${place}.value`, pattern.issue);
      return undefined;
    }
    return {
      ...leaf,
      test: (scope) => find(scope).some((one) => matchesText(pattern.test, one.value, scope)),
    };
  }
  const { test, denies } = OPERATORS[op];
  const wanted = [value]
    .flat()
    .filter((one): one is Scalar => one !== undefined)
    .map(wantedOf);
  const isTrue: Test = (scope) =>
    find(scope).some((one) => test(one.value, wanted, () => scope.exactNumber?.(one.path)));
  return { ...leaf, test: denies ? (scope) => !isTrue(scope) : isTrue };
}

/** With `[*]`, a comparison holds if it does for one item. */
function finder(steps: readonly Step[]): (scope: Scope) => Found[] {
  if (steps.includes(EVERY)) return (scope) => valuesAt(scope.values, steps);
  const path = steps as readonly (string | number)[];
  return (scope) => [{ value: valueAt(scope.values, path), path }];
}

function matchesText(test: (text: string) => boolean, found: unknown, { budget }: Scope): boolean {
  if (typeof found !== 'string' || budget.characters <= 0) return false;
  const text = found.length > PATTERN_TEXT_MAX ? found.slice(0, PATTERN_TEXT_MAX) : found;
  budget.characters -= text.length;
  return test(text);
}

function verdict({ place, field, op, find, test }: Leaf, scope: Scope): ConditionVerdict {
  const values = find(scope);
  const isSpent = op === 'matches' && scope.budget.characters <= 0;
  return {
    path: place,
    field,
    op,
    found: shown(values, scope),
    matched: test(scope),
    ...(isSpent ? { note: OVER_BUDGET } : {}),
  };
}

/** The values that were found, as JSON of at most 200 characters. */
function shown(values: readonly Found[], scope: Scope): string | null {
  const texts = values
    .filter(({ value }) => value !== undefined && value !== null)
    .slice(0, SHOWN_ITEMS)
    .map(({ value, path }) =>
      typeof value === 'number' ? (scope.exactNumber?.(path) ?? String(value)) : shortJson(value),
    );
  const isOne = values.length === 1;
  return texts.length === 0 ? null : cut(isOne ? texts.join() : `[${texts.join(',')}]`, FOUND_MAX);
}

/** JSON of a value of which only the beginning is shown: a payload may have 25 MB. */
function shortJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2 * FOUND_MAX).toWellFormed());
  if (Array.isArray(value)) return `[${value.slice(0, SHOWN_ITEMS).map(shortJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).slice(0, SHOWN_ITEMS);
  return `{${members.map((name) => JSON.stringify(name)).join(',')}}`;
}
