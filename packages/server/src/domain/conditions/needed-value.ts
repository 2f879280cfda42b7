import type { Condition } from '@hubline/contract';
import type { Draft } from '../draft.ts';
import { decimalOf } from '../json/numbers/decimal.ts';
import { EVERY, parsePath } from './path.ts';

/** A value that conditions require: at `path`, one of `oneOf`. */
export interface NeededValue {
  /** The path as the condition names it. */
  readonly field: string;
  readonly path: readonly (string | number)[];
  readonly oneOf: readonly NeededKey[];
}

/** A value that equals only itself. Numbers, and texts that read as numbers, equal others: `1`, `1.0`, `"1"`. */
export type NeededKey = string | boolean;

/**
 * The first value that the conditions require, by which they can be looked up; `null` if there is none. An event that has it may still not
 * meet them.
 */
export function neededValue(condition: Draft<Condition> = {}): NeededValue | null {
  if (condition.all)
    return condition.all.map((child) => neededValue(child)).find((needed) => needed !== null) ?? null;
  const { field = '', op, value } = condition;
  if (op !== 'eq' && op !== 'in') return null;
  const steps = parsePath(field);
  const oneOf = [value].flat();
  if (!steps || steps.includes(EVERY) || !oneOf.every(isKey)) return null;
  return { field, path: steps as readonly (string | number)[], oneOf };
}

const isKey = (value: unknown): value is NeededKey =>
  typeof value === 'boolean' || (typeof value === 'string' && decimalOf(value) === undefined);
