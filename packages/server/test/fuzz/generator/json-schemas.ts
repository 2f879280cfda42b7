import { type Endpoint, type EndpointName, endpoints } from '@hubline/contract';
import { z } from 'zod';

/** The part of JSON Schema that the contract uses, with references resolved. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
}

/** A row of the endpoints table with the schemas of its requests. */
export interface Row {
  name: EndpointName;
  endpoint: Endpoint;
  params: Record<string, JsonSchema>;
  query: JsonSchema;
  body: JsonSchema | null;
}

type Properties = Record<string, JsonSchema>;

/** An object with exactly these fields. */
const only = (
  schema: JsonSchema,
  properties: Readonly<Record<string, JsonSchema | undefined>>,
): JsonSchema => ({
  ...schema,
  properties: properties as Properties,
  required: Object.keys(properties),
});

/** The valid forms of values with rules between their fields, which JSON Schema cannot express. */
const FORMS: Readonly<Record<string, (schema: JsonSchema, within: readonly string[]) => JsonSchema>> = {
  // One of `all`, `any`, `not` or a comparison. The innermost are comparisons.
  Condition(schema, within) {
    const { all, any, not, op: _, ...compared } = schema.properties ?? {};
    const comparison = only(schema, {
      ...compared,
      op: { const: 'eq' },
      value: { type: 'string', maxLength: 100 },
    });
    if (within.includes('Condition')) return comparison;
    return {
      oneOf: [
        comparison,
        comparison,
        comparison,
        ...[{ all }, { any }, { not }].map((form) => only(schema, form)),
      ],
    };
  },
  // The event of a trigger decides which fields have a meaning.
  AutomationTrigger(schema) {
    const { types, sources, integration_ids, cron: _, timezone: __ } = schema.properties ?? {};
    const event = { ...schema, required: ['event'] };
    return {
      oneOf: [
        {
          ...event,
          properties: { event: { const: 'event.created' }, types, sources, integration_ids } as Properties,
        },
        { ...event, properties: { event: { enum: ['manual', 'user.invited', 'integration.connected'] } } },
        only(schema, {
          event: { const: 'schedule' },
          cron: { const: '0 9 * * 1' },
          timezone: { const: 'Europe/Berlin' },
        }),
      ],
    };
  },
};

/** Every row. */
export const rows: readonly Row[] = (Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][]).map(
  ([name, endpoint]) => ({
    name,
    endpoint,
    params: endpoint.params ? (toJsonSchema(endpoint.params).properties ?? {}) : {},
    query: endpoint.query ? toJsonSchema(endpoint.query) : { type: 'object', properties: {} },
    body: endpoint.body ? toJsonSchema(endpoint.body) : null,
  }),
);

/** A schema as JSON Schema, with its references resolved. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input' });
  const resolve = (node: unknown, within: readonly string[]): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map((item) => resolve(item, within));
    const { $ref } = node as { $ref?: string };
    if ($ref === undefined)
      return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, resolve(child, within)]));
    const name = $ref.split('/').at(-1) ?? '';
    const form = FORMS[name];
    return resolve(form ? form($defs[name] as JsonSchema, within) : $defs[name], [...within, name]);
  };
  return resolve(root, []) as JsonSchema;
}
