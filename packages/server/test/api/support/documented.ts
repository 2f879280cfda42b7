import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type EndpointName, ERROR_STATUS, type ErrorCode } from '@hubline/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

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
  error: { code: string; message: string; details?: object[] };
}

/** Names in lower case. */
type HeaderSet = Pick<ReadonlyMap<string, string>, 'has'> & {
  get(name: string): string | null | undefined;
  keys(): Iterable<string>;
};

interface Operation {
  'x-sdk-method': string;
  responses: Record<string, Response>;
}

const file = createRequire(import.meta.url).resolve('@hubline/contract/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8'), closed) as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation['x-sdk-method'], operation]),
);

/** Closes every object schema. Clients must accept unknown fields, but the server of this document must send none. */
function closed(_key: string, node: unknown): unknown {
  const { type, properties, additionalProperties } = (node ?? {}) as Record<string, unknown>;
  const isOpen = type === 'object' && typeof properties === 'object' && additionalProperties === undefined;
  return isOpen ? { ...(node as object), additionalProperties: false } : node;
}

/** Headers of HTTP itself, which no operation documents. */
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
export const documentedErrors = (name: EndpointName, code: ErrorCode): string[] =>
  messagesOf(operations.get(name)?.responses[ERROR_STATUS[code]] ?? {});

/** The examples of the errors that operations share, by the name of the shared response. */
export const sharedErrors = Object.entries(document.components.responses).map(([name, { content }]) => {
  const { example } = content?.['application/json'] ?? {};
  return [name, (example as ErrorValue).error] as const;
});

function messagesOf(response: Response): string[] {
  const { example, examples = { example: { value: example } } } =
    resolve(response).content?.['application/json'] ?? {};
  return Object.values(examples).map(({ value }) => (value as ErrorValue).error.message);
}

/** Lists the differences between a response and the document: status, headers, content type and shape. */
export function documentProblems(
  name: EndpointName,
  { status, headers, text, json }: { status: number; headers: HeaderSet; text: string; json: unknown },
): string[] {
  const documented = operations.get(name)?.responses[status];
  if (documented === undefined) return [`status ${status} is not documented`];
  const response = resolve(documented);
  const known = new Map(
    Object.entries(response.headers ?? {}).map(([header, value]) => [header.toLowerCase(), resolve(value)]),
  );
  const problems = [
    ...[...headers.keys()]
      .filter((header) => !STANDARD.has(header) && !known.has(header))
      .map((header) => `the header ${header} is not documented`),
    ...[...known]
      .filter(([header, { required }]) => required && !headers.has(header))
      .map(([header]) => `the header ${header} is missing`),
  ];
  if (response.content === undefined) return text === '' ? problems : [...problems, 'there is a body'];

  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const media = response.content[type];
  if (media === undefined) return [...problems, `the content type ${type} is not documented`];
  if (json === undefined || isFlat(json)) return problems;
  const validate = validatorOf(media.schema);
  if (validate(json)) return problems;
  return [
    ...problems,
    ...(validate.errors ?? []).map(({ instancePath, message = '', params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    ),
  ];
}

/** The older error body, which the document describes in words. */
const isFlat = (json: unknown) => typeof (json as { error?: unknown }).error === 'string';

// Each validator runs a few times: improving its code takes longer than it saves.
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, code: { optimize: false } });
addFormats.default(ajv);
// Ajv gets the whole document as a schema, so the document's own keys are declared as vocabulary.
ajv.addVocabulary([...Object.keys(document), 'discriminator']);
ajv.addSchema(document, 'api');
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  let validator = validators.get(schema);
  if (!validator) {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');
    validators.set(schema, (validator = ajv.compile(JSON.parse(text) as object)));
  }
  return validator;
}

/** Resolves a reference of the document. */
function resolve<Value extends Reference>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const [, ...steps] = value.$ref.split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as Value;
}
