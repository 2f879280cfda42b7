import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type EndpointName, ERROR_STATUS, type ErrorCode } from '@hubline/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Answer } from './api.ts';

interface Reference {
  $ref?: string;
}

interface Response extends Reference {
  headers?: Record<string, Reference & { required?: boolean }>;
  content?: Record<string, MediaType>;
}

interface MediaType {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface ErrorValue {
  error: { message: string };
}

interface Operation {
  'x-sdk-method': string;
  responses: Record<string, Response>;
}

const file = createRequire(import.meta.url).resolve('@hubline/contract/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation['x-sdk-method'], operation]),
);

/** What HTTP itself has to say, which no operation documents. */
const STANDARD = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-accel-buffering',
  'x-content-type-options',
]);

/** The statuses that the document has for an operation. */
export const documentedStatuses = (name: EndpointName): number[] =>
  Object.keys(operations.get(name)?.responses ?? {}).map(Number);

/** The messages of the document's examples of an error. */
export function documentedErrors(name: EndpointName, code: ErrorCode): string[] {
  const response = resolve(operations.get(name)?.responses[ERROR_STATUS[code]] ?? {});
  const { example, examples = { example: { value: example } } } =
    response.content?.['application/json'] ?? {};
  return Object.values(examples).map(({ value }) => (value as ErrorValue).error.message);
}

/** What holds for every answer: the document knows its status, its headers, its content type and its form. */
export function checkDocumented(name: EndpointName, answer: Answer): void {
  const problems = undocumented(name, answer);
  // Most answers have none, and an assertion costs more than finding them.
  if (problems.length > 0)
    expect(problems, `${name} ${answer.status} ${answer.text.slice(0, 500)}`).toEqual([]);
}

function undocumented(name: EndpointName, { status, headers, text, json }: Answer): unknown[] {
  const documented = operations.get(name)?.responses[status];
  if (!documented) return [`the status ${status}`];
  const response = resolve(documented);
  const known = new Map(
    Object.entries(response.headers ?? {}).map(([header, value]) => [header.toLowerCase(), resolve(value)]),
  );
  const unknown = [...headers.keys()].filter((header) => !STANDARD.has(header) && !known.has(header));
  const missing = [...known].filter(([header, { required }]) => required && !headers.has(header));
  const problems: unknown[] = [
    ...unknown.map((header) => `the header ${header}`),
    ...missing.map(([header]) => `no header ${header}`),
  ];
  if (response.content === undefined) return text === '' ? problems : [...problems, 'a body'];
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const media = response.content[type];
  if (!media) return [...problems, `the content type ${type}`];
  if (json === undefined || isFlat(json)) return problems;
  const validate = validatorOf(media.schema);
  return validate(json) ? problems : [...problems, ...(validate.errors ?? [])];
}

/** The older error body, which the document tells of in words. */
const isFlat = (json: unknown) => typeof (json as { error?: unknown }).error === 'string';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
// The document around its schemas is no schema.
ajv.addVocabulary([...Object.keys(document), 'discriminator']);
ajv.addSchema(document, 'api');
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');
  const validator = ajv.compile(JSON.parse(text) as object);
  validators.set(schema, validator);
  return validator;
}

/** What is behind a reference of the document. */
function resolve<Value extends Reference>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const [, ...steps] = value.$ref.split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as Value;
}
