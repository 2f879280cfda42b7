import { z } from 'zod';

/** The names of the fields that a schema has at a path; none where it has no object, or one whose names are free. */
export function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) {
    return [...new Set(inner.options.flatMap((option) => fieldsAt(option, path)))];
  }
  const [step, ...rest] = path;
  if (inner instanceof z.ZodObject) {
    if (step === undefined) return Object.keys(inner.shape);
    const field = inner.shape[String(step)];
    return field ? fieldsAt(field, rest) : [];
  }
  if (inner instanceof z.ZodArray && step !== undefined) return fieldsAt(inner.element, rest);
  if (inner instanceof z.ZodRecord && step !== undefined) return fieldsAt(inner.valueType, rest);
  return [];
}

/** The schema behind `.optional()`, `.nullable()`, `.default()` and `z.preprocess()`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.out) : schema;
}
