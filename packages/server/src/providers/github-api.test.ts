import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createOutbound } from '../outbound/outbound-http.ts';
import { answers, dispatcherFor, listen } from '../outbound/receiver.fixture.ts';
import { github } from './github.ts';
import { isOwnNotification } from './github-own.ts';
import type { Credentials, ProviderTools } from './provider.ts';

interface Call {
  route: string;
  headers: Record<string, unknown>;
  body: Record<string, unknown> | null;
}

type Route = (call: Call) => [status: number, body: unknown, headers?: Record<string, string>] | null;

const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
const INGEST = { url: 'https://hub.example.com/v1/ingest/int_1', secret: 'ingest-secret' };

/** A GitHub API on the loopback. A route that gives `null` never answers. */
async function fakeGithub(routes: Record<string, Route>, timeoutMs = 10_000) {
  const calls: Call[] = [];
  const { port } = await listen(
    createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const call: Call = {
          route: `${request.method} ${request.url}`,
          headers: request.headers,
          body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
        };
        calls.push(call);
        const answer = routes[call.route]?.(call);
        if (answer === null) return;
        const [status, body, headers] = answer ?? [404, { message: 'Not Found' }];
        response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    }),
  );
  const outbound = createOutbound({
    guarded: dispatcherFor({ policy: { allowHttpLocalhost: false }, resolve: answers('127.0.0.1') }),
    trusted: dispatcherFor({ policy: null }),
    userAgent: 'Hubline/test',
  });
  const tools: ProviderTools = {
    outbound: (request) => outbound({ ...request, timeoutMs }),
    apiUrl: `http://127.0.0.1:${port}/api/`,
  };
  return { calls, tools };
}

const check = (credentials: Credentials, tools: ProviderTools) => github.validate?.(credentials, tools);
const register = (credentials: Credentials, tools: ProviderTools) =>
  github.register?.(credentials, INGEST, tools);

describe('checking the token', () => {
  it('asks GitHub who it is, with the documented headers', async () => {
    const { calls, tools } = await fakeGithub({ 'GET /api/user': () => [200, { login: 'octocat' }] });
    expect(await check({ token: TOKEN }, tools)).toEqual({ ok: true });
    expect(calls[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${TOKEN}`,
      'user-agent': 'Hubline/test',
      'x-github-api-version': '2022-11-28',
    });
  });

  it('asks for the repositories where the token is that of an app’s installation', async () => {
    const route = 'GET /api/installation/repositories?per_page=1';
    const { tools } = await fakeGithub({ [route]: () => [200, { repositories: [] }] });
    expect(await check({ token: 'ghs_installation' }, tools)).toEqual({ ok: true });
  });

  it.each<[number, unknown, RegExp]>([
    [401, { message: 'Bad credentials' }, /was refused by GitHub: it is wrong, expired or revoked/],
    [
      403,
      { message: 'API rate limit exceeded' },
      /was refused by GitHub: API rate limit exceeded; check its scopes/,
    ],
    [403, `{"message":"echo ${TOKEN}"}`, /echo \[token\]/],
    [404, { message: 'Not Found' }, /what answered 404 is not GitHub's API/],
    [302, '', /what answered 302 is not GitHub's API/],
    [200, '<html>Log in to the Wi-Fi</html>', /what answered 200 is not GitHub's API/],
    [500, '', /could not be checked, because GitHub's API answered 500/],
    [503, '<html>', /answered 503; try again/],
  ])('explains an answer of %i', async (status, body, issue) => {
    const { tools } = await fakeGithub({ 'GET /api/user': () => [status, body] });
    const result = await check({ token: TOKEN }, tools);
    expect(result).toEqual({
      ok: false,
      detail: { field: 'credentials.token', issue: expect.stringMatching(issue) },
    });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it('explains silence and refusal of the network', async () => {
    const { tools } = await fakeGithub({ 'GET /api/user': () => null }, 200);
    expect(await check({ token: TOKEN }, tools)).toMatchObject({
      detail: {
        field: 'credentials.token',
        issue: expect.stringContaining('gave no answer: no answer within 0.2 s'),
      },
    });
    expect(await check({ token: TOKEN }, { ...tools, apiUrl: 'http://127.0.0.1:1' })).toMatchObject({
      detail: { issue: expect.stringContaining('gave no answer: connection refused') },
    });
  });

  it('goes to the domain of the credentials, and never inside through it', async () => {
    const { calls, tools } = await fakeGithub({});
    const result = await check({ token: TOKEN, domain: 'github.corp.example' }, tools);
    expect(result).toEqual({
      ok: false,
      detail: {
        field: 'credentials.domain',
        issue: "could not be checked, because GitHub's API gave no answer: blocked address",
      },
    });
    expect(calls).toEqual([]);

    const urls: string[] = [];
    const recording: ProviderTools = {
      apiUrl: undefined,
      outbound: (request) => {
        urls.push(`${request.trusted ?? false} ${request.url}`);
        return Promise.resolve({ status: 200, headers: {}, body: '{}' });
      },
    };
    await check({ token: TOKEN, domain: 'github.corp.example:8443' }, recording);
    await check({ token: TOKEN, domain: 'GitHub.com' }, recording);
    await check({ token: TOKEN }, recording);
    await check({ token: TOKEN }, { ...recording, apiUrl: 'http://ghes.internal/api/v3' });
    expect(urls).toEqual([
      'false https://github.corp.example:8443/api/v3/user',
      'false https://api.github.com/user',
      'false https://api.github.com/user',
      'true http://ghes.internal/api/v3/user',
    ]);
  });
});

describe('registering the webhook', () => {
  const credentials = { token: TOKEN, repository: 'octo/hello' };

  it('creates it at the repository, signed and with certificate checks', async () => {
    const { calls, tools } = await fakeGithub({
      'POST /api/repos/octo/hello/hooks': () => [201, { id: 42 }],
    });
    expect(await register(credentials, tools)).toEqual({
      registered: true,
      hook: { path: '/repos/octo/hello/hooks/42' },
    });
    expect(calls[0]?.body).toEqual({
      name: 'web',
      active: true,
      events: ['*'],
      config: { url: INGEST.url, content_type: 'json', secret: INGEST.secret, insecure_ssl: '0' },
    });
  });

  it('creates it at the organization', async () => {
    const { tools } = await fakeGithub({ 'POST /api/orgs/octo-org/hooks': () => [201, { id: 7 }] });
    expect(await register({ token: TOKEN, organization: 'octo-org' }, tools)).toEqual({
      registered: true,
      hook: { path: '/orgs/octo-org/hooks/7' },
    });
  });

  it('takes over the hook that is there already, with the new secret', async () => {
    const { calls, tools } = await fakeGithub({
      'POST /api/repos/octo/hello/hooks': () => [
        422,
        { message: 'Validation Failed', errors: [{ message: 'Hook already exists on this repository' }] },
      ],
      'GET /api/repos/octo/hello/hooks?per_page=100': () => [
        200,
        [
          null,
          { id: 1, config: { url: 'https://other.example.com' } },
          { id: 9, config: { url: INGEST.url } },
        ],
      ],
      'PATCH /api/repos/octo/hello/hooks/9': () => [200, { id: 9 }],
    });
    expect(await register(credentials, tools)).toEqual({
      registered: true,
      hook: { path: '/repos/octo/hello/hooks/9' },
    });
    expect(calls.at(-1)?.body).toMatchObject({ active: true, config: { secret: INGEST.secret } });
    expect(calls.at(-1)?.body).not.toHaveProperty('name');
  });

  it.each<[number, unknown, string]>([
    [401, { message: 'Bad credentials' }, 'GitHub refused the token'],
    [403, { message: 'Resource not accessible' }, 'the token may not manage webhooks; it needs'],
    [404, { message: 'Not Found' }, 'GitHub does not know the repository or organization'],
    [
      422,
      { message: 'Validation Failed', errors: [{ message: 'url is not supported because it is localhost' }] },
      'Validation Failed: url is not supported because it is localhost',
    ],
    [500, '', "GitHub's API answered 500"],
    [201, 'not json', "GitHub's API answered 201"],
    [201, { id: '../../user' }, "GitHub's API answered 201"],
  ])('is left to a person after %i, with the reason', async (status, body, reason) => {
    const { tools } = await fakeGithub({ 'POST /api/repos/octo/hello/hooks': () => [status, body] });
    expect(await register(credentials, tools)).toEqual({
      registered: false,
      reason: expect.stringContaining(reason),
    });
  });

  it('is left to a person when GitHub is silent', async () => {
    const { tools } = await fakeGithub({ 'POST /api/repos/octo/hello/hooks': () => null }, 200);
    expect(await register(credentials, tools)).toEqual({
      registered: false,
      reason: 'no answer within 0.2 s',
    });
  });

  it('is not tried without a place for it', async () => {
    const { calls, tools } = await fakeGithub({});
    expect(await register({ token: TOKEN }, tools)).toMatchObject({ registered: false });
    expect(calls).toEqual([]);
  });
});

describe('removing the webhook', () => {
  const hook = { path: '/repos/octo/hello/hooks/42' };

  it.each([204, 404])('is done after %i', async (status) => {
    const { calls, tools } = await fakeGithub({
      'DELETE /api/repos/octo/hello/hooks/42': () => [status, ''],
    });
    await github.unregister?.({ token: TOKEN }, hook, tools);
    expect(calls.map(({ route }) => route)).toEqual(['DELETE /api/repos/octo/hello/hooks/42']);
  });

  it('says so when it failed', async () => {
    const { tools } = await fakeGithub({
      'DELETE /api/repos/octo/hello/hooks/42': () => [403, { message: 'Must have admin rights' }],
    });
    await expect(github.unregister?.({ token: TOKEN }, hook, tools)).rejects.toThrow(
      '403: Must have admin rights',
    );
  });
});

describe('notifying', () => {
  const credentials = { token: TOKEN, webhook_secret: 'ingest-secret' };
  const notification = { eventType: 'event.created', text: `Release v2 is out\nwith ${'x'.repeat(200)}` };

  it('comments on an issue, with a stamp that the provider knows again', async () => {
    const { calls, tools } = await fakeGithub({
      'POST /api/repos/octo/hello/issues/12/comments': () => [201, { id: 1 }],
    });
    expect(
      await github.notify?.({ credentials, config: { channel: 'octo/hello#12' } }, notification, tools),
    ).toEqual({
      ok: true,
      destination: 'octo/hello#12',
    });
    const body = calls[0]?.body?.['body'];
    expect(body).toEqual(expect.stringContaining(notification.text));
    expect(isOwnNotification({ action: 'created', comment: { body } }, 'ingest-secret')).toBe(true);
  });

  it('opens an issue with the first line as its title', async () => {
    const { calls, tools } = await fakeGithub({
      'POST /api/repos/octo/hello/issues': () => [201, { number: 77 }],
    });
    expect(
      await github.notify?.({ credentials, config: { channel: 'octo/hello' } }, notification, tools),
    ).toEqual({
      ok: true,
      destination: 'octo/hello#77',
    });
    expect(calls[0]?.body).toMatchObject({ title: 'Release v2 is out' });
  });

  it('falls back to the repository of the credentials', async () => {
    const { calls, tools } = await fakeGithub({
      'POST /api/repos/octo/hello/issues': () => [201, { number: 1 }],
      'POST /api/repos/octo/hello/issues/3/comments': () => [201, {}],
    });
    const own = { ...credentials, repository: 'octo/hello' };
    expect(await github.notify?.({ credentials: own, config: {} }, notification, tools)).toMatchObject({
      ok: true,
    });
    expect(
      await github.notify?.({ credentials: own, config: { channel: '#3' } }, notification, tools),
    ).toMatchObject({
      ok: true,
      destination: 'octo/hello#3',
    });
    expect(calls).toHaveLength(2);
  });

  it.each([
    '',
    '#general',
    'octo',
    'octo/hello#0',
    'octo/hello#1/../../user',
    'octo/hello/x',
    'octo/he llo',
    '../x?y#1',
  ])('refuses the channel %j without a call', async (channel) => {
    const { calls, tools } = await fakeGithub({});
    expect(await github.notify?.({ credentials, config: { channel } }, notification, tools)).toMatchObject({
      ok: false,
      error: expect.stringContaining('config.channel must be owner/repo#123'),
    });
    expect(calls).toEqual([]);
  });

  it.each<[string, Route, string]>([
    [
      '403',
      () => [403, { message: 'Resource not accessible by personal access token.' }],
      'GitHub answered 403: Resource not accessible by personal access token',
    ],
    ['410', () => [410, { message: 'Issues are disabled' }], 'GitHub answered 410: Issues are disabled'],
    ['500', () => [500, ''], 'GitHub answered 500'],
    ['silence', () => null, 'GitHub answered nothing: no answer within 0.2 s'],
  ])('passes on the reason of %s', async (what, route, error) => {
    const { tools } = await fakeGithub(
      { 'POST /api/repos/octo/hello/issues/12/comments': route },
      what === 'silence' ? 200 : undefined,
    );
    expect(
      await github.notify?.({ credentials, config: { channel: 'octo/hello#12' } }, notification, tools),
    ).toEqual({
      ok: false,
      destination: 'octo/hello#12',
      error,
    });
  });
});
