import type { Json } from './json.ts';

/** A schema with its examples: one, or several by name. */
export function mediaType(
  schema: Json,
  { one, several }: { one?: unknown; several?: Readonly<Record<string, unknown>> | undefined },
): Json {
  if (several === undefined) return one === undefined ? { schema } : { schema, example: one };
  const examples = Object.entries(several).map(([name, value]) => [name, { value }]);
  return { schema, examples: Object.fromEntries(examples) };
}
