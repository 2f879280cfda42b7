import { Octokit } from '@octokit/rest';
import { describe, expect, it } from 'vitest';
import { github } from './github.ts';
import { isOwnNotification } from './ingest/own.ts';
import {
  type Call,
  expectSame,
  expectUnavailable,
  type FakeApi,
  failingApi,
  failuresOf,
  fakeApi,
  NOW,
  type Route,
} from '../fake-api.fixture.ts';
import type { Credentials, Hook, ProviderTools } from '../provider.ts';

const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
/** The headers of a limit that ends in a quarter of an hour. */
const USED_UP = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW.getTime() / 1_000 + 900) };
const INGEST = { url: 'https://hub.example.com/v1/ingest/int_1', secret: 'ingest-secret', hook: null };
const FAILURES = failuresOf("GitHub's API");

const check = (credentials: Credentials, tools: ProviderTools) => github.validate?.(credentials, tools);
const register = (credentials: Credentials, tools: ProviderTools, hook: Hook | null = null) =>
  github.register?.(credentials, { ...INGEST, hook }, tools);

describe('checking the token', () => {
  it('asks GitHub who it is, with the documented headers', async () => {
    const { calls, tools } = await fakeApi({ 'GET /api/user': () => [200, { login: 'octocat' }] });
    expect(await check({ token: TOKEN }, tools)).toEqual({ ok: true });
    expect(calls[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${TOKEN}`,
      'user-agent': 'Hubline/test',
      'x-github-api-version': '2022-11-28',
    });
  });

  it('asks for the repositories when the token is that of an app’s installation', async () => {
    const route = 'GET /api/installation/repositories?per_page=1';
    const { tools } = await fakeApi({ [route]: () => [200, { repositories: [] }] });
    expect(await check({ token: 'ghs_installation' }, tools)).toEqual({ ok: true });
  });

  it.each<[number, unknown, RegExp]>([
    [401, { message: 'Bad credentials' }, /was refused by GitHub: it is wrong, expired or revoked/],
    [
      403,
      { message: 'Resource not accessible' },
      /was refused by GitHub: Resource not accessible; check its scopes/,
    ],
    [403, `{"message":"echo ${TOKEN}"}`, /echo \[token\]/],
    [404, { message: 'Not Found' }, /is unknown to GitHub's API: Not Found/],
  ])('explains a response of %i', async (status, body, issue) => {
    const { tools } = await fakeApi({ 'GET /api/user': () => [status, body] });
    const result = await check({ token: TOKEN }, tools);
    expect(result).toEqual({
      ok: false,
      detail: { field: 'credentials.token', issue: expect.stringMatching(issue) },
    });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, 'GET /api/user');
    await expectUnavailable(check({ token: TOKEN }, tools), failure[2]);
  });

  it.each([[[]], ['octocat'], [null]])('treats %j as no response', async (body) => {
    const { tools } = await fakeApi({ 'GET /api/user': () => [200, JSON.stringify(body)] });
    await expectUnavailable(check({ token: TOKEN }, tools), 'did not say whose token it is');
  });

  it('treats a refused connection as no response', async () => {
    const { tools } = await fakeApi({});
    const nowhere = { ...tools, apiUrl: 'http://127.0.0.1:1' };
    await expectUnavailable(check({ token: TOKEN }, nowhere), 'connection refused');
  });

  it.each<[string, Route, number]>([
    ['429', () => [429, {}, { 'retry-after': '30' }], 30],
    ['503', () => [503, {}, { 'retry-after': 'Fri, 02 Jan 2026 03:05:05 GMT' }], 60],
    ['500', () => [500, {}], 2],
    ['500 that asks for nothing', () => [500, {}, { 'retry-after': '0' }], 1],
    ['a secondary limit', () => [403, { message: 'Slow down' }, { 'retry-after': '17' }], 17],
    ['a used up limit', () => [403, { message: 'Limit' }, { 'x-ratelimit-remaining': '0' }], 60],
    ['a used up limit with its end', () => [403, { message: 'Limit' }, USED_UP], 900],
    ['a used up limit with its end, as 429', () => [429, { message: 'Limit' }, USED_UP], 900],
  ])('passes on the wait that GitHub asks for after %s', async (_what, route, seconds) => {
    const { tools } = await fakeApi({ 'GET /api/user': route });
    const error = await expectUnavailable(check({ token: TOKEN }, tools), "GitHub's API");
    expect(error.retryAfterSeconds).toBe(seconds);
  });

  it('goes to the domain of the credentials, and never to a private address through it', async () => {
    const { calls, tools } = await fakeApi({});
    const result = await check({ token: TOKEN, domain: 'github.corp.example' }, tools);
    expect(result).toEqual({
      ok: false,
      detail: {
        field: 'credentials.domain',
        issue: 'must point to a public address',
      },
    });
    expect(calls).toEqual([]);

    const urls: string[] = [];
    const recording: ProviderTools = {
      apiUrl: undefined,
      clock: () => NOW,
      providerHttp: (request) => {
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
    const { calls, tools } = await fakeApi({
      'POST /api/repos/octo/hello/hooks': () => [201, { id: 42 }],
    });
    expect(await register(credentials, tools)).toEqual({
      registered: true,
      hook: { path: '/repos/octo/hello/hooks/42' },
      created: true,
    });
    expect(calls[0]?.body).toEqual({
      name: 'web',
      active: true,
      events: ['*'],
      config: { url: INGEST.url, content_type: 'json', secret: INGEST.secret, insecure_ssl: '0' },
    });
  });

  it('creates it at the organization', async () => {
    const { tools } = await fakeApi({ 'POST /api/orgs/octo-org/hooks': () => [201, { id: 7 }] });
    expect(await register({ token: TOKEN, organization: 'octo-org' }, tools)).toEqual({
      registered: true,
      hook: { path: '/orgs/octo-org/hooks/7' },
      created: true,
    });
  });

  it('takes over the existing hook, with the new secret', async () => {
    const { calls, tools } = await fakeApi({
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
      created: false,
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
    [307, { message: 'Moved Permanently' }, 'Moved Permanently'],
  ])('is left to a person after %i, with the reason', async (status, body, reason) => {
    const { tools } = await fakeApi({ 'POST /api/repos/octo/hello/hooks': () => [status, body] });
    expect(await register(credentials, tools)).toEqual({
      registered: false,
      reason: expect.stringContaining(reason),
    });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, 'POST /api/repos/octo/hello/hooks');
    await expectUnavailable(register(credentials, tools), failure[2]);
  });

  it.each([{}, [], { id: '../../user' }])(
    'treats a webhook without an ID as no response: %j',
    async (body) => {
      const { tools } = await fakeApi({ 'POST /api/repos/octo/hello/hooks': () => [201, body] });
      await expectUnavailable(register(credentials, tools), 'did not say which');
    },
  );

  it('is not attempted without a repository or an organization', async () => {
    const { calls, tools } = await fakeApi({});
    expect(await register({ token: TOKEN }, tools)).toBeNull();
    expect(calls).toEqual([]);
  });

  it.each([[credentials], [{ token: TOKEN }]])(
    'changes the one that was registered before: %j',
    async (given) => {
      const { calls, tools } = await fakeApi({
        'PATCH /api/repos/octo/hello/hooks/42': () => [200, { id: 42 }],
      });
      const hook = { path: '/repos/octo/hello/hooks/42' };
      expect(await register(given, tools, hook)).toEqual({ registered: true, hook, created: false });
      expect(calls.map(({ body }) => body)).toMatchObject([{ config: { secret: INGEST.secret } }]);
    },
  );

  it('creates another when the previous one is gone, at another place, or at another server', async () => {
    const { calls, tools } = await fakeApi({
      'POST /api/repos/octo/hello/hooks': () => [201, { id: 43 }],
    });
    const hooks = [
      { path: '/repos/octo/hello/hooks/42' },
      { path: '/repos/octo/hello-world/hooks/42' },
      { path: '/repos/octo/hello/hooks/42', domain: 'github.corp.example' },
    ];
    for (const hook of hooks)
      expect(await register(credentials, tools, hook)).toMatchObject({ registered: true, created: true });
    expect(calls.map(({ route }) => route)).toEqual([
      'PATCH /api/repos/octo/hello/hooks/42',
      'POST /api/repos/octo/hello/hooks',
      'POST /api/repos/octo/hello/hooks',
      'POST /api/repos/octo/hello/hooks',
    ]);
  });
});

describe('removing the webhook', () => {
  const { url } = INGEST;
  const hook = { path: '/repos/octo/hello/hooks/42' };
  const remove = (credentials: Credentials, tools: ProviderTools, known: Hook | null = hook) =>
    github.unregister?.(credentials, { url, hook: known }, tools);

  it.each([204, 404])('is done after %i', async (status) => {
    const { calls, tools } = await fakeApi({
      'DELETE /api/repos/octo/hello/hooks/42': () => [status, ''],
    });
    await remove({ token: TOKEN }, tools);
    expect(calls.map(({ route }) => route)).toEqual(['DELETE /api/repos/octo/hello/hooks/42']);
  });

  it('finds a webhook of unknown ID by its URL', async () => {
    const { calls, tools } = await fakeApi({
      'GET /api/repos/octo/hello/hooks?per_page=100': () => [
        200,
        [
          { id: 1, config: { url: 'https://other.example.com' } },
          { id: 9, config: { url } },
        ],
      ],
      'DELETE /api/repos/octo/hello/hooks/9': () => [204, ''],
    });
    await remove({ token: TOKEN, repository: 'octo/hello' }, tools, null);
    expect(calls.at(-1)?.route).toBe('DELETE /api/repos/octo/hello/hooks/9');
    await remove({ token: TOKEN }, tools, null);
    expect(calls).toHaveLength(2);
  });

  it('throws when it failed', async () => {
    const { tools } = await fakeApi({
      'DELETE /api/repos/octo/hello/hooks/42': () => [403, { message: 'Must have admin rights' }],
      'GET /api/repos/octo/hello/hooks?per_page=100': () => [401, { message: 'Bad credentials' }],
    });
    await expect(remove({ token: TOKEN }, tools)).rejects.toThrow('403: Must have admin rights');
    await expect(remove({ token: TOKEN, repository: 'octo/hello' }, tools, null)).rejects.toThrow('401');
    await expect(remove({ token: TOKEN, organization: 'octo' }, tools, null)).rejects.toThrow('404');
    await expect(remove({ token: TOKEN, domain: 'github.corp.example' }, tools)).rejects.toThrow(
      'at another GitHub server',
    );
  });
});

describe('notifying', () => {
  const credentials = { token: TOKEN, webhook_secret: 'ingest-secret' };
  const notification = { trigger: 'event.created', text: `Release v2 is out\nwith ${'x'.repeat(200)}` };

  it('comments on an issue, with a stamp that the provider recognizes', async () => {
    const { calls, tools } = await fakeApi({
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

  it('cuts a text that is too long for GitHub, before its stamp', async () => {
    const { calls, tools } = await fakeApi({
      'POST /api/repos/octo/hello/issues/12/comments': () => [201, { id: 1 }],
    });
    const connection = { credentials, config: { channel: 'octo/hello#12' } };
    await github.notify?.(connection, { trigger: 'event.created', text: 'x'.repeat(65_536) }, tools);
    const body = String(calls[0]?.body?.['body']);
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(isOwnNotification({ action: 'created', comment: { body } }, 'ingest-secret')).toBe(true);
  });

  it('mentions nobody whose name is in a text, unless its template is Markdown', async () => {
    const { calls, tools } = await fakeApi({
      'POST /api/repos/octo/hello/issues/12/comments': () => [201, { id: 1 }],
    });
    const connection = { credentials: { token: TOKEN }, config: { channel: 'octo/hello#12' } };
    const text = '@octo/all: ana@example.com waits';
    await github.notify?.(connection, { trigger: 'event.created', text }, tools);
    await github.notify?.(connection, { trigger: 'event.created', text, markdown: 'cc @octo/all' }, tools);
    expect(calls.map(({ body }) => body?.['body'])).toEqual([
      '@\u200Bocto/all: ana@example.com waits',
      'cc @octo/all',
    ]);
  });

  it('opens an issue with the first line as its title', async () => {
    const { calls, tools } = await fakeApi({
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
    const { calls, tools } = await fakeApi({
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
    '../user',
    'octo/..#1',
  ])('refuses the channel %j without a call', async (channel) => {
    const { calls, tools } = await fakeApi({});
    expect(await github.notify?.({ credentials, config: { channel } }, notification, tools)).toMatchObject({
      ok: false,
      refused: null,
      error: expect.stringContaining('config.channel must be owner/repo#123'),
    });
    expect(calls).toEqual([]);
  });

  it.each<[number, string, string]>([
    [401, 'Bad credentials', 'credentials'],
    [403, 'Resource not accessible by personal access token', 'credentials'],
    [404, 'Not Found', 'destination'],
    [410, 'Issues are disabled', 'destination'],
  ])('passes on the reason of %i', async (status, message, refused) => {
    const { tools } = await fakeApi({
      'POST /api/repos/octo/hello/issues/12/comments': () => [status, { message: `${message}.` }],
    });
    expect(
      await github.notify?.({ credentials, config: { channel: 'octo/hello#12' } }, notification, tools),
    ).toEqual({
      ok: false,
      destination: 'octo/hello#12',
      error: `GitHub responded with ${status}: ${message}`,
      refused,
    });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, 'POST /api/repos/octo/hello/issues/12/comments');
    const connection = { credentials, config: { channel: 'octo/hello#12' } };
    await expectUnavailable(github.notify?.(connection, notification, tools), failure[2]);
  });
});

describe("GitHub's own client", () => {
  const octo = { owner: 'octo', repo: 'hello' };
  const credentials = { token: TOKEN, repository: 'octo/hello', webhook_secret: 'ingest-secret' };
  const notification = { trigger: 'event.created', text: 'Release v2 is out' };
  const made: Route = () => [201, { id: 42, number: 7 }, { 'content-type': 'application/json' }];
  const found: Route = () => [200, { id: 42 }, { 'content-type': 'application/json' }];
  const request = ({ route, headers, body }: Call) => {
    const { authorization: key = '', 'content-type': type = '' } = headers as Record<string, string>;
    // The client uses the older scheme, which GitHub also takes.
    return {
      route,
      type: type.split(';', 1)[0],
      key: key.replace(/^token /, 'Bearer '),
      version: headers['x-github-api-version'],
      body,
    };
  };
  const client = ({ url }: FakeApi) => {
    const octokit = new Octokit({ auth: TOKEN, baseUrl: `${url}/api`, request: { retries: 0 } });
    octokit.hook.before('request', (options) => {
      options.headers['x-github-api-version'] = '2022-11-28';
    });
    return octokit.rest;
  };

  it('asks for the owner of a token as we do', async () => {
    const api = await fakeApi({ 'GET /api/user': found });
    await check(credentials, api.tools);
    await expectSame(api, request, () => client(api).users.getAuthenticated());
  });

  it('creates, changes and removes webhooks as we do', async () => {
    const api = await fakeApi({
      'POST /api/repos/octo/hello/hooks': made,
      'POST /api/orgs/octo-org/hooks': made,
      'PATCH /api/repos/octo/hello/hooks/42': found,
      'DELETE /api/repos/octo/hello/hooks/42': () => [204, ''],
    });
    const hook = { path: '/repos/octo/hello/hooks/42' };
    await register(credentials, api.tools);
    await register({ token: TOKEN, organization: 'octo-org' }, api.tools);
    await register(credentials, api.tools, hook);
    await github.unregister?.(credentials, { url: INGEST.url, hook }, api.tools);
    await expectSame(api, request, async () => {
      const { repos, orgs } = client(api);
      const config = {
        url: INGEST.url,
        content_type: 'json',
        secret: INGEST.secret,
        insecure_ssl: '0',
      };
      const settings = { active: true, events: ['*'], config };
      await repos.createWebhook({ ...octo, name: 'web', ...settings });
      await orgs.createWebhook({ org: 'octo-org', name: 'web', ...settings });
      await repos.updateWebhook({ ...octo, hook_id: 42, ...settings });
      await repos.deleteWebhook({ ...octo, hook_id: 42 });
    });
  });

  it('lists webhooks as we do', async () => {
    const api = await fakeApi({
      'GET /api/repos/octo/hello/hooks?per_page=100': () => [200, [], { 'content-type': 'application/json' }],
    });
    await github.unregister?.(credentials, { url: INGEST.url, hook: null }, api.tools);
    await expectSame(api, request, () => client(api).repos.listWebhooks({ ...octo, per_page: 100 }));
  });

  it('comments and opens issues as we do', async () => {
    const api = await fakeApi({
      'POST /api/repos/octo/hello/issues': made,
      'POST /api/repos/octo/hello/issues/12/comments': made,
    });
    for (const channel of ['octo/hello#12', 'octo/hello'])
      await github.notify?.({ credentials, config: { channel } }, notification, api.tools);
    const [{ body } = { body: null }] = api.calls;
    const text = body?.['body'] as string;
    await expectSame(api, request, async () => {
      const { issues } = client(api);
      await issues.createComment({ ...octo, issue_number: 12, body: text });
      await issues.create({ ...octo, title: 'Release v2 is out', body: text });
    });
  });
});
