import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints/index.ts';

// Everything in a request has a maximum size: half a million scopes once blocked the server for a second, and a name of
// one megabyte blocked it for minutes.

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  items?: Schema;
  maxItems?: number;
  maxLength?: number;
  maxProperties?: number;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
}

// A payload belongs to the caller. Nothing checks its content, and only the size of the body limits it.
const isFreeForm = (path: string) => path.endsWith('.payload');

/** Yields every part of a schema, with its path. */
function* places(schema: Schema, path: string, named: Record<string, Schema>): Generator<[string, Schema]> {
  if (schema.$ref !== undefined) {
    const { [schema.$ref.split('/').at(-1) ?? '']: target = {}, ...others } = named;
    // A condition can contain conditions, so each schema is followed only once.
    yield* places(target, path, others);
    return;
  }
  yield [path, schema];
  const children: [string, Schema][] = [
    ...(schema.anyOf ?? []).map((option): [string, Schema] => [path, option]),
    ...Object.entries(schema.properties ?? {}).map(([name, child]): [string, Schema] => [
      `${path}.${name}`,
      child,
    ]),
  ];
  if (schema.items) children.push([`${path}[]`, schema.items]);
  if (schema.propertyNames) children.push([`${path}{name}`, schema.propertyNames]);
  const { additionalProperties: others } = schema;
  if (typeof others === 'object' && !isFreeForm(path)) children.push([`${path}{}`, others]);
  for (const [place, child] of children) yield* places(child, place, named);
}

const all = Object.entries<Endpoint>(endpoints).flatMap(([name, { params, query, body }]) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) => {
    if (!schema) return [];
    const json = z.toJSONSchema(schema, { io: 'input' }) as Schema & { $defs?: Record<string, Schema> };
    return [...places(json, `${name} ${part}`, json.$defs ?? {})];
  }),
);
const isA = (type: string, schema: Schema) => [schema.type].flat().includes(type);

it('looks at every request', () => {
  expect(all.length).toBeGreaterThan(100);
  expect(all.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      'webhooks.create body.filters.event_types[]',
      'integrations.connect body.credentials{}',
      'events.publishBatch body.events[].type',
      'deliveries.list query.cursor',
    ]),
  );
});

it('gives every array in a request a maximum', () => {
  const arrays = all.filter(([, schema]) => isA('array', schema));
  expect(arrays.length).toBeGreaterThanOrEqual(10);
  expect(arrays.filter(([, { maxItems }]) => maxItems === undefined).map(([path]) => path)).toEqual([]);
});

it('gives every string in a request a maximum', () => {
  const unbounded = ([, schema]: [string, Schema]) =>
    isA('string', schema) &&
    schema.enum === undefined &&
    schema.const === undefined &&
    schema.maxLength === undefined;
  expect(all.filter(unbounded).map(([path]) => path)).toEqual([]);
});

it('closes every object in a request or bounds its size, except free-form ones', () => {
  const open = ([path, schema]: [string, Schema]) =>
    isA('object', schema) &&
    !isFreeForm(path) &&
    !/ (params|query)$/.test(path) &&
    schema.additionalProperties !== false &&
    schema.maxProperties === undefined;
  expect(all.filter(open).map(([path]) => path)).toEqual([]);
});
