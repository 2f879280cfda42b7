import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../endpoint.ts';
import { type EndpointName, endpoints } from '../endpoints/index.ts';
import { ID_PREFIXES, idPattern } from '../constants/ids.ts';
import { openApiDocument } from '../openapi/document.ts';
import { envelopes } from '../schemas/webhooks/envelopes.ts';
import { TRIGGERS } from '../constants/statuses.ts';
import { envelopeExamples } from './webhooks/envelopes.ts';
import type { Examples } from './example.ts';
import { examples } from './examples.ts';
import { ids } from './ids.ts';

interface MediaType {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Response {
  $ref?: string;
  content?: Record<string, MediaType>;
  headers?: Record<string, { $ref: string }>;
}

interface Parameter {
  $ref?: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema: object;
}

interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response>;
}

const document = openApiDocument('1.0.0') as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
};
const operations = [document.paths, document.webhooks].flatMap((items) =>
  Object.entries(items).flatMap(([, methods]) => Object.values(methods)),
);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
// The document is not a schema itself: these are its keywords that ajv does not know.
ajv.addVocabulary([...Object.keys(document), 'discriminator']);
ajv.addSchema(document, 'api');

/** Follows a reference of the document. */
function resolve<Value extends { $ref?: string }>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const [, ...steps] = value.$ref.split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as Value;
}

const compiled = new Map<string, ValidateFunction>();

/** The reasons why a value does not fit a schema of the document; an empty list if it fits. */
function misfits(schema: object, value: unknown): unknown[] {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, validate);
  // JSON has no fields that are `undefined`.
  return validate(JSON.parse(JSON.stringify(value))) ? [] : (validate.errors ?? []);
}

const given = ({ example, examples }: MediaType): unknown[] =>
  examples ? Object.values(examples).map(({ value }) => value) : example === undefined ? [] : [example];

it('checks examples against schemas that refuse invalid values', () => {
  const event = { $ref: '#/components/schemas/Event' };
  const { response }: Examples = examples['events.get'];
  expect(misfits(event, response)).toEqual([]);
  expect(misfits(event, { ...(response as object), created_at: 'yesterday' })).not.toEqual([]);
  const envelope = { $ref: '#/components/schemas/Envelope' };
  expect(misfits(envelope, { ...envelopeExamples['user.invited'], type: 'event.created' })).not.toEqual([]);
});

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s',
  (_, { parameters, requestBody, responses }) => {
    it('has an example of each request body, and each fits its schema', () => {
      for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
        expect(given(media).length, type).toBeGreaterThan(0);
        for (const value of given(media)) expect(misfits(media.schema, value), type).toEqual([]);
      }
    });

    it('has an example of each response that has a body, and each fits its schema', () => {
      for (const [status, response] of Object.entries(responses)) {
        for (const [type, media] of Object.entries(resolve(response).content ?? {})) {
          expect(given(media).length, `${status} ${type}`).toBeGreaterThan(0);
          for (const value of given(media)) {
            expect(misfits(media.schema, value), `${status} ${type}`).toEqual([]);
          }
        }
      }
    });

    it('has an example of each required parameter, and each example fits its schema', () => {
      for (const parameter of parameters.map(resolve)) {
        if (parameter.required) expect(parameter).toHaveProperty('example');
        if (parameter.example !== undefined) expect(misfits(parameter.schema, parameter.example)).toEqual([]);
      }
    });
  },
);

describe.each(Object.keys(endpoints) as EndpointName[])('%s', (name) => {
  const row: Endpoint = endpoints[name];
  const { body, bodies, response, responses, alternatives }: Examples = examples[name];

  it('has request bodies that the server accepts', () => {
    const wanted = row.body ?? null;
    if (!wanted) return;
    for (const value of bodies ? Object.values(bodies) : [body]) {
      expect(wanted.safeParse(value).error?.issues ?? []).toEqual([]);
    }
  });

  it('has responses without fields that the contract does not define', () => {
    for (const value of [response ?? [], Object.values({ ...responses, ...alternatives })].flat()) {
      expect(row.response?.parse(value)).toEqual(value);
    }
  });
});

it.each(TRIGGERS)('has an envelope of %s without fields that the contract does not define', (trigger) => {
  expect(envelopes[trigger].parse(envelopeExamples[trigger])).toEqual(envelopeExamples[trigger]);
});

it('uses only well-formed IDs', () => {
  const prefixes = Object.fromEntries(Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix, kind]));
  const text = JSON.stringify([examples, envelopeExamples, ids]);
  for (const [id, prefix] of text.matchAll(/\b([a-z]{2,3})_[0-9a-z]{20,}/g)) {
    expect(id).toMatch(idPattern(prefixes[prefix ?? ''] as keyof typeof ID_PREFIXES));
  }
});
