import { z } from 'zod';

// The size of what a request holds is checked before its content. zod looks at every item of an array first: half a million
// of them, each with an error of its own, blocked the server for a second and left a gigabyte behind.

/** Lengths of a list, and the rule that one below the minimum breaks. */
interface ListBounds {
  min?: number;
  rule?: string;
  max: number;
}

/** An array in a request. */
export function list<Item extends z.ZodType>(
  item: Item,
  { min = 0, rule = `must have at least ${min} items`, max }: ListBounds,
) {
  const array = z.array(item).meta({ ...(min > 0 && { minItems: min }), maxItems: max });
  return z.preprocess((value, context) => {
    if (Array.isArray(value)) {
      if (value.length < min) context.addIssue(rule);
      if (value.length > max) context.addIssue(`must have at most ${max} items`);
    }
    return value;
  }, array);
}

/** An object in a request of which not all field names are ours, such as credentials. */
export function bounded<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z.preprocess(
    (value, context) => {
      const isObject = typeof value === 'object' && value !== null;
      if (isObject && Object.keys(value).length > max) context.addIssue(`must have at most ${max} fields`);
      return value;
    },
    schema.meta({ maxProperties: max }),
  );
}

const NAME_MAX = 100;
const NAME_RULE = `must have a name of at most ${NAME_MAX} characters`;

/** Values under names that are not ours. */
export function dictionary<Value extends z.ZodType>(value: Value, max: number) {
  return bounded(z.record(z.string().max(NAME_MAX, NAME_RULE), value), max);
}
