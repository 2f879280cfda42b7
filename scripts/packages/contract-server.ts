/**
 * A server that knows the contract and nothing else: it checks requests by the schemas, and returns sample responses. The examples
 * call it: their IDs are made up, so a real server would return 404 for most of them.
 */
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../../packages/contract/src/index.ts';
import type { Endpoint } from '../../packages/contract/src/index.ts';
import { openApiDocument } from '../../packages/contract/src/openapi/document.ts';

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
}

const document = openApiDocument('0.0.0') as unknown as Document;

const RATE = {
  'x-ratelimit-limit': '1000',
  'x-ratelimit-remaining': '999',
  'x-ratelimit-reset': '1800000000',
};

export interface ContractServer extends AsyncDisposable {
  readonly baseUrl: string;
}

export async function startContractServer(): Promise<ContractServer> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

const respond: (...args: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const send = (status: number, value: unknown, type = 'application/json') => {
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'req_1', ...RATE });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

  const [row] = Object.values<Endpoint>(endpoints)
    .filter(({ method, path }) => method === request.method && patternOf(path).test(pathname))
    // `/events/stream` before `/events/{eventId}`.
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  // A route outside the contract, which `client.request` may call.
  if (!row) return send(200, {});
  const details = [
    ...faults(row.query, Object.fromEntries(searchParams)),
    ...(row.body ? faults(row.body, JSON.parse(body || '{}')) : []),
  ];
  if (details.length > 0) {
    const message = 'The request does not fit the contract.';
    return send(400, { error: { code: 'invalid_request', message, details, request_id: 'req_1' } });
  }
  if (row.status === 204) return void response.writeHead(204, RATE).end();
  if (row.special === 'csv' && searchParams.get('format') === 'csv') return send(200, 'id\n', 'text/csv');
  const value = sample(responseSchema(row));
  if (row.special !== 'event-stream') return send(row.status, value);
  // One event. A client that resumes after it gets the end of the stream.
  if (request.headers['last-event-id']) return void response.writeHead(204, RATE).end();
  send(200, `retry: 1\nid: evt_1\ndata: ${JSON.stringify(value)}\n\n`, 'text/event-stream');
};

const patternOf = (path: string) => new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);

function responseSchema({ operationId, status }: Endpoint): Schema {
  const { content = {} } = operations.get(operationId)?.responses[status] ?? {};
  return Object.values(content)[0]?.schema ?? {};
}

/** The rules that a value breaks, as `details` of an error body. */
function faults(
  schema: Endpoint['query'] | Endpoint['body'],
  value: unknown,
): { field: string; issue: string }[] {
  const issues = schema?.safeParse(value).error?.issues ?? [];
  return (
    issues
      // Every id exists here.
      .filter(({ message }) => message !== 'does not exist')
      .map(({ path, message }) => ({ field: path.join('.'), issue: message }))
  );
}

/**
 * A value that fits the schema: every field is set, a list has one item, and a page is the last. A recursive schema, such as
 * that of conditions, is filled once: `within` has the schemas that are being filled.
 */
function sample(schema: Schema, within: readonly string[] = []): unknown {
  const { $ref: name } = schema;
  if (name !== undefined) {
    if (within.includes(name)) return undefined;
    return sample(document.components.schemas[name.split('/').at(-1) ?? ''] ?? {}, [...within, name]);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, within);
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [
          name,
          name === 'pagination' ? { next_cursor: null, has_more: false } : sample(field, within),
        ]),
      );
    case 'array':
      return [sample(schema.items ?? {}, within)].filter((item) => item !== undefined);
    case 'string':
      return schema.format === 'date-time' ? '2026-01-02T03:04:05.000Z' : 'text';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}
