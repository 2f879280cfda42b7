import type { EndpointName } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { startServerProcess } from './fuzz-target.ts';
import { problemsOf, requestOf } from './judge.ts';
import type { FuzzRequest } from './generator/make-request.ts';
import { runFuzz } from './run-fuzz.ts';
import type { FuzzResponse } from './send.ts';
import type { World } from './world.ts';

const SEED = 20_261_122;
// `pnpm bench fuzz --requests N` sends more.
const REQUESTS = 12_000;
const MIB = 1024 * 1024;

/**
 * Endpoints that random requests rarely reach: one needs a provider's API, the other credentials that fit the
 * integration's provider.
 */
const SELDOM: ReadonlySet<EndpointName> = new Set(['integrations.sync', 'integrations.reconnect']);

it(`the server handles ${REQUESTS} odd requests as the OpenAPI document says, without a crash and without growing`, async () => {
  await using server = await startServerProcess();
  const { violations, unreached, statuses, memory, crash } = await runFuzz(server, {
    seed: SEED,
    requests: REQUESTS,
  });
  const missed = unreached.filter((name) => !SELDOM.has(name));
  expect({ violations, crash, missed }).toEqual({ violations: [], crash: null, missed: [] });
  // The requests are worth sending: some are valid, and the refusals are of every kind.
  const few = Object.keys(statuses).filter((status) => (statuses[status] ?? 0) < 5);
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining([
      '200',
      '201',
      '202',
      '204',
      '400',
      '401',
      '403',
      '404',
      '405',
      '409',
      '415',
      '422',
    ]),
  );
  // Status 0 means that the connection was closed on a body that is too large.
  expect(few.filter((status) => !['0', '409', '413'].includes(status))).toEqual([]);
  const [middle, late] = [memory[4], memory.at(-1)];
  expect(((late?.live ?? Number.NaN) - (middle?.live ?? Number.NaN)) / MIB).toBeLessThan(16);
  expect(((late?.resident ?? Number.NaN) - (middle?.resident ?? Number.NaN)) / MIB).toBeLessThan(64);
}, 600_000);

describe('a planted bug is noticed', () => {
  it('when a request gets a 500, with the stack', async () => {
    await using server = await startServerProcess({ mistake: 'throws an error' });
    const { violations, crash } = await runFuzz(server, { seed: SEED, requests: 600 });
    expect(crash).toBeNull();
    expect(violations.map(({ problem }) => problem.slice(0, 4))).toContain('500:');
    const [found] = violations;
    expect(found?.curl).toMatch(/^curl /);
    expect(JSON.parse(found?.log ?? '')).toMatchObject({ err: { message: 'planted' } });
  }, 300_000);

  it('when the server ends', async () => {
    await using server = await startServerProcess({ mistake: 'forgets a promise' });
    const { violations, crash } = await runFuzz(server, { seed: SEED, requests: 600 });
    expect(crash).toMatch(/^The server ended with 1\.\n[^]*planted/);
    expect(violations.map(({ problem }) => problem)).toContainEqual(expect.stringMatching(/^no response: /));
  }, 300_000);
});

describe('the judge', () => {
  const world = { marker: 'marker-1' } as World;
  const row = { name: 'me.get' } as FuzzRequest['row'];
  const request: FuzzRequest = {
    index: 0,
    row,
    caller: 'owner',
    method: 'GET',
    path: '/v1/me',
    headers: {},
    body: null,
    raw: null,
  };
  const id = 'req_00123456789abcdefghjkmnpqr';
  const rate = ['limit', 'remaining', 'reset'].map((name) => [`x-ratelimit-${name}`, '1'] as const);
  const headers = new Map<string, string>([
    ['x-request-id', id],
    ['content-type', 'application/json'],
    ...rate,
  ]);
  const refusal = (status: number, code: string, rest: object = {}): FuzzResponse => ({
    status,
    headers: status === 401 ? new Map([...headers, ['www-authenticate', 'Bearer']]) : headers,
    text: JSON.stringify({ error: { code, message: 'No.', request_id: id, ...rest } }),
  });
  const without = (name: string) =>
    new Map([...refusal(401, 'unauthorized').headers].filter(([header]) => header !== name));
  const withHeader = (name: string, value: string) => new Map([...without(name), [name, value]]);

  it('accepts what the OpenAPI document allows', () => {
    expect(problemsOf(request, refusal(401, 'unauthorized'), world)).toEqual([]);
    const busy = refusal(503, 'service_unavailable');
    expect(
      problemsOf(request, { ...busy, headers: new Map([...headers, ['retry-after', '2']]) }, world),
    ).toEqual([]);
  });

  it('accepts a response to HEAD without a body, however the request was sent', () => {
    const bare = { ...refusal(401, 'unauthorized'), text: '' };
    expect(problemsOf({ ...request, method: 'HEAD' }, bare, world)).toEqual([]);
    const raw = Buffer.from('HEAD /v1/me HTTP/1.1\r\n\r\n');
    expect(problemsOf({ ...request, raw }, bare, world)).toEqual([]);
    // Bytes after it are a separate request, whose response has a body.
    const second = refusal(400, 'invalid_request');
    expect(problemsOf({ ...request, raw }, second, world)).not.toEqual([]);
    expect(problemsOf(requestOf({ ...request, raw }, 1), second, world)).toEqual([]);
    expect(problemsOf(request, bare, world)).not.toEqual([]);
  });

  it.each<[string, Partial<FuzzRequest>, FuzzResponse | { failure: string }]>([
    ['no response', {}, { failure: 'UND_ERR_SOCKET' }],
    ['a 500', {}, refusal(500, 'internal_error')],
    ['a 503 that names no time', {}, refusal(503, 'service_unavailable')],
    ['a status that is not documented', {}, refusal(409, 'conflict')],
    ['a code of another status', {}, refusal(401, 'forbidden')],
    ['an unknown field of an error', {}, refusal(401, 'unauthorized', { stack: 'at …' })],
    ['the ID of another request', {}, refusal(401, 'unauthorized', { request_id: id.replace('0', '1') })],
    ['a message that is not a sentence', {}, refusal(401, 'unauthorized', { message: 'no' })],
    ['a success without a body', {}, { status: 200, headers, text: '{}' }],
    [
      'a content type that is not documented',
      {},
      { ...refusal(401, 'unauthorized'), headers: withHeader('content-type', 'text/html') },
    ],
    [
      'a header that is not documented',
      {},
      { ...refusal(401, 'unauthorized'), headers: withHeader('x-debug', '1') },
    ],
    ['no request ID', {}, { ...refusal(401, 'unauthorized'), headers: without('x-request-id') }],
    ['no rate limit', {}, { ...refusal(401, 'unauthorized'), headers: without('x-ratelimit-reset') }],
    ['a 429 that names no time', {}, refusal(429, 'rate_limited')],
    ['a body for HEAD', { method: 'HEAD' }, { status: 200, headers, text: '{}' }],
    [
      'an event of another workspace',
      { caller: 'stranger' },
      refusal(401, 'unauthorized', { message: 'See marker-1.' }),
    ],
  ])('notices %s', (_what, changes, response) => {
    expect(problemsOf({ ...request, ...changes }, response, world)).not.toEqual([]);
  });

  it('forgives a connection that is closed on a body that is too large, and no other', () => {
    const hangUp = { failure: 'ECONNRESET' };
    expect(problemsOf({ ...request, body: Buffer.alloc(1_500_000) }, hangUp, world)).toEqual([]);
    expect(problemsOf({ ...request, body: Buffer.alloc(10) }, hangUp, world)).not.toEqual([]);
  });
});
