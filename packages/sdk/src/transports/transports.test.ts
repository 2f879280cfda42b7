import { inspect } from 'node:util';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, failureOf } from '../../test/client.ts';
import { scripted, until } from '../../test/scripted-server.ts';
import type { TransportRequest } from '../core/transport.ts';
import { readText } from '../run/body.ts';
import { fetchTransport } from './fetch.ts';
import { kyTransport } from './ky.ts';
import { nodeTransport } from './node.ts';

const KEY = 'hl_ThisIsATestKeyThatMustNeverBeShown00';

afterEach(() => {
  vi.unstubAllGlobals();
});

const requestOf = (url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  url,
  headers: { authorization: `Bearer ${KEY}` },
  signal: new AbortController().signal,
  ...more,
});

describe.each([
  ['kyTransport', () => kyTransport()],
  ['kyTransport with a fetch', () => kyTransport({ fetch: (input, init) => fetch(input, init) })],
  ['fetchTransport', () => fetchTransport()],
  ['nodeTransport', () => nodeTransport()],
] as const)('%s', (_name, transport) => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    await using server = await scripted({ status: 409, headers: { 'X-Request-Id': 'req_1' }, body: 'né' });
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const {
      status,
      headers: got,
      body,
    } = await transport()(
      requestOf(`${server.baseURL}/a?b=c`, { method: 'PATCH', headers, body: '{"ü":1}' }),
    );
    expect([status, got['x-request-id']]).toEqual([409, 'req_1']);
    expect(await readText(body, 1_000)).toBe('né');
    expect(server.requests).toMatchObject([{ method: 'PATCH', url: '/v1/a?b=c', headers, body: '{"ü":1}' }]);
  });

  it('is never asked for a GET with a body, which each would take differently', async () => {
    await using server = await scripted({ status: 200, body: {} });
    const { client } = clientOf(server, { transport: transport() });
    const error = await failureOf(client.request({ method: 'GET', path: '/me', body: {} }));
    expect(error).toMatchObject({ name: 'HublineError', message: 'GET has no body: use query.' });
    expect(server.requests).toHaveLength(0);
  });

  it('neither follows a redirect nor repeats a failure', async () => {
    await using server = await scripted({ status: 307, headers: { location: '/v1/b' } }, { status: 503 });
    expect((await transport()(requestOf(`${server.baseURL}/a`))).status).toBe(307);
    expect((await transport()(requestOf(`${server.baseURL}/a`))).status).toBe(503);
    expect(server.requests).toHaveLength(2);
  });

  it('ends the connection when its signal aborts, before and during the response', async () => {
    await using server = await scripted('hang', (response) => void response.writeHead(200).write('x'));
    for (const responded of [false, true]) {
      const controller = new AbortController();
      const call = transport()(requestOf(server.baseURL, { signal: controller.signal }));
      if (responded) {
        const { body } = await call;
        await body?.[Symbol.asyncIterator]().next();
      } else await until(() => server.underWay === 1);
      controller.abort();
      if (!responded) expect(await failureOf(call)).toMatchObject({ name: 'AbortError' });
      await until(() => server.underWay === 0);
    }
  });

  it('ends the connection when nobody wants the rest of the body', async () => {
    await using server = await scripted((response) => void response.writeHead(200).write('x'));
    const { body } = await transport()(requestOf(server.baseURL));
    for await (const _ of body ?? []) break;
    await until(() => server.underWay === 0);
  });

  it('fails without showing the key when no server is there', async () => {
    const error = await failureOf(transport()(requestOf('http://127.0.0.1:1/')));
    expect(inspect(error, { depth: Infinity, showHidden: true, getters: true })).not.toContain(KEY);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes a body in %s', async (coding, encode) => {
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(encode('né'.repeat(1_000)));
    });
    const { body } = await transport()(requestOf(server.baseURL));
    expect(await readText(body, 10_000)).toBe('né'.repeat(1_000));
    expect(server.requests[0]?.headers['accept-encoding']).toContain('gzip');
  });

  it('gives the part of an encoded body that has arrived, before it ends', async () => {
    const gzip = createGzip();
    await using server = await scripted((response) => {
      gzip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      gzip.write('first');
      gzip.flush();
    });
    const { body } = await transport()(requestOf(server.baseURL));
    for await (const chunk of body ?? []) {
      expect(Buffer.from(chunk).toString()).toBe('first');
      break;
    }
    await until(() => server.underWay === 0);
  });

  it('rejects a body that is not encoded as its header says', async () => {
    await using server = await scripted({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: 'plain text',
    });
    const { body } = await transport()(requestOf(server.baseURL));
    await expect(readText(body, 10_000)).rejects.toThrow();
  });

  it('rejects a body that is cut short', async () => {
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setImmediate(() => response.destroy());
    });
    const { body } = await transport()(requestOf(server.baseURL));
    await expect(readText(body, 1_000)).rejects.toThrow();
  });

  it('rejects a switch to another protocol', async () => {
    await using server = await scripted((_response, { socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
    });
    await expect(transport()(requestOf(server.baseURL))).rejects.toThrow();
  });

  it('gives no body where HTTP has none, and reuses the connection', async () => {
    const ports = new Set<number | undefined>();
    await using server = await scripted((response, { socket }) => {
      ports.add(socket.remotePort);
      response.writeHead(204).end();
    });
    for (let count = 0; count < 10; count++)
      expect((await transport()(requestOf(server.baseURL))).body).toBeNull();
    // A connection may not be free yet when the next request needs one.
    expect(ports.size).toBeLessThan(10);
  });
});

describe('fetchTransport', () => {
  it('sends with a given fetch', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const mine: typeof fetch = async (_input, init) => {
      signals.push(init?.signal);
      return new Response(null, { status: 204 });
    };
    const request = requestOf('https://hub.example.com/v1');
    expect(await fetchTransport(mine)(request)).toEqual({ status: 204, headers: {}, body: null });
    expect(signals).toEqual([request.signal]);
  });
});

describe('kyTransport', () => {
  const responding =
    (response: () => Response | Promise<Response>, seen: unknown[] = []): typeof fetch =>
    async (input, init) => {
      const { method, url, redirect, headers } = input as Request;
      seen.push([method, url, redirect, headers.get('x-hook'), init]);
      return response();
    };

  it('passes the options of one runtime on to its fetch, and runs hooks', async () => {
    const seen: unknown[] = [];
    const statuses: number[] = [];
    const transport = kyTransport({
      fetch: responding(() => new Response('{}', { status: 404 }), seen),
      next: { revalidate: 60 },
      hooks: {
        beforeRequest: [({ request }) => request.headers.set('x-hook', 'yes')],
        afterResponse: [({ response }) => void statuses.push(response.status)],
      },
    });
    const { status, body } = await transport(
      requestOf('https://hub.example.com/v1/me', { method: 'DELETE' }),
    );
    expect([status, await readText(body, 10)]).toEqual([404, '{}']);
    expect(seen).toEqual([
      ['DELETE', 'https://hub.example.com/v1/me', 'manual', 'yes', { next: { revalidate: 60 } }],
    ]);
    expect(statuses).toEqual([404]);
  });

  it.each([new TypeError('Failed to fetch'), new TypeError('Unable to connect'), new Error('ECONNRESET')])(
    'takes every rejection of its fetch for a network failure, since each engine words it differently: %s',
    async (lost) => {
      await using server = await scripted('hang');
      const calls: unknown[] = [];
      const fetch = responding(() => Promise.reject(lost), calls);
      expect(await failureOf(kyTransport({ fetch })(requestOf(server.baseURL)))).toBe(lost);
      const { client } = clientOf(server, { fetch, maxRetries: 1 });
      expect(await failureOf(client.me.get())).toMatchObject({ name: 'ConnectionError', cause: lost });
      expect(calls).toHaveLength(3);
    },
  );

  it('says what to do where there is no fetch', async () => {
    vi.stubGlobal('fetch', undefined);
    const error = await failureOf(kyTransport()(requestOf('https://hub.example.com/v1/me')));
    expect(error).toMatchObject({ name: 'HublineError' });
    expect(error.message).toContain('no fetch');
  });
});
