import { z } from 'zod';

/** The path of an object in the value that was sent. */
interface ObjectPath {
  path: readonly PropertyKey[];
  value: unknown;
}

/** The names of the fields that a schema has at a path; none if there is no object, or one with free names. */
export function fieldsAt(schema: z.core.$ZodType, { path, value }: ObjectPath): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) {
    return [...new Set(variantsOf(inner, value).flatMap((option) => fieldsAt(option, { path, value })))];
  }
  const [step, ...rest] = path;
  if (inner instanceof z.ZodObject && step === undefined) return Object.keys(inner.shape);
  if (step === undefined) return [];
  const below = { path: rest, value: memberOf(value, step) };
  if (inner instanceof z.ZodObject) {
    const field = inner.shape[String(step)];
    return field ? fieldsAt(field, below) : [];
  }
  if (inner instanceof z.ZodArray) return fieldsAt(inner.element, below);
  return inner instanceof z.ZodRecord ? fieldsAt(inner.valueType, below) : [];
}

/** The variants that a value may have: for an action, those of its `type`. */
function variantsOf(union: z.ZodUnion, value: unknown): readonly z.core.$ZodType[] {
  if (!(union instanceof z.ZodDiscriminatedUnion)) return union.options;
  const { discriminator } = union.def;
  const named = union.options.filter((option) => {
    const variant = unwrap(option);
    const tag = variant instanceof z.ZodObject ? variant.shape[discriminator] : undefined;
    return tag !== undefined && z.safeParse(tag, memberOf(value, discriminator)).success;
  });
  return named.length > 0 ? named : union.options;
}

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<PropertyKey, unknown>)[name]
    : undefined;

/** The schema behind `.optional()`, `.nullable()`, `.default()` and `z.preprocess()`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.out) : schema;
}
