import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { API_KEY, clientOf, errorBody, failureOf } from '../../test/client.ts';
import { scripted, type Step, until } from '../../test/scripted-server.ts';
import { APIError, type ErrorCode, isAPIError, NotFoundError, RateLimitedError } from './api-error.ts';
import {
  HublineError,
  isConnectionError,
  isHublineError,
  isInvalidResponseError,
  isTimeoutError,
} from './errors.ts';

const responding = async (step: Step) => {
  await using server = await scripted(step);
  const { client } = clientOf(server, { maxRetries: 0 });
  // Awaited here, since the server ends with this function.
  return await failureOf(client.workspaces.get('ws_1'));
};

describe('an error body', () => {
  it.each<[number, ErrorCode, string]>([
    [400, 'invalid_request', 'InvalidRequestError'],
    [401, 'unauthorized', 'UnauthorizedError'],
    [403, 'forbidden', 'ForbiddenError'],
    [404, 'not_found', 'NotFoundError'],
    [409, 'conflict', 'ConflictError'],
    [422, 'unprocessable_entity', 'UnprocessableEntityError'],
    [429, 'rate_limited', 'RateLimitedError'],
    [500, 'internal_error', 'InternalServerError'],
    [503, 'service_unavailable', 'ServiceUnavailableError'],
  ])('of status %i and code %s becomes %s', async (status, code, name) => {
    const error = await responding({ status, body: errorBody(code) });
    expect(error).toMatchObject({ name, status, code, serverMessage: 'Because.', requestId: 'req_1' });
    expect(isAPIError(error, code)).toBe(true);
    expect(
      error.stack?.startsWith(`${name}: GET /workspaces/ws_1 responded with ${status} ${code}: Because.`),
    ).toBe(true);
  });

  it('becomes an error whose stack shows the caller after a few lines of the SDK', async () => {
    await using server = await scripted({ status: 404, body: errorBody('not_found') });
    const { client } = clientOf(server);
    const caller = async () => {
      await client.workspaces.get('ws_1');
    };
    const { stack = '' } = await failureOf(caller());
    const calls = stack
      .split('\n')
      .filter((line) => line.startsWith('    at ') && !line.includes('node:internal'));
    // Node shows ten lines by default.
    expect(calls.findIndex((line) => line.includes(' caller '))).toBe(5);
  });

  it('of 405 and 413 is an InvalidRequestError by its code', async () => {
    for (const status of [405, 413]) {
      const error = await responding({ status, body: errorBody('invalid_request') });
      expect(isAPIError(error, 'invalid_request')).toBe(true);
      expect(error).toMatchObject({ status });
    }
  });

  it('becomes an error with its details, in the message too', async () => {
    const details = [{ field: 'name', issue: 'must have 1 to 100 characters' }, { field: 7 }];
    const body = { error: { code: 'invalid_request', message: 'No.', request_id: 'req_1', details } };
    const error = await responding({ status: 400, body });
    expect(error).toMatchObject({ details: [details[0]] });
    expect(error.message).toContain('name: must have 1 to 100 characters');
  });

  it('does not repeat a detail that its message already contains', async () => {
    const issue = 'has an open invitation; resend it instead';
    const details = [
      { field: 'email', issue },
      { field: 'role', issue: 'is not known' },
    ];
    const body = { error: { code: 'conflict', message: `email ${issue}.`, request_id: 'req_1', details } };
    const error = await responding({ status: 409, body });
    expect(error).toMatchObject({ details });
    expect(error.message).toBe(
      `GET /workspaces/ws_1 responded with 409 conflict: email ${issue}. role: is not known. (request req_1)`,
    );
  });

  it('in the older flat form is understood as well, with its finer code', async () => {
    const body = { error: 'workspace_not_found', message: 'No such workspace.', status_code: 404 };
    const error = await responding({ status: 404, headers: { 'x-request-id': 'req_9' }, body });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      code: 'workspace_not_found',
      serverMessage: body.message,
      requestId: 'req_9',
    });
    expect(isAPIError(error, 'not_found')).toBe(true);
  });

  it('becomes an error with the rate limit, and with advice in its message', async () => {
    const headers = {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1767225660',
      'retry-after': '12',
    };
    const error = await responding({ status: 429, headers, body: errorBody('rate_limited') });
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({
      retryAfter: 12,
      rateLimit: { limit: 1_000, remaining: 0, reset: 1_767_225_660 },
    });
    expect(error.message).toContain('maxRetryAfter');
  });
});

describe('a hostile or broken server', () => {
  it('that responds with 502 and HTML gives an APIError that names the likely cause', async () => {
    const body = '<html><h1>Bad gateway</h1></html>';
    const error = await responding({ status: 502, headers: { 'content-type': 'text/html' }, body });
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 502, code: 'unexpected_status', serverMessage: null, details: [] });
    expect(error.message).toContain('proxies');
  });

  it.each([
    ['truncated JSON', 200, '{"id": "ws_1", "na'],
    ['HTML', 200, '<html></html>'],
    ['null', 200, 'null'],
    ['an array', 200, '[]'],
    ['a number', 200, '5'],
    ['nothing', 200, ''],
    ['nothing', 204, undefined],
  ])(
    'that answers a read with %s (%i) gives an InvalidResponseError that names the call',
    async (_, status, body) => {
      const error = await responding({ status, body, headers: { 'x-request-id': 'req_7' } });
      expect(isInvalidResponseError(error)).toBe(true);
      expect(error).toMatchObject({ status, requestId: 'req_7' });
      expect(error.message).toContain(`GET /workspaces/ws_1 responded with ${status} without a JSON object`);
    },
  );

  it('that answers a write, or a deletion, with the page of a proxy gives an InvalidResponseError', async () => {
    await using server = await scripted({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html>',
    });
    const { client } = clientOf(server);
    const calls = [
      client.workspaces.create({ name: 'A', slug: 'aa' }),
      client.workspaces.delete('ws_1'),
      client.webhooks.list(),
    ];
    for (const call of calls) {
      const error = await failureOf(call);
      expect(isInvalidResponseError(error)).toBe(true);
      expect(error.message).toContain('(text/html)');
    }
  });

  it.each([
    'null',
    '[]',
    '"text"',
    '{"error":null}',
    '{"error":[]}',
    '{"error":{"code":7,"message":{},"details":"x","request_id":[]}}',
    '{"error":{"details":[null,1,[],{"field":1}]}}',
    '{"__proto__":{"polluted":true},"error":{"__proto__":{"polluted":true},"code":"constructor","message":"m"}}',
    '{"error":"__proto__","message":"m"}',
  ])('that sends the error body %s gives an APIError and pollutes nothing', async (body) => {
    const error = await responding({ status: 418, body });
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 418 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('that sends an endless body is cut off at maxResponseBytes, on success and on error', async () => {
    const endless =
      (status: number): Step =>
      (response) => {
        response.writeHead(status);
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      };
    for (const status of [200, 400]) {
      await using server = await scripted(endless(status));
      const { client } = clientOf(server, { maxResponseBytes: 1_000_000, maxRetries: 0 });
      const error = await failureOf(client.me.get());
      expect(error).toMatchObject({ status });
      expect(isInvalidResponseError(error)).toBe(status === 200);
      await until(() => server.underWay === 0);
    }
  });

  it.each([301, 302, 303, 307, 308])(
    'that redirects (%i) cannot make the client send the key to another address',
    async (status) => {
      await using other = await scripted({ status: 200, body: {} });
      await using server = await scripted({ status, headers: { location: `${other.origin}/v1/me` } });
      const error = await failureOf(clientOf(server).client.workspaces.create({ name: 'A', slug: 'aa' }));
      expect(isInvalidResponseError(error)).toBe(true);
      expect(error).toMatchObject({ status });
      expect(error.message).toContain('not followed');
      expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
    },
  );

  it('that responds with 304 is not said to redirect', async () => {
    const { message } = await responding({ status: 304 });
    expect(message).toBe(
      'GET /workspaces/ws_1 responded with 304 (location: none, not followed): check baseURL.',
    );
  });

  it('that is not running gives a ConnectionError that names the reason and the address', async () => {
    const server = await scripted('hang');
    const { client } = clientOf(server, { maxRetries: 1 });
    await server[Symbol.asyncDispose]();
    const error = await failureOf(client.workspaces.delete('ws_1', { idempotencyKey: 'k' }));
    expect(isConnectionError(error)).toBe(true);
    expect(isTimeoutError(error)).toBe(false);
    expect(error).toMatchObject({ idempotencyKey: 'k' });
    expect(error.message).toMatch(/ECONNREFUSED.*http:\/\/127/s);
  });
});

describe('secrets', () => {
  const shownBy = (value: unknown) =>
    [
      String(value),
      JSON.stringify(value),
      inspect(value, { depth: Infinity, showHidden: true, getters: true }),
      (value as Error).stack ?? '',
    ].join('\n');

  it('are in no form of any error, even if the server or the network layer repeats them', async () => {
    const echo: Step = (response, request) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(errorBody('unauthorized', `Bad header ${request.headers.authorization}`)));
    };
    const html: Step = { status: 200, body: '<html>' };
    for (const step of [echo, html, 'reset'] as Step[]) {
      expect(shownBy(await responding(step))).not.toContain(API_KEY.slice(3));
    }
  });

  it('and queries are not in the error of a redirect that repeats them', async () => {
    const location = `https://hub.example.com/v1/me?key=${API_KEY}&q=secret-query#secret-fragment`;
    const shown = shownBy(await responding({ status: 301, headers: { location } }));
    expect(shown).toContain('301 (location: https://hub.example.com/v1/me, not followed)');
    expect(shown).not.toMatch(/secret-(query|fragment)/);
    const inPath = await responding({ status: 301, headers: { location: `/login/${API_KEY}` } });
    expect(shownBy(inPath)).not.toContain(API_KEY.slice(3));
  });

  it('are in no form of the client', async () => {
    await using server = await scripted('hang');
    const { client } = clientOf(server);
    expect(shownBy(client)).not.toContain(API_KEY.slice(3));
  });

  it('are not in the log, at any level', async () => {
    await using server = await scripted({ status: 500, body: errorBody('internal_error', API_KEY) });
    const lines: unknown[] = [];
    const record = (...line: unknown[]) => void lines.push(line);
    const logger = { debug: record, info: record, warn: record, error: record };
    const { client } = clientOf(server, { logger, logLevel: 'debug' });
    await failureOf(client.webhooks.list({ workspace_id: 'ws_secret-query' }));
    expect(lines.length).toBeGreaterThan(8);
    expect(shownBy(lines)).not.toContain(API_KEY.slice(3));
    expect(shownBy(lines)).not.toContain('secret-query');
  });
});

describe('guards', () => {
  it('recognize errors of another copy of the package', () => {
    class Copied extends Error {
      readonly code = 'workspace_not_found';
      readonly serverMessage = null;
      override get name() {
        return 'NotFoundError';
      }
      get [Symbol.for('@hubline/sdk.error')]() {
        return true;
      }
    }
    const error = new Copied('x');
    expect(error).not.toBeInstanceOf(HublineError);
    expect(isHublineError(error)).toBe(true);
    expect(isAPIError(error)).toBe(true);
    expect(isAPIError(error, 'not_found')).toBe(true);
    expect(isAPIError(error, 'conflict')).toBe(false);
    expect(isConnectionError(error)).toBe(false);
  });

  it.each([null, undefined, 1, 'text', {}, new Error('x'), Object.create(null)])(
    'do not recognize %s',
    (value) => {
      expect(isHublineError(value)).toBe(false);
      expect(isAPIError(value)).toBe(false);
      expect(isConnectionError(value)).toBe(false);
      expect(isInvalidResponseError(value)).toBe(false);
    },
  );
});
