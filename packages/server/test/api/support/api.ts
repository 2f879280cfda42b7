import { isDeepStrictEqual } from 'node:util';
import {
  type Endpoint,
  type EndpointInput,
  type EndpointName,
  type EndpointOutput,
  endpoints,
  ERROR_STATUS,
  ErrorBody,
  FlatErrorBody,
  HEADERS,
  idPattern,
} from '@hubline/contract';
import { expect } from 'vitest';
import type { z } from 'zod';
import { documentProblems } from './documented.ts';
import { sendRequest } from './http-client.ts';

/** The input of a call. `text` is sent unchanged, for bodies that `JSON.stringify` would change. */
export interface CallInput {
  params?: Record<string, string> | undefined;
  query?: Record<string, string> | undefined;
  body?: unknown;
  text?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** A response that has been read. */
export interface ReadResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; `undefined` when it is not JSON. */
  json: unknown;
}

/** The error of a refused call, with the status and the headers of its response. */
export type Refusal = z.output<typeof ErrorBody>['error'] & { status: number; headers: Headers };

/** The statuses that mean `invalid_request` more exactly than 400. */
const EXACT = new Set([405, 408, 413, 415, 417, 431]);

/** The headers of every response, and their form. */
const BASE_HEADERS = {
  [HEADERS.requestId]: idPattern('request'),
  [HEADERS.rateLimitLimit]: /^\d+$/,
  [HEADERS.rateLimitRemaining]: /^\d+$/,
  [HEADERS.rateLimitReset]: /^\d+$/,
  'x-content-type-options': /^nosniff$/,
};

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The API as its users see it: requests are real, and every response is checked against the contract. */
export class Api {
  readonly baseUrl: string;
  readonly key: string | null;

  constructor(baseUrl: string, key: string | null) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  /** The same server with another key; `null` for none. */
  as(key: string | null): Api {
    return new Api(this.baseUrl, key);
  }

  /** Calls an endpoint that must succeed: with the status and the exact shape of its row. */
  async call<Name extends EndpointName>(name: Name, input: CallInput = {}): Promise<EndpointOutput<Name>> {
    const response = await this.send(name, input);
    checkSuccess(name, response);
    return response.json as EndpointOutput<Name>;
  }

  /** Calls an endpoint that must refuse with this status. */
  async refused(name: EndpointName, status: number, input: CallInput = {}): Promise<Refusal> {
    const response = await this.send(name, input);
    if (response.status !== status)
      expect(`${response.status} ${response.text}`).toMatch(new RegExp(`^${status} `));
    return { ...(response.json as z.output<typeof ErrorBody>).error, status, headers: response.headers };
  }

  /** Calls an endpoint; any outcome is fine. */
  async send(name: EndpointName, { params, query, ...rest }: CallInput = {}): Promise<ReadResponse> {
    const row: Endpoint = endpoints[name];
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
      encodeURIComponent(params?.[part] ?? `no-${part}`),
    );
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const response = await this.request(row.method, `${path}${search}`, rest);
    checkDocumented(name, response);
    return response;
  }

  /** Sends any request below the base URL. */
  async request(
    method: string,
    path: string,
    { body, text, headers }: Omit<CallInput, 'params' | 'query'> = {},
  ): Promise<ReadResponse> {
    const content = text ?? (body === undefined ? null : JSON.stringify(body));
    const received = await sendRequest(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(this.key === null ? {} : { Authorization: `Bearer ${this.key}` }),
        ...(content === null ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: content,
    });
    const response = { ...received, json: jsonOf(received) };
    checkBase(response);
    return response;
  }
}

function jsonOf({ headers, text }: Omit<ReadResponse, 'json'>): unknown {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return isJson ? (JSON.parse(text) as unknown) : undefined;
}

function checkDocumented(name: EndpointName, response: ReadResponse): void {
  const problems = documentProblems(name, response);
  // Most responses have no problems, and an assertion costs more than looking for them.
  if (problems.length > 0)
    expect(problems, `${name} ${response.status} ${response.text.slice(0, 500)}`).toEqual([]);
}

/** Checks what every response must have: its ID, the rate-limit headers, `nosniff`, and, from 400 on, the error body. */
export function checkBase(response: ReadResponse): void {
  const { status, headers, text } = response;
  const wrong = Object.entries(BASE_HEADERS).filter(([name, form]) => !form.test(headers.get(name) ?? ''));
  // As above, an assertion costs more than looking.
  if (wrong.length > 0) expect(wrong, `headers of ${status} ${text}`).toEqual([]);
  if (status < 400 || text === '') return;
  if (typeof (response.json as { error?: unknown } | undefined)?.error === 'string') {
    expect(FlatErrorBody.strict().parse(response.json)).toMatchObject({ status_code: status });
    return;
  }
  const { error } = exactly(ErrorBody, response.json);
  const isExact = error.code === 'invalid_request' && EXACT.has(status);
  if (
    error.request_id !== headers.get(HEADERS.requestId) ||
    !(isExact || ERROR_STATUS[error.code] === status) ||
    !/\S.*[.?]$/s.test(error.message)
  )
    throw new Error(`The error does not fit its response: ${status} ${text}`);
}

/** Checks a success against its row: the status and the exact shape. */
export function checkSuccess(name: EndpointName, response: ReadResponse): void {
  const row: Endpoint = endpoints[name];
  if (response.status !== row.status)
    expect(`${response.status} ${response.text}`.slice(0, 2_000)).toMatch(new RegExp(`^${row.status} `));
  if (row.status === 204) {
    expect(response.text).toBe('');
    expect(response.headers.get('content-type')).toBeNull();
    return;
  }
  if (row.special === 'event-stream' || name === 'ingest.slack') return;
  expect(response.headers.get('content-type')).toBe('application/json');
  if (row.response) exactly(row.response, response.json);
  checkTimestamps(response.json);
}

/** Returns the value if the schema accepts it and it has no unknown field. Parsing alone would drop unknown fields. */
function exactly<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.parse(value);
  if (!isDeepStrictEqual(value, parsed)) expect(value).toEqual(parsed);
  return parsed;
}

/** Every timestamp is ISO 8601, UTC, with milliseconds. Payloads are exempt: the sender writes them. */
function checkTimestamps(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    // In the rules of a defined provider, the value is a list of the places to read the time of an event from.
    if (name.endsWith('_at') && child !== null && !Array.isArray(child) && !TIMESTAMP.test(String(child)))
      expect(child, name).toMatch(TIMESTAMP);
    if (name !== 'payload' && name !== 'metadata' && name !== 'changes') checkTimestamps(child);
  }
}

/** Reads all pages of a list. */
export async function walk<Name extends EndpointName>(
  api: Api,
  name: Name,
  input: CallInput & { limit: number },
): Promise<unknown[][]> {
  const { limit, ...rest } = input;
  const pages: unknown[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...rest.query, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
    const { data, pagination } = (await api.call(name, { ...rest, query })) as {
      data: unknown[];
      pagination: { next_cursor: string | null; has_more: boolean };
    };
    expect(pagination.has_more).toBe(pagination.next_cursor !== null);
    expect(data.length).toBeLessThanOrEqual(limit);
    if (pagination.has_more) expect(data).toHaveLength(limit);
    pages.push(data);
    cursor = pagination.next_cursor;
  }
  return pages;
}

/** The validated body of a request. */
export type BodyOf<Name extends EndpointName> = EndpointInput<Name>['body'];
