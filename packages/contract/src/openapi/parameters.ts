import type { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { ids, PARAMETER_EXAMPLES } from '../examples/ids.ts';
import { HEADERS } from '../constants/headers.ts';
import { LIMITS } from '../constants/limits.ts';
import type { Components } from './components.ts';
import type { Json } from './json.ts';

const idempotencyKey = {
  name: HEADERS.idempotencyKey,
  in: 'header',
  description:
    'A unique string, such as a UUID v4. The server stores the outcome for 24 hours and returns it to a repeated request with the same key.',
  schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyMax, pattern: '^[\\x21-\\x7e]+$' },
  example: '2f1c3a52-8d8e-4c55-9f3b-6f1d8a0f7f0e',
};

const lastEventId = {
  name: HEADERS.lastEventId,
  in: 'header',
  description: 'ID of the last event that the client has seen: the stream continues after it.',
  schema: { type: 'string' },
  example: ids.pullRequest,
};

/** The parameters of an endpoint; `names` are those of its path in the document. */
export function parameters(row: Endpoint, names: readonly string[], components: Components): Json[] {
  const inPath = Object.values(row.params?.shape ?? {});
  return [
    ...inPath.map((schema, index) => ({
      name: names[index],
      in: 'path',
      required: true,
      ...described(schema as z.ZodType, components),
      ...exampleOf(names[index]),
    })),
    ...Object.entries(row.query?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      ...described(schema as z.ZodType, components),
      ...exampleOf(name),
    })),
    ...(row.write ? [components.refer('parameters', 'IdempotencyKey', idempotencyKey)] : []),
    ...(row.special === 'event-stream' ? [components.refer('parameters', 'LastEventId', lastEventId)] : []),
  ];
}

/** The description belongs to the parameter, the rest to its schema. */
function described(schema: z.ZodType, components: Components): Json {
  const { description, ...rest } = components.schema(schema);
  return { description, schema: rest };
}

/** A parameter means the same everywhere, so its name is enough to find an example. */
function exampleOf(name: string | undefined): Json {
  const example = (PARAMETER_EXAMPLES as Readonly<Record<string, string>>)[name ?? ''];
  return example === undefined ? {} : { example };
}
