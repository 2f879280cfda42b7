import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ERROR_STATUS } from './errors.ts';
import { HEADERS } from './headers.ts';
import { ErrorBody, FlatErrorBody } from './schemas/errors.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the API, generated from the endpoints table. `version` is that of the product. */
export function openApiDocument(version: string): Json {
  const components = new Components();
  components.ref(ErrorBody);
  components.ref(FlatErrorBody);
  const paths: Record<string, Json> = {};
  for (const [name, row] of Object.entries<Endpoint>(endpoints)) {
    (paths[row.path] ??= {})[row.method.toLowerCase()] = operation(name, row, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hubline API',
      version,
      description:
        'Workspaces, members, integrations and events, and signed webhook calls. Lists are paged by cursor; writes ' +
        'take an `Idempotency-Key`; every response carries rate-limit headers and a request id.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key, `hl_…`.' } },
      schemas: components.sorted(),
    },
  };
}

/** Collects the named schemas that the operations refer to. */
class Components {
  readonly #schemas = new Map<string, Json>();

  /** A schema as JSON Schema: a reference if it has a name, inline otherwise. */
  ref(schema: z.ZodType): Json {
    // As it is sent: in a request, a field with a default is optional.
    const {
      $schema: _,
      $defs = {},
      ...root
    } = JSON.parse(
      JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).replaceAll(
        '"#/$defs/',
        '"#/components/schemas/',
      ),
    ) as Json & { $defs?: Record<string, Json> };
    for (const [id, definition] of Object.entries($defs)) this.#add(id, definition);
    const { id } = root;
    if (typeof id !== 'string') return root;
    this.#add(id, root);
    return { $ref: `#/components/schemas/${id}` };
  }

  sorted(): Json {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(id: string, { id: _, ...schema }: Json): void {
    this.#schemas.set(id, schema);
  }
}

function operation(name: string, row: Endpoint, components: Components): Json {
  const [resource = ''] = name.split('.');
  return {
    operationId: name,
    tags: [resource],
    summary: row.summary,
    ...(row.access.kind === 'public' ? { security: [] } : {}),
    ...(row.access.kind !== 'public' && row.access.scope ? { 'x-scope': row.access.scope } : {}),
    ...(row.access.kind === 'workspace' ? { 'x-permission': row.access.permission } : {}),
    ...(row.variantOf ? { 'x-variant-of': row.variantOf } : {}),
    parameters: [
      ...parameters('path', row.params, components),
      ...parameters('query', row.query, components),
      ...(row.write ? [idempotencyParameter] : []),
    ],
    ...(row.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: components.ref(row.body) } },
          },
        }
      : {}),
    responses: {
      [row.status]: success(row, components),
      default: {
        description: `An error: ${Object.entries(ERROR_STATUS)
          .map(([code, status]) => `${status} \`${code}\``)
          .join(', ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
      },
    },
  };
}

const idempotencyParameter = {
  name: HEADERS.idempotencyKey,
  in: 'header',
  required: false,
  description: 'A unique string, such as a UUID v4: the first response is replayed for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined, components: Components) {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => {
    const { description, ...rest } = components.ref(value as z.ZodType);
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function success(row: Endpoint, components: Components): Json {
  if (!row.response) return { description: 'Done; no body.' };
  const schema = components.ref(row.response);
  if (row.special === 'event-stream') {
    return { description: 'Events as they come.', content: { 'text/event-stream': { schema } } };
  }
  return {
    description: 'Success.',
    content: {
      'application/json': { schema },
      ...(row.special === 'csv' ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    },
  };
}
