import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { HEADERS, LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadResponse, type Api, checkBase } from '../support/api.ts';
import { newWorkspace, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import { raw, type RawResult } from '../support/raw-http.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let api: Api;
let auth: string;

beforeAll(async () => {
  workspace = await startWorkspace({ flags: { httpThread: 'on' } });
  ({ api } = workspace);
  auth = `Authorization: Bearer ${workspace.server.apiKey}`;
});
afterAll(() => workspace.stop());

/** The only response on a connection. It must have the error body and the headers of every response. */
function only({ responses }: RawResult): ReadResponse {
  expect(responses).toHaveLength(1);
  const [response] = responses;
  checkBase(response as ReadResponse);
  return response as ReadResponse;
}

const send = async (request: string | Buffer) =>
  only(await raw(workspace.server.url, request, { responses: 1 }));

const errorOf = (response: ReadResponse) =>
  (response.json as { error: { message: string; details?: { field: string; issue: string }[] } }).error;

/** Counts the workspaces: a refused request must not change the number. */
const workspaces = async () => (await api.call('workspaces.list')).data.length;

const post = (text: string, headers: Record<string, string> = {}) =>
  api.request('POST', '/workspaces', { text, headers });

describe('a JSON body', () => {
  it.each([
    ['cut off', '{a}'],
    ['empty', ''],
    ['white space', '  '],
    ['an array', '[]'],
    ['a string', '"text"'],
    ['a number', '1'],
    ['null', 'null'],
    ['with a comment', '{"name": "x" /* y */}'],
    ['with a byte order mark', '\u{feff}{"name":"x","slug":"bom"}'],
    ['two values', '{}{}'],
    ['NaN', '{"name": NaN}'],
  ])('is refused with 400: %s', async (_, text) => {
    const response = await post(text);
    expect(response.status, response.text).toBe(400);
  });

  it('that is absent is refused with the names of what is missing', async () => {
    const response = await api.request('POST', '/workspaces');
    expect(response.status).toBe(400);
    expect(errorOf(response).details).toEqual([
      { field: 'name', issue: 'is required' },
      { field: 'slug', issue: 'is required' },
    ]);
  });

  it('must say that it is JSON', async () => {
    const text = JSON.stringify({ name: 'Typed', slug: unique('typed') });
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      '*/*',
    ])
      expect((await post(text, { 'Content-Type': type })).status, type).toBe(400);
    const bytes = `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Length: ${text.length}\n\n${text}`;
    expect((await send(bytes)).status).toBe(400);
    expect(await workspaces()).toBe(1);
  });

  it.each(['application/json;charset=utf-16', 'application/json; charset="latin1"'])(
    'in another charset is refused with 415: %s',
    async (type) => {
      expect((await post('{}', { 'Content-Type': type })).status).toBe(415);
    },
  );

  it('may name utf-8, in any case and quoted', async () => {
    for (const type of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"']) {
      const text = JSON.stringify({ name: 'Typed', slug: unique('typed') });
      expect((await post(text, { 'Content-Type': type })).status).toBe(201);
    }
  });

  it('that is compressed is refused with 415', async () => {
    const response = await fetch(`${api.baseUrl}/workspaces`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${api.key}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: gzipSync('{"name":"x","slug":"gzipped"}'),
    });
    expect(response.status).toBe(415);
  });

  it('that is not UTF-8 is refused with 400', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]);
    const head = `POST /v1/workspaces HTTP/1.1\r\nHost: x\r\n${auth}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const response = await send(Buffer.concat([Buffer.from(head), body]));
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toContain('UTF-8');
  });

  it('nests at most 64 levels, and its depth does not cost memory', async () => {
    const path = `/workspaces/${workspace.workspaceId}/events`;
    const nested = (levels: number) =>
      `{"type":"t","payload":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    expect((await api.request('POST', path, { text: nested(63) })).status).toBe(201);
    expect((await api.request('POST', path, { text: nested(64) })).status).toBe(400);
    const before = process.memoryUsage().rss;
    for (const depth of [100_000, 170_000]) {
      expect((await api.request('POST', path, { text: nested(depth) })).status, `${depth}`).toBe(400);
    }
    expect((await api.request('POST', path, { text: '['.repeat(1_000_000) })).status).toBe(400);
    expect((await api.request('POST', path, { text: '['.repeat(2_000_000) })).status).toBe(413);
    // The server runs in this process. The requirement allows the server 50 MB; the rest is noise of the garbage
    // collector.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('may not carry names that reach a prototype, except in a payload, which is kept as it is', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const text = `{"provider":"custom","workspace_id":"${workspace.workspaceId}","credentials":{},"config":{"${name}":{"admin":true}}}`;
      const response = await api.request('POST', '/integrations/connect', { text });
      expect(response.status, response.text).toBe(400);
      expect(errorOf(response).details?.[0]?.field).toBe(`config.${name}`);
    }
    const other = await newWorkspace(workspace);
    const payload = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    const response = await api.request('POST', `/workspaces/${other.workspaceId}/events`, {
      text: `{"type":"proto","payload":${payload}}`,
    });
    expect(response.text).toContain(`"payload":${payload}`);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('cannot set fields that the server decides', async () => {
    const mine = { name: 'Mine', slug: unique('mine') };
    const decided = { id: 'ws_00000000000000000000000000', created_at: '2000-01-01T00:00:00.000Z' };
    await api.refused('workspaces.create', 400, { body: { ...mine, ...decided } });
    const made = await api.call('workspaces.create', { body: mine });
    const params = { id: made.id };
    await api.refused('workspaces.update', 400, { params, body: { name: 'Still mine', ...decided } });
    expect(await api.call('workspaces.get', { params })).toEqual(made);
  });

  it('beyond 1 MiB is refused with 413 by its Content-Length, before it is sent', async () => {
    const head = `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Type: application/json\n`;
    const { responses, closed } = await raw(
      workspace.server.url,
      `${head}Content-Length: ${LIMITS.bodyBytes + 1}\n\n`,
    );
    expect(only({ responses, closed }).status).toBe(413);
    expect(closed).toBe(true);
  });

  it('beyond 1 MiB is refused with 413 when it comes in chunks', async () => {
    const head = `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n`;
    const chunk = `${(65_536).toString(16)}\n${'x'.repeat(65_536)}\n`;
    const { responses, closed } = await raw(workspace.server.url, `${head}${chunk.repeat(17)}`);
    expect(only({ responses, closed }).status).toBe(413);
    expect(closed).toBe(true);
  });

  it('of exactly 1 MiB is read', async () => {
    const name = 'x'.repeat(LIMITS.bodyBytes - '{"name":""}'.length);
    const response = await post(`{"name":"${name}"}`);
    expect(response.status).toBe(400);
    expect(errorOf(response).details?.map(({ field }) => field)).toEqual(['name', 'slug']);
  });

  it('that ends before its length leaves no trace', async () => {
    const before = await workspaces();
    const head = `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Type: application/json\nContent-Length: 100\n\n`;
    await raw(workspace.server.url, `${head}{"`, { afterward: 'destroy' });
    await raw(workspace.server.url, `${head}{"`, { afterward: 'end' });
    expect(await workspaces()).toBe(before);
  });
});

describe('a request that is not valid HTTP', () => {
  const body = '{"name":"x","slug":"smuggled"}';
  const start = 'POST /v1/workspaces HTTP/1.1\nHost: x\nContent-Type: application/json\n';

  it.each<[string, string | Buffer]>([
    [
      'both Content-Length and Transfer-Encoding',
      `${start}Content-Length: 6\nTransfer-Encoding: chunked\n\n0\n\n`,
    ],
    ['two Content-Length headers', `${start}Content-Length: 30\nContent-Length: 31\n\n${body}`],
    ['a negative Content-Length', `${start}Content-Length: -1\n\n`],
    ['a Content-Length that is not a number', `${start}Content-Length: 3x\n\n`],
    ['a bare LF after a header', Buffer.from('GET /v1/me HTTP/1.1\r\nHost: x\nA: b\r\n\r\n')],
    ['no Host', 'GET /v1/me HTTP/1.1\n\n'],
    ['an empty Host', 'GET /v1/me HTTP/1.1\nHost:\n\n'],
    ['two Host headers', 'GET /v1/me HTTP/1.1\nHost: a\nHost: b\n\n'],
    ['a Host that is not one', 'GET /v1/me HTTP/1.1\nHost: a b\n\n'],
    ['a Host with a path', 'GET /v1/me HTTP/1.1\nHost: a/b\n\n'],
    ['a Host with a user', 'GET /v1/me HTTP/1.1\nHost: me@evil.example\n\n'],
    ['a Host with a port out of range', 'GET /v1/me HTTP/1.1\nHost: x:65536\n\n'],
    ['a Host of dots', 'GET /v1/me HTTP/1.1\nHost: ..\n\n'],
    ['a Host in brackets that is not an address', 'GET /v1/me HTTP/1.1\nHost: [1.2.3.4]\n\n'],
    ['a Host longer than a name', `GET /v1/me HTTP/1.1\nHost: ${'x'.repeat(256)}\n\n`],
    ['a coding in addition to chunks', `${start}Transfer-Encoding: gzip, chunked\n\n1e\n${body}\n0\n\n`],
    ['chunks in HTTP/1.0', `${start.replace('1.1', '1.0')}Transfer-Encoding: chunked\n\n1e\n${body}\n0\n\n`],
    ['a header name with a space', 'GET /v1/me HTTP/1.1\nHost : x\n\n'],
    ['a folded header', 'GET /v1/me HTTP/1.1\nHost: x\nA: b\n c\n\n'],
    ['no version', 'GET /v1/me\n\n'],
    ['an unknown version', 'GET /v1/me HTTP/3.7\nHost: x\n\n'],
    ['the version of another protocol', 'GET /v1/me HTTP/2.0\nHost: x\n\n'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\n\nSM\n\n'],
    ['a target without a slash', 'GET v1/me HTTP/1.1\nHost: x\n\n'],
    ['a backslash in the target', 'GET /v1\\me HTTP/1.1\nHost: x\n\n'],
    ['TLS', Buffer.from('16030100c1010000bd0303', 'hex')],
    ['noise', 'hello\n\n'],
  ])('is refused with 400 and the error body: %s', async (_, request) => {
    // The status is not 401 for the missing key: the request is refused before that.
    expect((await send(request)).status).toBe(400);
  });

  it('whose headers are too large is refused with 431', async () => {
    const response = await send(`GET /v1/me HTTP/1.1\nHost: x\nA: ${'a'.repeat(21_000)}\n\n`);
    expect(response.status).toBe(431);
  });

  it('that expects something unknown is refused with 417', async () => {
    const response = await send('GET /v1/me HTTP/1.1\nHost: x\nExpect: foo\n\n');
    expect(response.status).toBe(417);
  });

  it('ends the connection: what comes behind it has no effect', async () => {
    const before = await workspaces();
    const body = JSON.stringify({ name: 'behind', slug: unique('behind') });
    const behind = `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Type: application/json\nContent-Length: ${body.length}\n\n${body}`;
    const { responses } = await raw(
      workspace.server.url,
      `GET /v1/me HTTP/1.1\nHost: x\nExpect: foo\n\n${behind}`,
    );
    expect(responses.map(({ status }) => status)).toEqual([417]);
    expect(await workspaces()).toBe(before);
  });

  it('never spoils the response to the request before it', async () => {
    const good = `GET /v1/me HTTP/1.1\nHost: x\n${auth}\n\n`;
    const { responses } = await raw(workspace.server.url, `${good}GARBAGE\n\n`);
    // The server may give up the first request, but the client must see one whole response after the other.
    for (const response of responses) checkBase(response);
    expect(responses.map(({ status }) => status).join()).toMatch(/^(200,)?400$/);
  });
});

it('a client that sends Expect: 100-continue is told to continue', async () => {
  const body = JSON.stringify({ name: 'Continued', slug: unique('continued') });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest(`${api.baseUrl}/workspaces`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${api.key}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Expect: '100-continue',
      },
    });
    request.on('continue', () => request.end(body));
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.flushHeaders();
  });
  expect(status).toBe(201);
});

describe('the query', () => {
  it.each([
    'limit[]=1',
    'limit=1&limit=2',
    'limit=0',
    'limit=101',
    'limit=1e2',
    'limit=0x10',
    'limit=%205',
    'limit=',
    'limit=-1',
    'limit=1.5',
    'limit=٣',
    'Limit=1',
    'typ=push',
    '__proto__=1',
    'type=%00',
  ])('with a mistake is refused with 400: %s', async (query) => {
    const response = await api.request('GET', `/workspaces/${workspace.workspaceId}/events?${query}`);
    expect(response.status, response.text).toBe(400);
  });

  it('with 3,000 parameters is refused with 400', async () => {
    const query = Array.from({ length: 3_000 }, () => 'a=1').join('&');
    expect((await api.request('GET', `/workspaces?${query}`)).status).toBe(400);
  });

  it('takes a limit from 1 to 100', async () => {
    for (const limit of ['1', '20', '100'])
      await api.call('events.list', { params: { id: workspace.workspaceId }, query: { limit } });
  });
});

describe('the method', () => {
  it.each(['OPTIONS', 'PUT', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'])(
    'that a path does not have is refused with 405 and a list of those that it has: %s',
    async (method) => {
      const response = await send(
        `${method} /v1/workspaces/${workspace.workspaceId}/members HTTP/1.1\nHost: x\n${auth}\n\n`,
      );
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    },
  );

  it('that a fixed path does not have is refused with 405, though a parameter would fit there', async () => {
    const invite = `/workspaces/${workspace.workspaceId}/members/invite`;
    const get = await api.request('GET', invite);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const stream = await api.request('DELETE', `/workspaces/${workspace.workspaceId}/events/stream`);
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const document = await api.request('POST', '/openapi.json', { body: {} });
    expect([document.status, document.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('that is unknown to HTTP is refused with 400', async () => {
    expect((await send('FOO /v1/me HTTP/1.1\nHost: x\n\n')).status).toBe(400);
  });

  it('CONNECT ends the connection', async () => {
    const { closed } = await raw(
      workspace.server.url,
      'CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n',
    );
    expect(closed).toBe(true);
  });

  it('HEAD answers like GET, without a body', async () => {
    for (const path of [
      '/me',
      '/workspaces',
      `/workspaces/${workspace.workspaceId}/events`,
      '/openapi.json',
      '/nothing',
    ]) {
      const get = await api.request('GET', path);
      const head = await api.request('HEAD', path);
      expect([head.status, head.text]).toEqual([get.status, '']);
      const names = ({ headers }: ReadResponse) =>
        [...headers.keys()].filter((name) => name !== 'keep-alive').sort();
      expect(names(head)).toEqual(names(get));
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });

  it('HEAD of a stream or of an export ends: the next request on the connection is served', async () => {
    const base = `/workspaces/${workspace.workspaceId}`;
    for (const path of [`${base}/events/stream`, `${base}/audit-log?format=csv`]) {
      const request = (line: string) => `${line} HTTP/1.1\nHost: x\n${auth}\n\n`;
      const both = request(`HEAD /v1${path}`) + request('GET /v1/me');
      const { responses } = await raw(workspace.server.url, both, { responses: 2 });
      expect(responses.map(({ status, text }) => [status, text !== ''])).toEqual([
        [200, false],
        [200, true],
      ]);
    }
  });
});

describe('the path', () => {
  it.each(['/v1', '/v1/', '/v1/me/', '/V1/me', '/v1/nothing', '/v2/me'])(
    'that is not a route answers 404 with the error body: %s',
    async (path) => {
      const response = await send(`GET ${path} HTTP/1.1\nHost: x\n${auth}\n\n`);
      expect(response.status).toBe(404);
    },
  );

  it('is repeated by the error only in its first hundred characters', async () => {
    const response = await send(`GET /v1/${'x'.repeat(9_000)} HTTP/1.1\nHost: x\n${auth}\n\n`);
    expect(errorOf(response).message).toContain(`There is no /v1/${'x'.repeat(96)}…. The API begins at /v1;`);
  });

  it('may be absolute, and the host in it builds no link', async () => {
    const integration = JSON.stringify({
      provider: 'custom',
      workspace_id: workspace.workspaceId,
      credentials: {},
    });
    const response = await send(
      `POST http://evil.example/v1/integrations/connect HTTP/1.1\nHost: evil.example\n${auth}\nContent-Type: application/json\nContent-Length: ${integration.length}\n\n${integration}`,
    );
    expect(response.status).toBe(201);
    expect(response.text).not.toContain('evil');
    expect((response.json as { ingest: { url: string } }).ingest.url).toMatch(workspace.server.url);
  });
});

describe('a connection', () => {
  it('stays usable after every kind of refusal', async () => {
    const good = `GET /v1/me HTTP/1.1\nHost: x\n${auth}\n\n`;
    const text = '{"name":"x"}';
    const refused = [
      'GET /v1/me HTTP/1.1\nHost: x\n\n',
      `POST /v1/workspaces HTTP/1.1\nHost: x\nContent-Length: ${text.length}\n\n${text}`,
      `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Type: text/plain\nContent-Length: ${text.length}\n\n${text}`,
      `POST /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Type: application/json\nContent-Length: ${text.length}\n\n${text}`,
      `PUT /v1/workspaces HTTP/1.1\nHost: x\n${auth}\nContent-Length: ${text.length}\n\n${text}`,
    ];
    const { responses } = await raw(workspace.server.url, refused.map((each) => each + good).join(''), {
      responses: refused.length * 2,
    });
    expect(responses.map(({ status }) => status)).toEqual(
      [401, 401, 400, 400, 405].flatMap((status) => [status, 200]),
    );
    for (const response of responses) checkBase(response);
  });

  it('gets a response although nobody reads its body', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${api.baseUrl}/workspaces`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': 900_000 },
      });
      request.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.end(Buffer.alloc(900_000, ' '));
    });
    expect(status).toBe(401);
  });
});

it('every response says that nobody may cache it, and has its own ID', async () => {
  for (const path of ['/me', '/nothing']) {
    expect((await api.request('GET', path)).headers.get('cache-control')).toBe('no-store');
  }
  expect((await api.request('GET', '/me')).headers.get(HEADERS.requestId)).not.toBe(
    (await api.request('GET', '/me')).headers.get(HEADERS.requestId),
  );
});

it('a HEAD with nonsense behind it gets a response without a body, and a refusal of the nonsense', async () => {
  const { responses } = await raw(
    workspace.server.url,
    `HEAD /v1/me HTTP/1.1\nHost: x\n${auth}\n\nnonsense\n\n`,
  );
  expect(responses.map(({ status, text }) => [status, text !== ''])).toEqual([
    [200, false],
    [400, true],
  ]);
});
