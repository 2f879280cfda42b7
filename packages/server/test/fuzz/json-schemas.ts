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
    // A condition holds conditions: the innermost are of any form.
    return within.filter((one) => one === name).length > 2 ? {} : resolve($defs[name], [...within, name]);
  };
  return resolve(root, []) as JsonSchema;
}
