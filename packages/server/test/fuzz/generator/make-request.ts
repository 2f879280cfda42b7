import { type EndpointName, HEADERS } from '@hubline/contract';
import { Random } from '../../random.ts';
import { chance, pick, pickKnown, rarely, seedOf, weighted } from './choose.ts';
import { type JsonSchema, type Row, rows } from './json-schemas.ts';
import { ODD_TEXTS, oddValue } from './odd-values.ts';
import { spoilBytes, spoilText, spoilValue } from './spoil.ts';
import { pickId, kindOf, type Making, validValue } from './valid-value.ts';
import { CALLERS, type Caller, type Ids, URL_TOKEN } from '../world.ts';

/** One request of a run. */
export interface FuzzRequest {
  index: number;
  /** The row of the table; `null` for paths outside the API, and for raw bytes. */
  row: Row | null;
  caller: Caller;
  method: string;
  /** With the query, from the root of the server. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** Raw bytes for the socket; they replace all of the above. */
  raw: Buffer | null;
}

/** The body of a provider's call, whose real form depends on the integration. */
const ANY_OBJECT: JsonSchema = {
  type: 'object',
  properties: { message: { type: 'string' }, text: { type: 'string' }, type: { type: 'string' } },
};

const ANY_TEXT: JsonSchema = { type: 'string' };

/**
 * Endpoints that destroy or hand over things that other requests need. They get only things that the run made itself.
 */
const DESTRUCTIVE: ReadonlySet<EndpointName> = new Set([
  'workspaces.delete',
  'members.update',
  'members.remove',
  'apiKeys.update',
  'apiKeys.revoke',
  'apiKeys.rotate',
  'personalApiKeys.revoke',
  'integrations.reconnect',
  'integrations.disconnect',
  'providers.delete',
  'webhooks.delete',
  'automations.delete',
  'notificationRules.delete',
  'notificationTemplates.delete',
]);

/** Pages and endpoints outside the table. */
const OTHERS: readonly [method: string, path: string][] = [
  ['GET', '/'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/v1/openapi.json'],
  ['GET', '/v1/nothing'],
  ['GET', '/session'],
  ['POST', '/session'],
  ['DELETE', '/session'],
  ['DELETE', '/session/others'],
  ['POST', '/session/password'],
  ['GET', '/setup'],
  ['POST', '/setup'],
  ['GET', '/invite'],
  ['POST', '/invite'],
  ['PUT', '/v1/me'],
  ['TRACE', '/v1/me'],
  ['OPTIONS', '/v1/workspaces'],
];

/** The request at a position of a run. The same seed, position and IDs make the same request. */
export function makeRequest(seed: number, index: number, ids: Ids): FuzzRequest {
  const random = new Random(seedOf(seed, index));
  return weighted<() => FuzzRequest>(random, [
    [90, () => toRow(pick(random, rows), { random, ids, index })],
    [4, () => toOther({ random, ids, index })],
    [6, () => rawBytes(toRow(pick(random, rows), { random, ids, index }), { random, ids, index })],
  ])();
}

interface RequestContext {
  random: Random;
  ids: Ids;
  index: number;
}

function toRow(row: Row, { random, ids, index }: RequestContext): FuzzRequest {
  const destructive = DESTRUCTIVE.has(row.name);
  const making = { random, ids, destructive };
  const chosen = pickCaller(random);
  const caller = destructive && chosen === 'stranger' ? 'owner' : chosen;
  const { method } = row.endpoint;
  const schema = row.body ?? (row.endpoint.special === 'ingest' ? ANY_OBJECT : null);
  const body = schema ? bodyFor(schema, making) : chance(random, 0.03) ? oddBody(random) : null;
  return {
    index,
    row,
    caller,
    method: method === 'GET' && chance(random, 0.03) ? 'HEAD' : method,
    path: `/v1${pathOf(row, making)}${queryOf(row, making)}`,
    headers: { ...credential(caller, ids), ...headersOf(random, { body: body !== null, row }) },
    body,
    raw: null,
  };
}

function toOther({ random, ids, index }: RequestContext): FuzzRequest {
  const [method, path] = pick(random, OTHERS);
  const hasBody = method === 'POST' || method === 'PUT';
  const email = pick(random, ['owner@example.com', ...ODD_TEXTS]);
  const fields = { email, password: pick(random, ODD_TEXTS), token: 'x', name: pick(random, ODD_TEXTS) };
  const body = !hasBody
    ? null
    : chance(random, 0.5)
      ? Buffer.from(JSON.stringify(spoilValue(fields, random)))
      : Buffer.from(new URLSearchParams(fields).toString());
  return {
    index,
    row: null,
    caller: 'nobody',
    method,
    path: chance(random, 0.1)
      ? encodeURI(spoilText(path, random).toWellFormed()).replace(/^(?!\/)/, '/')
      : path,
    headers: {
      'X-Hubline-Dashboard': '1',
      ...(chance(random, 0.3) ? credential('owner', ids) : {}),
      ...(chance(random, 0.3) ? { Cookie: `hubline_session=${pick(random, ['x', 'y='])}` } : {}),
      ...(hasBody
        ? { 'Content-Type': pick(random, ['application/json', 'application/x-www-form-urlencoded']) }
        : {}),
    },
    body,
    raw: null,
  };
}

function pickCaller(random: Random): Caller {
  return chance(random, 0.75) ? 'owner' : pick(random, CALLERS);
}

function credential(caller: Caller, { world }: Ids): Record<string, string> {
  if (caller === 'nobody') return {};
  return { Authorization: `Bearer ${caller === 'garbage' ? 'hl_garbage' : world.keys[caller]}` };
}

function pathOf({ endpoint, params }: Row, making: Making): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const kind = kindOf(params[name]?.pattern);
    // The workspace that holds the things to destroy stays.
    const destructive = making.destructive && (kind !== 'workspace' || endpoint.path.endsWith(placeholder));
    const value = kind ? pickId(kind, { ...making, destructive }) : validValue(ANY_TEXT, name, making);
    return encodeURIComponent(String(value).toWellFormed());
  });
}

function queryOf(row: Row, making: Making): string {
  const { random, ids } = making;
  const properties = row.query.properties ?? {};
  const given = Object.entries(properties).filter(([name]) => name === 'workspace_id' || chance(random, 0.2));
  const query = given.map(([name, schema]): [string, string] => {
    if (chance(random, 0.15)) return [name, pick(random, ODD_TEXTS)];
    if (name === 'cursor') return [name, pickKnown(random, ids.cursorsOf(row.name), 'c1.x.y')];
    return [name, String(validValue(schema, name, making))];
  });
  if (chance(random, 0.03)) query.push([spoilText('status', random), pick(random, ODD_TEXTS)]);
  if (chance(random, 0.02) && query[0]) query.push(query[0]);
  if (row.endpoint.special === 'ingest' && chance(random, 0.8)) query.push(['token', URL_TOKEN]);
  const text = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

function bodyFor(schema: NonNullable<Row['body']>, making: Making): Buffer {
  const { random } = making;
  const valid = validValue(schema, '', making);
  return weighted<() => Buffer>(random, [
    [50, () => encode(valid)],
    [35, () => encode(spoilValue(valid, random))],
    [8, () => spoilBytes(encode(valid), random)],
    [3, () => Buffer.from(repeated(JSON.stringify(valid), random))],
    [4, () => oddBody(random)],
  ])();
}

/** Repeats the same fields, which JSON allows. */
const repeated = (text: string, random: Random) => `${text.slice(0, -1)},${spoilText(text.slice(1), random)}`;

function oddBody(random: Random): Buffer {
  return weighted<() => Buffer>(random, [
    [3, () => encode(oddValue(random))],
    [2, () => encode({})],
    [1, () => Buffer.alloc(0)],
    [1, () => Buffer.from('['.repeat(random.between(1, rarely(random, 500, 100_000))))],
    [1, () => Buffer.from(`{"a":"${'\\u0000'.repeat(random.between(1, rarely(random, 100, 10_000)))}"}`)],
    [1, () => Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
    [1, () => Buffer.alloc(random.between(1, rarely(random, 2_000, 2_000_000)), 0x20)],
  ])();
}

// `JSON.stringify` escapes a lone surrogate and does not replace it. A value without JSON is sent as null.
const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'null');

const VISIBLE = ODD_TEXTS.filter((text) => /^[\x21-\x7e]*$/.test(text));

function headersOf(random: Random, { body, row }: { body: boolean; row: Row }): Record<string, string> {
  const headers: Record<string, string> = {};
  if (body) {
    headers['Content-Type'] = weighted(random, [
      [40, 'application/json'],
      [1, 'application/json; charset=utf-8'],
      [1, 'application/json; charset=latin1'],
      [1, 'text/plain'],
      [1, ';;;'],
      ...(row.endpoint.special === 'ingest' ? ([[10, 'application/x-www-form-urlencoded']] as const) : []),
    ]);
  }
  if (chance(random, 0.1)) {
    headers[HEADERS.idempotencyKey] = pick(random, [
      'a',
      'b',
      `k-${random.between(0, 1e9)}`,
      'x'.repeat(300),
      ...VISIBLE,
    ]);
  }
  if (chance(random, 0.05)) headers[HEADERS.errorFormat] = 'flat';
  if (chance(random, 0.03)) headers['Accept'] = pick(random, ['text/csv', 'text/html', '*/*', 'x']);
  if (row.endpoint.special === 'event-stream' && chance(random, 0.5)) {
    headers[HEADERS.lastEventId] = pick(random, ['x', 'evt_00000000000000000000000000']);
  }
  if (chance(random, 0.02)) headers['X-Forwarded-For'] = pick(random, VISIBLE);
  if (chance(random, 0.02)) headers['User-Agent'] = pick(random, VISIBLE);
  if (chance(random, 0.01)) headers['Content-Encoding'] = pick(random, ['gzip', 'identity', 'x']);
  return headers;
}

/** A request as bytes, with mistakes that no HTTP client would make. */
function rawBytes(
  { method, path, headers, body, ...rest }: FuzzRequest,
  { random }: RequestContext,
): FuzzRequest {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    // Small bodies: the mistakes are in the head.
    `Content-Length: ${body === null ? 0 : Math.min(body.length, 2_000)}`,
    'Connection: close',
  ];
  const whole = Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`),
    (body ?? Buffer.alloc(0)).subarray(0, 2_000),
  ]);
  return { ...rest, row: null, method, path, headers, body, raw: spoilBytes(whole, random) };
}
