import type { z } from 'zod';

const shown = new WeakMap<z.ZodType, z.ZodType>();

/** A schema by which the server reads a body, and a more exact one, which the document and the types of the SDK show. */
export function shownAs<Schema extends z.ZodType>(schema: Schema, exact: z.ZodType): Schema {
  shown.set(schema, exact);
  return schema;
}

/** The schema that is shown for another one: usually itself. */
export const shownFor = (schema: z.ZodType): z.ZodType => shown.get(schema) ?? schema;
