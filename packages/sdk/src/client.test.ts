import { afterEach, describe, expect, it, vi } from 'vitest';
import { API_KEY, clientOf, failureOf } from '../test/client.ts';
import { scripted } from '../test/scripted-server.ts';
import { HublineError, isInvalidResponseError } from './core/errors.ts';
import type { LogLevel, StandardSchema } from './core/options.ts';
import type { Middleware, Transport, TransportRequest } from './core/transport.ts';
import { Hubline } from './hubline.node.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const made = (options: ConstructorParameters<typeof Hubline>[0]) => () => new Hubline(options);

/** A transport that records what it gets and answers with `{}`. */
function recorder() {
  const requests: TransportRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    return { status: 200, headers: {}, body: ReadableStream.from([new TextEncoder().encode('{}')]) };
  };
  return { requests, transport };
}

describe('settings', () => {
  it('come from the environment', async () => {
    vi.stubEnv('HUBLINE_API_KEY', ' hl_env\n');
    vi.stubEnv('HUBLINE_BASE_URL', 'https://hub.example.com/v1/');
    const { requests, transport } = recorder();
    await new Hubline({ transport }).me.get();
    expect(requests[0]).toMatchObject({
      url: 'https://hub.example.com/v1/me',
      headers: { authorization: 'Bearer hl_env', accept: 'application/json' },
    });
  });

  it('default to a server on this machine', () => {
    vi.stubEnv('HUBLINE_BASE_URL', '');
    expect(new Hubline({ apiKey: 'hl_x' }).baseURL).toBe('http://127.0.0.1:8787/v1');
  });

  it('need a key, unless it is null on purpose', async () => {
    vi.stubEnv('HUBLINE_API_KEY', '');
    expect(made({})).toThrow('HUBLINE_API_KEY');
    const { requests, transport } = recorder();
    await new Hubline({ apiKey: null, transport }).invitations.accept({ token: 't' });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each(['hl_x\n', 'hl_x\r\nX-Admin: 1', '"hl_x"  ', '', 'hl_é'])(
    'refuse the key %j without repeating it',
    async (apiKey) => {
      const error = await failureOf(Promise.resolve().then(made({ apiKey })));
      expect(error).toBeInstanceOf(HublineError);
      expect(String(error)).not.toContain('hl_');
    },
  );

  it.each([
    'ftp://hub.example.com/v1',
    'hub.example.com/v1',
    '/v1',
    '',
    'https://user:secret@hub.example.com/v1',
    'https://hub.example.com/v1?x=1',
    'https://hub.example.com/v1#x',
    'javascript:alert(1)',
  ])('refuse the base URL %j', (baseURL) => {
    expect(made({ apiKey: 'hl_x', baseURL })).toThrow('baseURL must be');
  });

  it.each([0, Number.NaN, '5'])('refuse %j bytes as maxResponseBytes', (maxResponseBytes) => {
    const options = { apiKey: API_KEY, maxResponseBytes: maxResponseBytes as number };
    expect(made(options)).toThrow('maxResponseBytes must be a number from 1, or Infinity.');
  });

  it('without a key leave the authorization of the headers as it is', async () => {
    const { requests, transport } = recorder();
    await new Hubline({ apiKey: null, transport, headers: { Authorization: 'Basic abc' } }).me.get();
    expect(requests[0]?.headers['authorization']).toBe('Basic abc');
  });

  it('refuse an unknown option: a misspelled baseURL would send the key elsewhere', () => {
    const misspelled = { apiKey: 'hl_x', baseUrl: 'https://hub.example.com/v1' };
    expect(made(misspelled)).toThrow('Unknown option baseUrl. Use one of apiKey, baseURL,');
  });

  it.each([
    'http://hub.example.com/v1',
    'http://10.0.0.1/v1',
    'http://localhost.example.com/v1',
    'http://[::2]/v1',
  ])('refuse plain HTTP to %s unless told otherwise', (baseURL) => {
    expect(made({ apiKey: 'hl_x', baseURL })).toThrow(
      'http is only for this machine, or with allowInsecureHttp',
    );
    expect(made({ apiKey: 'hl_x', baseURL, allowInsecureHttp: true })).not.toThrow();
  });

  it.each(['http://localhost:1/v1', 'http://127.9.9.9/v1', 'http://[::1]:1/v1', 'http://hub.localhost/v1'])(
    'allow plain HTTP to %s',
    (baseURL) => {
      expect(new Hubline({ apiKey: 'hl_x', baseURL }).baseURL).toBe(baseURL);
    },
  );

  it('refuse a web page unless told otherwise', () => {
    vi.stubGlobal('window', { document: {} });
    expect(made({ apiKey: 'hl_x' })).toThrow('anyone can read the API key');
    expect(made({ apiKey: 'hl_x', dangerouslyAllowBrowser: true })).not.toThrow();
  });

  it('refuse fetch together with a transport', () => {
    expect(made({ apiKey: 'hl_x', fetch, transport: recorder().transport })).toThrow('not both');
  });

  it('can be changed for a part of the program', async () => {
    const { requests, transport } = recorder();
    const client = new Hubline({ apiKey: 'hl_x', transport, headers: { 'X-Team': 'a' } });
    await client.withOptions({ headers: { 'x-team': 'b' } }).me.get({ headers: { 'X-TEAM': 'c' } });
    await client.me.get();
    expect(requests.map(({ headers }) => headers['x-team'])).toEqual(['c', 'a']);
  });

  it.each([
    ['a Headers', new Headers({ 'X-Team': 'a' })],
    ['a Map', new Map([['X-Team', 'a']])],
    ['pairs', [['X-Team', 'a']] as const],
  ])('take headers as %s', async (_form, headers) => {
    const { requests, transport } = recorder();
    await new Hubline({ apiKey: 'hl_x', transport, headers }).me.get();
    const client = new Hubline({ apiKey: 'hl_x', transport });
    await client.me.get({ headers });
    await client.events.stream('ws_1', {}, { headers })[Symbol.asyncIterator]().next().catch(String);
    await client.auditLog.exportCsv('ws_1', {}, { headers })[Symbol.asyncIterator]().next().catch(String);
    expect(requests.map((request) => request.headers['x-team'])).toEqual(['a', 'a', 'a', 'a']);
  });

  it('refuse an unknown log level, which would log everything', () => {
    const logLevel = 'verbose' as LogLevel;
    expect(made({ apiKey: 'hl_x', logLevel })).toThrow(
      'logLevel must be one of debug, info, warn, error, off.',
    );
  });

  it('are kept when a change, a call or a header is undefined', async () => {
    vi.stubEnv('HUBLINE_API_KEY', 'hl_env');
    const { requests, transport } = recorder();
    const client = new Hubline({
      apiKey: 'hl_x',
      transport,
      baseURL: 'https://hub.example.com/v1',
      maxRetries: 7,
      headers: { 'x-team': 'a', accept: undefined },
    });
    const unset = { apiKey: undefined, transport: undefined, baseURL: undefined, maxRetries: undefined };
    await client.withOptions({ ...unset, headers: undefined }).me.get({ headers: { 'X-Team': undefined } });
    expect(requests).toMatchObject([
      {
        url: 'https://hub.example.com/v1/me',
        headers: { authorization: 'Bearer hl_x', 'x-team': 'a', accept: 'application/json' },
      },
    ]);
  });
});

describe('an ID', () => {
  const { requests, transport } = recorder();
  const client = new Hubline({ apiKey: 'hl_x', transport });

  it.each(['?x=1', '%2e%2e', 'a b', '#', '..%2f', '\\..\\', 'é'])('%j stays one segment', async (id) => {
    await client.members.remove(id, 'usr_1');
    const { pathname, search } = new URL(requests.at(-1)?.url ?? '');
    expect(pathname.split('/')).toHaveLength(6);
    expect([pathname.startsWith('/v1/workspaces/'), pathname.endsWith('/members/usr_1'), search]).toEqual([
      true,
      true,
      '',
    ]);
    expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(id);
  });

  it.each(['', '.', '..', '../../me', 'a/b', undefined, null, 7, {}, '\ud800'])(
    '%j is refused before anything is sent',
    async (id) => {
      const before = requests.length;
      const given = id as string;
      const collect = async (items: AsyncIterable<unknown>) => {
        for await (const _ of items);
      };
      const calls = [
        // A synchronous throw would fail the test here: a bad ID must reject the promise instead.
        client.workspaces.get(given).catch((error: unknown) => Promise.reject(error as Error)),
        client.members.list(given),
        client.members.list(given).toArray(),
        client.members.list(given).withResponse(),
        collect(client.members.list(given)),
        collect(client.members.list(given).pages()),
        collect(client.events.stream(given)),
        collect(client.auditLog.exportCsv(given)),
        client.webhooks.create({} as never, { idempotencyKey: '' }),
      ];
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { name: 'HublineError' } });
      }
      expect((await failureOf(client.members.remove('ws_1', given))).message).toContain(
        '/workspaces/{id}/members/{id} needs valid IDs without a slash; got ',
      );
      expect(requests).toHaveLength(before);
    },
  );
});

it('an unknown option of a call is refused before anything is sent, with a list of options', async () => {
  const { requests, transport } = recorder();
  const client = new Hubline({ apiKey: 'hl_x', transport });
  const mistyped: object = { timout: 5 };
  const calls = [
    client.me.get(mistyped),
    client.events.list('ws_1', {}, mistyped),
    client.events.stream('ws_1', {}, mistyped)[Symbol.asyncIterator]().next(),
    client.auditLog.exportCsv('ws_1', {}, mistyped)[Symbol.asyncIterator]().next(),
    client.request({ method: 'GET', path: '/me', ...mistyped }),
  ];
  for (const call of calls)
    expect((await failureOf(Promise.resolve(call))).message).toBe(
      'Unknown option timout. Use one of headers, timeout, totalTimeout, maxRetries, maxRetryAfter, signal, idempotencyKey, schema.',
    );
  expect(requests).toEqual([]);
});

describe('request', () => {
  it('accepts any JSON, or no body, as the response', async () => {
    await using server = await scripted(
      ...['5', 'null', '[1]', '', '"x"'].map((body) => ({ status: 200, body })),
      { status: 204 },
    );
    const { client } = clientOf(server);
    const results = [];
    for (const method of ['GET', 'PUT', 'POST', 'GET', 'PATCH', 'DELETE'] as const)
      results.push(await client.request({ method, path: '/things' }));
    expect(results).toEqual([5, null, [1], undefined, 'x', undefined]);
    expect(server.requests.map(({ method, headers }) => [method, 'idempotency-key' in headers])).toEqual([
      ['GET', false],
      ['PUT', true],
      ['POST', true],
      ['GET', false],
      ['PATCH', true],
      ['DELETE', true],
    ]);
  });

  it('reaches any path, with query, body and headers', async () => {
    const { requests, transport } = recorder();
    const client = new Hubline({ apiKey: 'hl_x', transport });
    await client.request({
      method: 'POST',
      path: '/things?a=1',
      query: { b: 'é&', n: 2, none: undefined, nil: null },
      body: { x: 1 },
      headers: { 'x-y': 'z' },
    });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'http://127.0.0.1:8787/v1/things?a=1&b=%C3%A9%26&n=2',
      body: '{"x":1}',
      headers: {
        'content-type': 'application/json',
        'x-y': 'z',
        'idempotency-key': expect.any(String) as string,
      },
    });
  });

  it.each([
    'me',
    '//evil.example.com',
    'https://evil.example.com',
    '/../admin',
    '/a/..',
    '/a/%2E%2e/b',
    '/a/.%2e?x=1',
    '/a\\..\\b',
    '/a#b',
    '/a b',
    '/a\n',
    '/é',
    '',
  ])('refuses the path %j', async (path) => {
    const { requests, transport } = recorder();
    const client = new Hubline({ apiKey: 'hl_x', transport });
    expect((await failureOf(client.request({ method: 'GET', path }))).message).toContain('path must');
    expect(requests).toHaveLength(0);
  });
});

describe('input that cannot be sent', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  it.each([
    ['a bigint', { size: 12n }],
    ['a cycle', cyclic],
    ['a function', () => {}],
    ['a symbol', Symbol('x')],
  ])('a body with %s is refused before anything is sent, and the error says why', async (_, body) => {
    const { requests, transport } = recorder();
    const client = new Hubline({ apiKey: 'hl_x', transport });
    const error = await failureOf(client.request({ method: 'POST', path: '/things', body }));
    expect(error).toBeInstanceOf(HublineError);
    expect(error.message).toMatch(/^The body cannot be written as JSON: /);
    expect(requests).toHaveLength(0);
  });

  const secret = 'secret\r\nx-admin: 1';
  const adding: Middleware = (request, next) =>
    next({ ...request, headers: { ...request.headers, 'x-a': secret } });
  it.each([
    ['of a call', {}, { headers: { 'X-A': secret } }],
    ['of the client', { headers: { 'X-A': secret } }, {}],
    ['of a middleware', { middleware: [adding] }, {}],
    ['that is not Latin-1', {}, { headers: { 'x-a': 'secret\u{1F511}' } }],
    ['with a name that is not one', {}, { headers: { 'x-a: secret': '1' } }],
    ['that is not text', {}, { headers: { 'x-a': 7 as never } }],
  ])('a header %s is refused without showing its value, and not retried', async (_, options, given) => {
    const { requests, transport } = recorder();
    const client = new Hubline({ apiKey: 'hl_x', transport, ...options });
    const error = await failureOf(client.me.get(given));
    expect(error).toMatchObject({ name: 'HublineError' });
    expect(error.message).toContain('The header "x-a');
    expect(error.stack).not.toContain('secret\r');
    expect(requests).toHaveLength(0);
  });
});

describe('middleware', () => {
  it('wraps every attempt, the first middleware outermost, and gets the operation', async () => {
    await using server = await scripted({ status: 503 }, { status: 200, body: {} });
    const seen: string[] = [];
    const trace =
      (name: string): Middleware =>
      async (request, next, { operation, attempt }) => {
        seen.push(`${name} > ${operation} ${attempt}`);
        const response = await next({ ...request, headers: { ...request.headers, [`x-${name}`]: '1' } });
        seen.push(`${name} < ${response.status}`);
        return response;
      };
    await clientOf(server, { middleware: [trace('a'), trace('b')] }).client.me.get();
    const around = (attempt: number, status: number) => [
      `a > me.get ${attempt}`,
      `b > me.get ${attempt}`,
      `b < ${status}`,
      `a < ${status}`,
    ];
    expect(seen).toEqual([...around(1, 503), ...around(2, 200)]);
    expect(server.requests[0]?.headers).toMatchObject({ 'x-a': '1', 'x-b': '1' });
  });

  it('that throws something other than an error ends the call with exactly that', async () => {
    const { requests, transport } = recorder();
    const thrown = { code: 'stop' };
    // Like an error of another realm, as in Jest.
    const throwing: Middleware = () => Promise.reject(thrown);
    const client = new Hubline({ apiKey: API_KEY, transport, middleware: [throwing] });
    expect(await failureOf(client.me.get())).toBe(thrown);
    expect(requests).toEqual([]);
  });

  it('that throws ends the call with the same error', async () => {
    await using server = await scripted({ status: 200, body: {} });
    const error = new TypeError('mine');
    const middleware: Middleware[] = [() => Promise.reject(error)];
    expect(await failureOf(clientOf(server, { middleware }).client.me.get())).toBe(error);
    expect(server.requests).toHaveLength(0);
  });
});

describe('a transport', () => {
  it('that ignores its signal does not keep a call from ending', async () => {
    const client = new Hubline({ apiKey: 'hl_x', transport: () => new Promise(() => {}) });
    expect(await failureOf(client.me.get({ signal: AbortSignal.timeout(5) }))).toMatchObject({
      name: 'AbortError',
    });
  });

  it('can be ky over a custom fetch', async () => {
    const calls: string[] = [];
    const mine: typeof fetch = async (input) => {
      const request = input as Request;
      calls.push(`${request.method} ${request.url} ${request.redirect}`);
      return Response.json({ ok: true });
    };
    expect(await new Hubline({ apiKey: 'hl_x', fetch: mine }).me.get()).toEqual({ ok: true });
    expect(calls).toEqual(['GET http://127.0.0.1:8787/v1/me manual']);
  });
});

describe('from the headers of responses', () => {
  it('the client keeps the last rate limit, also after an error', async () => {
    const headers = {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-ratelimit-reset': '60',
    };
    await using server = await scripted(
      { status: 404, headers, body: {} },
      { status: 200, headers: { ...headers, 'x-ratelimit-remaining': '-1' }, body: {} },
    );
    const { client } = clientOf(server);
    expect(client.rateLimit).toBeNull();
    await failureOf(client.me.get());
    expect(client.rateLimit).toEqual({ limit: 1_000, remaining: 999, reset: 60 });
    // A malformed header changes nothing.
    await client.me.get();
    expect(client.rateLimit).toMatchObject({ remaining: 999 });
  });

  it('a deprecation is logged once for each operation', async () => {
    const headers = { deprecation: '@1767225600', sunset: 'Wed, 01 Jul 2026 00:00:00 GMT' };
    await using server = await scripted({ status: 200, headers, body: {} });
    const warn = vi.fn();
    const ignore = () => {};
    const logger = { debug: ignore, info: ignore, warn, error: ignore };
    const { client } = clientOf(server, { logger, logLevel: 'warn' });
    await client.workspaces.get('ws_1');
    await client.workspaces.get('ws_2');
    await client.me.get();
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringContaining('workspaces.get is deprecated'),
      expect.stringContaining('me.get is deprecated'),
    ]);
    expect(warn.mock.calls[0]?.[1]).toEqual(headers);
  });
});

describe('a schema', () => {
  const rejecting: StandardSchema = {
    '~standard': { validate: () => ({ issues: [{ message: 'is odd', path: ['data', { key: 0 }, 'id'] }] }) },
  };
  const accepting: StandardSchema = { '~standard': { validate: () => Promise.resolve({}) } };

  it('of a call or of the client, which the response does not fit, gives an InvalidResponseError', async () => {
    await using server = await scripted({ status: 200, body: { data: [], pagination: {} } });
    const { client } = clientOf(server, { schemas: { 'workspaces.list': rejecting } });
    const error = await failureOf(client.workspaces.list());
    expect(isInvalidResponseError(error)).toBe(true);
    expect(error.message).toContain('[{"message":"is odd","path":["data",{"key":0},"id"]}]');
    expect(isInvalidResponseError(await failureOf(client.me.get({ schema: rejecting })))).toBe(true);
    expect(await client.me.get({ schema: accepting })).toEqual({ data: [], pagination: {} });
  });
});

describe('parseJSON', () => {
  const upper = (text: string): unknown => JSON.parse(text.toUpperCase());

  it('parses responses; a body that it cannot parse gives an InvalidResponseError', async () => {
    await using server = await scripted(
      { status: 200, body: { data: ['a'] } },
      { status: 200, body: '{"a":' },
    );
    const { client } = clientOf(server, { parseJSON: upper });
    expect(await client.me.get()).toEqual({ DATA: ['A'] });
    expect(isInvalidResponseError(await failureOf(client.me.get()))).toBe(true);
  });
});

/** A client whose copy of the SDK has not made a call yet. */
async function fresh(transport: Transport) {
  vi.resetModules();
  const { Hubline: Fresh } = await import('./hubline.ts');
  return new Fresh({ apiKey: API_KEY, transport });
}

describe('the first call', () => {
  it('is sent as it was given, even if its objects change while the rest of the SDK is loaded', async () => {
    const { requests, transport } = recorder();
    const client = await fresh(transport);
    const [body, query, headers] = [{ a: 1 }, { b: 2 }, { 'x-c': '3' }];
    const call = client.request({ method: 'POST', path: '/things', body, query, headers });
    [body.a, query.b, headers['x-c']] = [0, 0, '0'];
    await call;
    expect(requests).toMatchObject([
      { url: 'http://127.0.0.1:8787/v1/things?b=2', body: '{"a":1}', headers: { 'x-c': '3' } },
    ]);
  });

  it('rejects and sends nothing if the rest of the SDK cannot be loaded; the next call tries again', async () => {
    const { requests, transport } = recorder();
    vi.doMock('./run/runner.ts', () => {
      throw new Error('EMFILE: too many open files');
    });
    const client = await fresh(transport);
    const error = await failureOf(client.me.get());
    expect(error).toMatchObject({ name: 'HublineError', cause: expect.any(Error) as Error });
    expect(error.message).toContain('did not load, so nothing was sent');
    expect(requests).toEqual([]);
    vi.doUnmock('./run/runner.ts');
    expect(await client.me.get()).toEqual({});
  });
});

it('loads neither ky nor the web classes before the first request', async () => {
  const used: string[] = [];
  for (const name of ['Request', 'Response', 'Headers', 'fetch']) {
    vi.stubGlobal(
      name,
      new Proxy(function () {}, { get: () => void used.push(name), construct: () => (used.push(name), {}) }),
    );
  }
  vi.resetModules();
  const { Hubline: Fresh } = await import('./hubline.ts');
  expect(new Fresh({ apiKey: API_KEY }).rateLimit).toBeNull();
  expect(used).toEqual([]);
});
