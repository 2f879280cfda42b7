import { describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints/index.ts';
import { openApiDocument } from './document.ts';

interface Operation {
  operationId: string;
  'x-sdk-method': string;
  tags: string[];
  description: string;
  parameters: {
    $ref?: string;
    name: string;
    in: string;
    description?: string;
    schema: Record<string, unknown>;
  }[];
  security: { bearer?: string[] }[];
  requestBody?: { required: boolean; content: object };
  responses: Record<string, { $ref?: string }>;
}

const document = openApiDocument('1.2.3') as {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const operation = (name: keyof typeof endpoints): Operation => {
  const found = operations.find((one) => one['x-sdk-method'] === name);
  if (!found) throw new Error(`There is no operation for ${name}.`);
  return found;
};

it('has an operation for every endpoint, with a unique name that begins with a verb', () => {
  expect(operations.map((one) => one['x-sdk-method']).sort()).toEqual(Object.keys(endpoints).sort());
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+[A-Z][A-Za-z]+$/);
});

it('refers only to components that it defines, and defines no unused ones', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g);
  const used = new Set([...references].map(([, name]) => name as string));
  const defined = Object.entries(document.components)
    .filter(([section]) => section !== 'securitySchemes')
    .flatMap(([section, entries]) => Object.keys(entries).map((name) => `${section}/${name}`));
  expect([...used].sort()).toEqual(defined.sort());
});

it('has one path for paths that differ only in the name of a parameter', () => {
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
  expect(operation('members.create').parameters[0]).toMatchObject({ name: 'id', in: 'path' });
});

it('describes every operation and every parameter', () => {
  for (const { operationId, description, parameters } of operations) {
    expect(description, operationId).toMatch(/^[A-Z].{20,}\.\n\nNeeds /s);
    for (const { $ref, name, description } of parameters) {
      if (!$ref) expect(description, `${operationId} ${name}`).toMatch(/\S/);
    }
  }
});

it('names the default and the bounds of a page', () => {
  const limit = operation('events.list').parameters.find(({ name }) => name === 'limit');
  expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
});

describe('the access of an operation', () => {
  it('names the scope that the key needs', () => {
    expect(operation('events.publish').security).toEqual([{ bearer: ['events:write'] }]);
    expect(operation('me.get').security).toEqual([{ bearer: [] }]);
    expect(operation('ingest.receive').security).toEqual([]);
  });

  it('names the roles that have the permission', () => {
    expect(operation('workspaces.delete').description).toContain('the role `owner` in');
    expect(operation('webhooks.create').description).toContain('the role `owner` or `admin` in');
    expect(operation('events.publish').description).toContain('the role `owner`, `admin` or `member` in');
    expect(operation('events.list').description).toContain('any role in');
  });
});

it('warns of a secret that is shown once, and of no other', () => {
  const warning = 'a secret that cannot be read again';
  expect(operation('apiKeys.create').description).toContain(warning);
  // Its ingest URL may end with a token, which reads show, too.
  expect(operation('integrations.update').description).not.toContain(warning);
});

describe('a request body', () => {
  it('is required exactly where an empty one is refused', () => {
    expect(operation('workspaces.create').requestBody?.required).toBe(true);
    expect(operation('webhooks.rotateSecret').requestBody?.required).toBe(false);
    expect(operation('webhooks.enable').requestBody).toBeUndefined();
  });

  it('has the content types of ingest', () => {
    const types = (name: keyof typeof endpoints) => Object.keys(operation(name).requestBody?.content ?? {});
    expect(types('ingest.receive')).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
    ]);
    expect(types('ingest.slack')).toEqual(['application/json', 'application/x-www-form-urlencoded']);
  });
});

it('names the error statuses of an operation, and no others', () => {
  const statuses = (name: keyof typeof endpoints) => Object.keys(operation(name).responses).join(' ');
  expect(statuses('me.get')).toBe('200 400 401 429 500 503');
  expect(statuses('workspaces.list')).toBe('200 400 401 403 429 500 503');
  expect(statuses('events.get')).toBe('200 400 401 403 404 429 500 503');
  expect(statuses('workspaces.delete')).toBe('204 400 401 403 404 409 422 429 500 503');
  expect(statuses('workspaces.create')).toBe('201 400 401 403 408 409 413 415 422 429 500 503');
  expect(statuses('ingest.receive')).toBe('200 202 400 401 404 408 413 415 429 500 503');
});

it('marks a deprecated endpoint, names its replacement, and has the deprecation headers on every response', () => {
  const row: Endpoint = endpoints['me.get'];
  row.deprecated = { since: '2027-01-31', sunset: '2027-07-31', instead: 'Use `GET /workspaces`.' };
  onTestFinished(() => {
    delete row.deprecated;
  });
  const { paths } = openApiDocument('1.0.0') as {
    paths: Record<string, Record<string, Operation & { deprecated?: boolean }>>;
  };
  const marked = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ deprecated }) => deprecated);
  expect(marked.map(({ operationId }) => operationId)).toEqual([row.operationId]);
  expect(marked[0]?.description).toContain(
    'Deprecated since 2027-01-31; may be removed from 2027-07-31 on. Use `GET /workspaces`.',
  );
  for (const response of Object.values(marked[0]?.responses ?? {}))
    expect(response).toHaveProperty(['headers', 'Sunset']);
});

describe('what generators fail on', () => {
  const schemas = allSchemas(document.components['schemas']);

  it('is a title: some name the type after it, and the first of two that are equal takes the name', () => {
    expect(schemas.filter(([, { title }]) => typeof title === 'string').map(([path]) => path)).toEqual([]);
  });

  it('is a tag for endpoints and for calls that Hubline makes: a tag is a class, and the later one replaces the earlier', () => {
    const calls = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));
    expect(calls.length).toBeGreaterThan(0);
    const ofCalls = new Set(calls.flatMap(({ tags }) => tags));
    expect(operations.flatMap(({ tags }) => tags).filter((tag) => ofCalls.has(tag))).toEqual([]);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...ofCalls]));
  });

  it('is a pattern with a character above 0x7f by two digits: Ruby does not load it, and PHP reads it as a byte', () => {
    const patterns = schemas.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.filter((pattern) => /\\x[89a-f]/i.test(pattern))).toEqual([]);
  });

  it('is an integer of more than 32 bits without a format: it is read as 32 bits, and the free bytes of a disk are not', () => {
    const wide = schemas.filter(
      ([, { type, maximum, exclusiveMaximum }]) =>
        [type].flat().includes('integer') && Number(maximum ?? exclusiveMaximum ?? Infinity) > 2 ** 31 - 1,
    );
    expect(wide.map(([path]) => path)).toContain('/ServerHealth/properties/free_bytes/anyOf/0');
    expect(wide.filter(([, { format }]) => format !== 'int64').map(([path]) => path)).toEqual([]);
  });

  it('is a string with two patterns', () => {
    expect(schemas.filter(([, { allOf }]) => JSON.stringify(allOf)?.includes('"pattern"'))).toEqual([]);
  });

  it('is a pattern that means something else, or nothing, without the flags of its expression', () => {
    const patterns = schemas.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([]);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'u'), pattern).not.toThrow();
    const key = schemas.find(([path]) => path.endsWith('DefinedCredentials/properties/public_key'))?.[1];
    expect('AB'.repeat(32)).toMatch(new RegExp(String(key?.['pattern'])));
  });
});

type Schema = Record<string, unknown>;

/** Every object of the schemas, with its path; examples are not among them. */
function allSchemas(value: unknown, path = ''): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) => allSchemas(child, `${path}/${key}`));
  return Array.isArray(value) ? inner : [[path, value as Schema], ...inner];
}
