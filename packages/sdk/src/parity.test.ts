import { type Endpoint, endpoints, type Endpoints } from '@hubline/contract';
import type { Operations, Page as WirePage } from '@hubline/contract/types';
import { expect, it } from 'vitest';
import type { ApiPromise, PagePromise } from './core/api-promise.ts';
import type { EventStream } from './core/event-stream.ts';
import type { RequestOptions, StreamOptions } from './core/options.ts';
import type { TransportRequest } from './core/transport.ts';
import { Hubline } from './hubline.node.ts';

type Name = Exclude<keyof Operations, `ingest.${string}`>;

/** One string for each `{parameter}` of a path. */
type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : [];

/** The query of a row, without the `format` that distinguishes `list` from `exportCsv`. */
type QueryOf<Row extends Name> = Row extends 'auditLog.list'
  ? Omit<NonNullable<Operations[Row]['query']>, 'format'>
  : Operations[Row]['query'];

/** A body or query that may be empty is optional, except in a PATCH: changing nothing is a mistake. */
type Given<Row extends Name, Input> = [Input] extends [undefined]
  ? []
  : {} extends Input
    ? Endpoints[Row]['method'] extends 'PATCH'
      ? [input: Input]
      : [input?: Input | undefined]
    : [input: Input];

type Result<Row extends Name> = Endpoints[Row] extends { special: 'event-stream' }
  ? EventStream<Operations[Row]['response']>
  : Operations[Row]['response'] extends WirePage<infer Item>
    ? PagePromise<Item>
    : ApiPromise<Operations[Row]['response']>;

/** The method that the contract demands. */
type Demanded<Row extends Name> = (
  ...args: [
    ...Ids<Endpoints[Row]['path']>,
    ...Given<Row, Operations[Row]['body']>,
    ...Given<Row, QueryOf<Row>>,
    options?:
      | (Endpoints[Row] extends { special: 'event-stream' } ? StreamOptions : RequestOptions)
      | undefined,
  ]
) => Result<Row>;

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The method of a row; `never` where there is none. */
type Offered<Row extends Name> = Row extends `${infer Noun extends keyof Hubline}.${infer Verb}`
  ? Verb extends keyof Hubline[Noun]
    ? Extract<Hubline[Noun][Verb], (...args: never) => unknown>
    : never
  : never;

/** The rows whose method is missing, or takes or returns something else. */
type Differing = {
  [Row in Name]: [
    Equal<Parameters<Offered<Row>>, Parameters<Demanded<Row>>>,
    Equal<ReturnType<Offered<Row>>, ReturnType<Demanded<Row>>>,
  ] extends [true, true]
    ? never
    : Row;
}[Name];

it('has a method for every endpoint, with exactly its types', () => {
  const differing: [Differing] extends [never] ? 'none' : Differing = 'none';
  expect(differing).toBe('none');
});

it('sends each method to its endpoint, with IDs, query and body in their places', async () => {
  const requests: TransportRequest[] = [];
  const client = new Hubline({
    apiKey: 'hl_x',
    transport: async (request) => {
      requests.push(request);
      return { status: 204, headers: {}, body: null };
    },
  });
  const rows = Object.entries<Endpoint>(endpoints).filter(([, row]) => row.special !== 'ingest');
  expect(rows.length).toBeGreaterThan(40);
  for (const [name, row] of rows) {
    const [noun = '', verb = ''] = name.split('.');
    const resource = (client as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[
      noun
    ];
    const ids = Object.keys(row.params?.shape ?? {}).map((parameter, index) => `${parameter}_${index}`);
    const input = row.body || row.query ? [{ type: 'given' }] : [];
    const result = resource?.[verb]?.(...ids, ...input, { headers: { 'x-row': name } });
    if (row.special === 'event-stream') for await (const _ of result as AsyncIterable<unknown>);
    else await Promise.allSettled([result]);

    const request = requests.at(-1);
    const path = row.path.replaceAll(/\{(\w+)\}/g, () => ids.shift() ?? 'missing');
    expect(request, name).toMatchObject({
      method: row.method,
      url: `http://127.0.0.1:8787/v1${path}${row.query ? '?type=given' : ''}`,
      headers: { 'x-row': name },
      body: row.body ? '{"type":"given"}' : undefined,
    });
    expect(request?.headers['idempotency-key'] !== undefined, name).toBe(row.method !== 'GET');
  }
  expect(requests).toHaveLength(rows.length);
});

it('exports the audit log as CSV from its endpoint', async () => {
  const urls: string[] = [];
  const client = new Hubline({
    apiKey: 'hl_x',
    transport: async ({ url }) => {
      urls.push(url);
      return { status: 200, headers: { 'content-type': 'text/csv' }, body: null };
    },
  });
  for await (const _ of client.auditLog.exportCsv('ws_1', { action: 'member.invited' }));
  expect(urls).toEqual([
    'http://127.0.0.1:8787/v1/workspaces/ws_1/audit-log?action=member.invited&format=csv',
  ]);
});
