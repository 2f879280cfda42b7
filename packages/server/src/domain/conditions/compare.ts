import type { ConditionOperator } from '@hubline/contract';
import { compareDecimals, type Decimal, decimalOf } from '../json/numbers/decimal.ts';
import { ExactNumber } from '../json/numbers/exact-number.ts';
import { textSearch } from './patterns/text-search.ts';

/** A value of a condition. */
export type Scalar = string | number | boolean;

/** A value of a condition, prepared for many comparisons. */
export interface Wanted {
  readonly value: Scalar;
  /** Its exact value if it is a number, or a text that reads as one. */
  readonly decimal: Decimal | undefined;
  /** Searches for it in a text. */
  readonly isIn: (text: string) => boolean;
}

export const wantedOf = (value: Scalar): Wanted => ({
  value,
  decimal: typeof value === 'boolean' ? undefined : decimalOf(String(value)),
  isIn: textSearch(String(value)),
});

// The number of characters that are searched, or read as a number, in the time of one step.
const CHARACTERS_PER_STEP = 16;

/** The work of a comparison, in steps. A list costs as much as its items. */
export function stepsOf(found: unknown, wanted: readonly Wanted[]): number {
  if (!Array.isArray(found)) return 1 + wanted.length + textSteps(found);
  return found.reduce<number>((steps, item) => steps + 1 + wanted.length + textSteps(item), 1);
}

const textSteps = (found: unknown): number =>
  typeof found === 'string' ? Math.ceil(found.length / CHARACTERS_PER_STEP) : 0;

/**
 * Compares what was found with a value: negative, zero, positive, or `undefined` where the two do not compare. A number compares
 * with a number, and with a text that is one, exactly. Texts compare character by character.
 */
function compare(found: unknown, wanted: Wanted): number | undefined {
  const { value, decimal } = wanted;
  if (typeof found === 'string') {
    if (typeof value === 'string') return found === value ? 0 : found < value ? -1 : 1;
    const own = typeof value === 'number' ? decimalOf(found) : undefined;
    return own && decimal && compareDecimals(own, decimal);
  }
  if (typeof found === 'number' && typeof value === 'number' && Number.isSafeInteger(found))
    return found - value;
  if (isNumber(found)) {
    const own = decimal && decimalOf(String(found));
    return own && decimal && compareDecimals(own, decimal);
  }
  return typeof found === 'boolean' && found === value ? 0 : undefined;
}

const isNumber = (found: unknown): found is number | ExactNumber =>
  typeof found === 'number' || found instanceof ExactNumber;

/** The test of an operator on one value. Negative operators invert it. */
type Test = (found: unknown, wanted: readonly Wanted[]) => boolean;

const isEqual: Test = (found, wanted) => wanted.some((one) => compare(found, one) === 0);
const inOrder =
  (accepts: (order: number) => boolean): Test =>
  (found, [wanted]) => {
    if (typeof found !== 'string' && !isNumber(found)) return false;
    const order = wanted && compare(found, wanted);
    return order !== undefined && accepts(order);
  };
const ofText =
  (accepts: (text: string, part: string, wanted: Wanted) => boolean): Test =>
  (found, [wanted]) =>
    typeof found === 'string' && typeof wanted?.value === 'string' && accepts(found, wanted.value, wanted);
const includes = ofText((text, _, wanted) => wanted.isIn(text));
const contains: Test = (found, wanted) =>
  Array.isArray(found) ? found.some((item: unknown) => isEqual(item, wanted)) : includes(found, wanted);
const exists: Test = (found) => found !== undefined && found !== null;

/** Each operator: its test, and whether it is negative. The test of `matches` is made for its pattern. */
export const OPERATORS: Readonly<
  Record<Exclude<ConditionOperator, 'matches'>, { readonly test: Test; readonly denies: boolean }>
> = {
  eq: { test: isEqual, denies: false },
  ne: { test: isEqual, denies: true },
  in: { test: isEqual, denies: false },
  not_in: { test: isEqual, denies: true },
  contains: { test: contains, denies: false },
  not_contains: { test: contains, denies: true },
  starts_with: { test: ofText((text, part) => text.startsWith(part)), denies: false },
  ends_with: { test: ofText((text, part) => text.endsWith(part)), denies: false },
  gt: { test: inOrder((order) => order > 0), denies: false },
  gte: { test: inOrder((order) => order >= 0), denies: false },
  lt: { test: inOrder((order) => order < 0), denies: false },
  lte: { test: inOrder((order) => order <= 0), denies: false },
  exists: { test: exists, denies: false },
  not_exists: { test: exists, denies: true },
};
