import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { CONDITION_OPERATORS } from '../../constants/statuses.ts';
import { text } from '../../text.ts';
import { evenIfWrong, list } from '../common.ts';

const operator = z
  .enum(CONDITION_OPERATORS)
  .meta({ id: 'ConditionOperator', description: 'Compares a field with a value.' });

const scalar = z.union([text(0, LIMITS.conditionValueMax), z.number(), z.boolean()], {
  error: `must be a string of at most ${LIMITS.conditionValueMax} characters, a number or a boolean`,
});

/** One comparison, or a group of conditions. */
export interface Condition {
  all?: Condition[] | undefined;
  any?: Condition[] | undefined;
  not?: Condition | undefined;
  field?: string | undefined;
  op?: z.output<typeof operator> | undefined;
  value?: string | number | boolean | (string | number | boolean)[] | undefined;
}

const LEAVES_RULE = `must have at most ${LIMITS.conditionLeavesMax} comparisons`;
const DEPTH_RULE = `must be nested at most ${LIMITS.conditionDepthMax} deep`;
const BYTES_RULE = `must have at most ${LIMITS.conditionBytes / 1_024} KiB`;
const ONE_OF = ['all', 'any', 'not', 'field'] as const;

/** One node of the tree. */
const node: z.ZodType<Condition> = z
  .strictObject({
    get all() {
      return nodes.optional().describe('Conditions that must all be true.');
    },
    get any() {
      return nodes.optional().describe('Conditions of which at least one must be true.');
    },
    get not() {
      return node.optional().describe('Condition that must not be true.');
    },
    field: text(1, LIMITS.conditionFieldMax)
      .optional()
      .describe(
        'Path of a value, such as `event.payload.pull_request.base.ref` or `event.payload.labels[*].name`.',
      ),
    op: operator.optional().describe('Comparison of the found value with `value`.'),
    value: z
      .union([scalar, list(scalar, { min: 1, rule: 'must have at least one item', max: LIMITS.filterMax })], {
        error: `must be a string of at most ${LIMITS.conditionValueMax} characters, a number, a boolean, or a list of 1 to ${LIMITS.filterMax} of them`,
      })
      .optional()
      .describe('Value to compare with. `in` and `not_in` take a list, `exists` and `not_exists` take none.'),
  })
  .superRefine((value, context) => {
    for (const { path, issue } of problemsOf(value))
      context.addIssue({ code: 'custom', path, message: issue });
  }, evenIfWrong)
  .describe('One comparison (`field`, `op`, `value`), or several in `all`, `any` or `not`.')
  .meta({ id: 'Condition' });

const nodes = list(node, {
  min: 1,
  rule: 'must have at least one condition',
  max: LIMITS.conditionLeavesMax,
});

/** Conditions in a request. They narrow webhooks, notification rules and automations. */
export const Conditions = z.preprocess((value, context) => {
  const { leaves, depth } = measure(value);
  if (leaves > LIMITS.conditionLeavesMax) context.addIssue(LEAVES_RULE);
  else if (depth > LIMITS.conditionDepthMax) context.addIssue(DEPTH_RULE);
  else if (bytesOf(value) > LIMITS.conditionBytes) context.addIssue(BYTES_RULE);
  return value;
}, node);

/** The verdict on one comparison, in a dry run. */
export const ConditionVerdict = z
  .object({
    path: z.string().describe('Place of the comparison, such as `all[1].any[0]`; empty for the only one.'),
    field: z.string().describe('Path that was looked up.'),
    op: operator.describe('The comparison.'),
    found: z
      .string()
      .nullable()
      .describe('The value found, as JSON of at most 200 characters; `null` if nothing was found.'),
    matched: z.boolean().describe('True if the comparison is true.'),
    note: z.string().optional().describe('Reason why the comparison could not be made.'),
  })
  .describe('The verdict on one comparison of the conditions.')
  .meta({ id: 'ConditionVerdict' });

/** The verdict on one comparison, in a dry run. */
export type ConditionVerdict = z.output<typeof ConditionVerdict>;

interface Problem {
  path: string[];
  issue: string;
}

function problemsOf(condition: Condition): Problem[] {
  const given = ONE_OF.filter((name) => condition[name] !== undefined);
  if (given.length !== 1) {
    const have = given.length === 0 ? 'has none of them' : `has ${given.join(' and ')}`;
    return [{ path: [], issue: `must have exactly one of all, any, not and field; it ${have}` }];
  }
  const { field, op, value } = condition;
  if (field === undefined) {
    const stray = (['op', 'value'] as const).filter((name) => condition[name] !== undefined);
    return stray.map((name) => ({
      path: [name],
      issue: `must be left out beside ${given[0]}: it goes with field`,
    }));
  }
  if (op === undefined) return [{ path: ['op'], issue: 'is required with field, such as eq' }];
  // The schema says what is wrong with these.
  if (!CONDITION_OPERATORS.includes(op) || (typeof value === 'object' && !Array.isArray(value))) return [];
  const rule = valueRule(op, value);
  return rule === null ? [] : [{ path: ['value'], issue: rule }];
}

/** The rule that a value breaks; `null` for none. */
function valueRule(op: NonNullable<Condition['op']>, value: Condition['value']): string | null {
  if (op === 'exists' || op === 'not_exists')
    return value === undefined ? null : `must be left out, because op ${op} compares with nothing`;
  if (value === undefined) return `is required, because op ${op} compares with it`;
  if (op === 'in' || op === 'not_in')
    return Array.isArray(value)
      ? null
      : `must be a list, such as ["a", "b"], because op is ${op}; for one value, use ${op === 'in' ? 'eq' : 'ne'}`;
  if (Array.isArray(value))
    return `must be one value and not a list, because op is ${op}; ${LIST_CURES[op] ?? 'write one condition for each value'}`;
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'is too large to be exact as a number; write it as a string, such as "9007199254740993"';
  if (op === 'starts_with' || op === 'ends_with' || op === 'matches')
    return typeof value === 'string' ? null : `must be a string, because op is ${op}; put it in quotes`;
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte')
    return typeof value === 'boolean'
      ? `must be a number or a string, because op is ${op}; for true and false, use eq`
      : null;
  return null;
}

/** The operators that take a list instead. */
const LIST_CURES: Readonly<Record<string, string>> = {
  eq: 'for a list, use in',
  ne: 'for a list, use not_in',
};

/** The size of a value as JSON, in bytes of UTF-8. */
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value ?? null)).length;

/** Counts comparisons and levels before validation: a megabyte of conditions would make a long list of errors. */
function measure(value: unknown): { leaves: number; depth: number } {
  let leaves = 0;
  let deepest = 0;
  const visit = (part: unknown, depth: number): void => {
    if (typeof part !== 'object' || part === null || leaves > LIMITS.conditionLeavesMax) return;
    deepest = Math.max(deepest, depth);
    if (depth > LIMITS.conditionDepthMax) return;
    const { all, any, not } = part as Record<string, unknown>;
    const children = [all, any, not].flat().filter((child) => child !== undefined);
    if (children.length === 0) leaves += 1;
    for (const child of children) visit(child, depth + 1);
  };
  visit(value, 1);
  return { leaves, depth: deepest };
}
