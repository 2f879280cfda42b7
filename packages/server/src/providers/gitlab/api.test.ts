import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, it } from 'vitest';
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
import { isStamped } from '../signatures/stamp.ts';
import { gitlab } from './gitlab.ts';

const TOKEN = 'glpat-0123456789abcdefghij';
const URL = 'https://hub.example.com/v1/ingest/int_1';
const SIGNING_TOKEN = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const HOOKS = '/api/projects/acme%2Ftools%2Fweb/hooks';
const LIST = `GET ${HOOKS}?per_page=100`;
const FAILURES = failuresOf("GitLab's API");
const plain = { token: TOKEN, project: 'acme/tools/web', webhook_secret: 'ingest-secret' };
const signed = { token: TOKEN, project: 'acme/tools/web', signing_token: SIGNING_TOKEN };

const JSON_TYPE = { 'content-type': 'application/json' };
const json =
  (status: number, body: unknown): Route =>
  () => [status, body, JSON_TYPE];

const check = (credentials: Credentials, tools: ProviderTools) => gitlab.validate?.(credentials, tools);
const register = (credentials: Credentials, tools: ProviderTools, hook: Hook | null = null) => {
  const secret = credentials['signing_token'] ?? 'ingest-secret';
  return gitlab.register?.(credentials, { url: URL, secret, hook }, tools);
};
const remove = (credentials: Credentials, tools: ProviderTools, hook: Hook | null) =>
  gitlab.unregister?.(credentials, { url: URL, hook }, tools);
const notify = (tools: ProviderTools, channel?: string, credentials: Credentials = plain) =>
  gitlab.notify?.({ credentials, config: { channel } }, { trigger: 'push', text: 'v2\nis out, @all' }, tools);
const routes = ({ calls }: FakeApi) => calls.map(({ route }) => route);

/** Expects that GitLab's client makes the same requests as we did. It adds `v4` to the path by itself. */
const compare = (api: FakeApi, theirs: (client: Gitlab) => Promise<unknown>) =>
  expectSame(api, request, () => theirs(new Gitlab({ host: `${api.url}/other`, token: TOKEN })));

const request = ({ route, headers, body }: Call) => ({
  route: route.replace('/other/api/v4/', '/api/'),
  token: headers['private-token'],
  type: headers['content-type'],
  body,
});

/** The routes of an API, for us and for the client. */
const withClient = (known: Record<string, Route>): Record<string, Route> =>
  Object.fromEntries(
    Object.entries(known).flatMap(([route, response]) => [
      [route, response],
      [route.replace(' /api/', ' /other/api/v4/'), response],
    ]),
  );

describe('checking the token', () => {
  it('asks GitLab whose it is, as its client does', async () => {
    const api = await fakeApi(withClient({ 'GET /api/user': json(200, { username: 'ada' }) }));
    expect(await check(plain, api.tools)).toEqual({ ok: true });
    await compare(api, (client) => client.Users.showCurrentUser());
  });

  it.each<[number, unknown, RegExp]>([
    [401, { message: '401 Unauthorized' }, /was refused by GitLab: it is wrong, expired or revoked/],
    [
      403,
      { error: 'insufficient_scope', error_description: 'Needs more.' },
      /refused by GitLab: Needs more; it needs/,
    ],
    [403, { message: `403 Forbidden ${TOKEN}` }, /Forbidden \[token\]/],
    [404, { error: '404 Not Found' }, /is unknown to GitLab's API/],
  ])('explains a response of %i', async (status, body, issue) => {
    const { tools } = await fakeApi({ 'GET /api/user': json(status, body) });
    const detail = { field: 'credentials.token', issue: expect.stringMatching(issue) };
    expect(await check(plain, tools)).toEqual({ ok: false, detail });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, 'GET /api/user');
    await expectUnavailable(check(plain, tools), failure[2]);
  });

  it('passes on the wait that GitLab asks for', async () => {
    const { tools } = await fakeApi({
      'GET /api/user': () => [429, 'Retry later\n', { 'retry-after': '30' }],
    });
    expect(await expectUnavailable(check(plain, tools), 'responded with 429')).toMatchObject({
      retryAfterSeconds: 30,
    });
  });

  it('goes to the domain of the credentials, and never to a private address through it', async () => {
    const { tools } = await fakeApi({});
    const domain = 'gitlab.acme.example';
    expect(await check({ ...plain, domain }, tools)).toMatchObject({
      detail: { field: 'credentials.domain' },
    });
    const urls: string[] = [];
    const providerHttp: ProviderTools['providerHttp'] = ({ url, trusted = false }) => {
      urls.push(`${trusted} ${url}`);
      return Promise.resolve({ status: 200, headers: {}, body: '{}' });
    };
    const recording = { providerHttp, clock: () => NOW, apiUrl: undefined };
    await check({ ...plain, domain }, recording);
    await check(plain, recording);
    await check(plain, { ...recording, apiUrl: 'http://gitlab.internal/api/v4' });
    expect(urls).toEqual([
      'false https://gitlab.acme.example/api/v4/user',
      'false https://gitlab.com/api/v4/user',
      'true http://gitlab.internal/api/v4/user',
    ]);
    expect(gitlab.targets({ domain })).toEqual([
      { field: 'credentials.domain', url: 'https://gitlab.acme.example/api/v4' },
    ]);
  });
});

describe('registering the webhook', () => {
  const none = json(200, []);
  const made = json(201, { id: 42, url: URL });

  it('creates it at the project with our secret token, as its client does', async () => {
    const api = await fakeApi(withClient({ [LIST]: none, [`POST ${HOOKS}`]: made }));
    expect(await register(plain, api.tools)).toEqual({
      registered: true,
      hook: { path: '/projects/acme%2Ftools%2Fweb/hooks/42' },
      created: true,
    });
    const { url: _, ...options } = api.calls[1]?.body ?? {};
    expect(options).toMatchObject({
      token: 'ingest-secret',
      enable_ssl_verification: true,
      push_events: true,
    });
    expect(options).not.toHaveProperty('signing_token');
    await compare(api, async ({ ProjectHooks }) => {
      await ProjectHooks.all('acme/tools/web', { perPage: 100 });
      await ProjectHooks.add('acme/tools/web', URL, options);
    });
  });

  it('creates it at the group', async () => {
    const path = '/api/groups/acme%2Ftools/hooks';
    const { tools } = await fakeApi({ [`GET ${path}?per_page=100`]: none, [`POST ${path}`]: made });
    expect(await register({ token: TOKEN, group: 'acme/tools' }, tools)).toMatchObject({
      hook: { path: '/groups/acme%2Ftools/hooks/42' },
    });
  });

  it('creates it with the signing token, and takes it back where GitLab is too old to sign', async () => {
    const response = { id: 42, url: URL, signing_token_present: true };
    const signs = await fakeApi({ [LIST]: none, [`POST ${HOOKS}`]: json(201, response) });
    expect(await register(signed, signs.tools)).toMatchObject({ registered: true, created: true });
    expect(signs.calls[1]?.body).toMatchObject({ signing_token: SIGNING_TOKEN });
    expect(signs.calls[1]?.body).not.toHaveProperty('token');

    const old = await fakeApi({
      [LIST]: none,
      [`POST ${HOOKS}`]: made,
      [`DELETE ${HOOKS}/42`]: () => [204, ''],
    });
    expect(await register(signed, old.tools)).toEqual({
      registered: false,
      reason: expect.stringContaining('this GitLab does not sign its calls'),
    });
    expect(routes(old)).toEqual([LIST, `POST ${HOOKS}`, `DELETE ${HOOKS}/42`]);
  });

  it('gives a webhook its old secret back, even if the credentials are of the other kind', async () => {
    const hook = { path: '/projects/acme%2Ftools%2Fweb/hooks/42' };
    const api = await fakeApi({ [`PUT ${HOOKS}/42`]: json(200, { id: 42, signing_token_present: true }) });
    const restore = (credentials: Credentials, secret: string) =>
      gitlab.register?.(credentials, { url: URL, secret, hook }, api.tools);
    expect(await restore(signed, 'ingest-secret')).toMatchObject({ registered: true });
    expect(await restore(plain, SIGNING_TOKEN)).toMatchObject({ registered: true });
    expect(await restore({ ...plain, webhook_secret: SIGNING_TOKEN }, SIGNING_TOKEN)).toMatchObject({
      registered: true,
    });
    const proofs = api.calls.map(({ body }) => [body?.['token'], body?.['signing_token']]);
    expect(proofs).toEqual([
      ['ingest-secret', undefined],
      [undefined, SIGNING_TOKEN],
      [SIGNING_TOKEN, undefined],
    ]);
  });

  it('takes over the existing one rather than making a second, as its client does', async () => {
    const there = json(200, [null, { id: 1, url: 'https://else.example' }, { id: 9, url: URL }]);
    const api = await fakeApi(withClient({ [LIST]: there, [`PUT ${HOOKS}/9`]: json(200, { id: 9 }) }));
    expect(await register(plain, api.tools)).toEqual({
      registered: true,
      hook: { path: '/projects/acme%2Ftools%2Fweb/hooks/9' },
      created: false,
    });
    const { url: _, ...options } = api.calls[1]?.body ?? {};
    await compare(api, async ({ ProjectHooks }) => {
      await ProjectHooks.all('acme/tools/web', { perPage: 100 });
      await ProjectHooks.edit('acme/tools/web', 9, URL, options);
    });
  });

  it('changes the one that was registered before, or makes another when it is gone or elsewhere', async () => {
    const hook = { path: '/projects/acme%2Ftools%2Fweb/hooks/42' };
    const here = await fakeApi({ [`PUT ${HOOKS}/42`]: json(200, { id: 42 }) });
    expect(await register(plain, here.tools, hook)).toEqual({ registered: true, hook, created: false });
    const left = await fakeApi({ [LIST]: none, [`POST ${HOOKS}`]: json(201, { id: 43 }) });
    for (const known of [
      hook,
      { path: '/projects/other/hooks/42' },
      { ...hook, domain: 'gitlab.acme.example' },
    ])
      expect(await register(plain, left.tools, known)).toMatchObject({ registered: true, created: true });
    const made = [LIST, `POST ${HOOKS}`];
    expect(routes(left)).toEqual([`PUT ${HOOKS}/42`, ...made, ...made, ...made]);
  });

  it.each<[number, unknown, string]>([
    [401, { message: '401 Unauthorized' }, 'GitLab refused the token'],
    [403, { message: '403 Forbidden' }, 'needs the scope api and the role Maintainer'],
    [404, { message: '404 Project Not Found' }, 'GitLab does not know the project or group'],
    [422, { message: { url: ['is blocked: local'] } }, 'url: is blocked: local'],
    [400, { error: 'url is invalid' }, 'url is invalid'],
  ])('is left to a person after %i, with the reason', async (status, body, reason) => {
    for (const known of [
      { [LIST]: json(status, body) },
      { [LIST]: none, [`POST ${HOOKS}`]: json(status, body) },
    ]) {
      const { tools } = await fakeApi(known);
      expect(await register(plain, tools)).toEqual({
        registered: false,
        reason: expect.stringContaining(reason),
      });
    }
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, LIST);
    await expectUnavailable(register(plain, tools), failure[2]);
  });

  it.each([{}, { id: '../../user' }])('treats a webhook without an ID as no response: %j', async (body) => {
    const { tools } = await fakeApi({ [LIST]: none, [`POST ${HOOKS}`]: json(201, body) });
    await expectUnavailable(register(plain, tools), 'did not say which');
  });

  it('is not attempted without a project or a group', async () => {
    const api = await fakeApi({});
    expect(await register({ token: TOKEN }, api.tools)).toBeNull();
    expect(api.calls).toEqual([]);
  });
});

describe('removing the webhook', () => {
  const hook = { path: '/projects/acme%2Ftools%2Fweb/hooks/42' };

  it.each([204, 404])('is done after %i', async (status) => {
    const api = await fakeApi({ [`DELETE ${HOOKS}/42`]: () => [status, ''] });
    await remove({ token: TOKEN }, api.tools, hook);
    expect(routes(api)).toEqual([`DELETE ${HOOKS}/42`]);
  });

  it('finds a webhook of unknown ID by its URL', async () => {
    const api = await fakeApi({
      [LIST]: json(200, [{ id: 9, url: URL }]),
      [`DELETE ${HOOKS}/9`]: () => [204, ''],
    });
    await remove(plain, api.tools, null);
    await remove({ token: TOKEN }, api.tools, null);
    expect(routes(api)).toEqual([LIST, `DELETE ${HOOKS}/9`]);
  });

  it('throws when it failed', async () => {
    const no = json(403, { message: '403 Forbidden' });
    const { tools } = await fakeApi({ [`DELETE ${HOOKS}/42`]: no, [LIST]: no });
    await expect(remove(plain, tools, hook)).rejects.toThrow('GitLab responded with 403: Forbidden');
    await expect(remove(plain, tools, null)).rejects.toThrow('GitLab responded with 403');
    await expect(remove({ ...plain, domain: 'x.example' }, tools, hook)).rejects.toThrow('at another GitLab');
  });
});

describe('notifying', () => {
  const notes = (place: string) => `POST /api/projects/acme%2Fapi/${place}/notes`;

  it.each([
    ['acme/api#12', 'issues/12', 'IssueNotes', 12],
    ['acme/api!34', 'merge_requests/34', 'MergeRequestNotes', 34],
  ] as const)('comments on %s, as its client does', async (channel, place, resource, number) => {
    const api = await fakeApi(withClient({ [notes(place)]: json(201, { id: 1 }) }));
    expect(await notify(api.tools, channel)).toEqual({ ok: true, destination: channel });
    const text = api.calls[0]?.body?.['body'] as string;
    expect(text).toMatch(/^v2\nis out, @\u200Ball\n/);
    expect(isStamped(text, 'ingest-secret')).toBe(true);
    await compare(api, (client) => client[resource].create('acme/api', number, text));
  });

  it('commands nothing: GitLab would do what a line such as /close says', async () => {
    const { calls, tools } = await fakeApi({ [notes('issues/12')]: json(201, { id: 1 }) });
    const connection = { credentials: plain, config: { channel: 'acme/api#12' } };
    await gitlab.notify?.(connection, { trigger: 'push', text: '/close (slack)\n/usr/bin' }, tools);
    expect(calls[0]?.body?.['body']).toMatch(/^\/\u200Bclose \(slack\)\n\/usr\/bin/);
  });

  it('opens an issue, as its client does', async () => {
    const api = await fakeApi(withClient({ 'POST /api/projects/acme%2Fapi/issues': json(201, { iid: 77 }) }));
    expect(await notify(api.tools, 'acme/api')).toEqual({ ok: true, destination: 'acme/api#77' });
    const description = api.calls[0]?.body?.['description'] as string;
    expect(api.calls[0]?.body).toEqual({ title: 'v2', description });
    await compare(api, ({ Issues }) => Issues.create('acme/api', 'v2', { description }));
  });

  it('falls back to the project of the credentials', async () => {
    const place = 'POST /api/projects/acme%2Ftools%2Fweb';
    const { tools } = await fakeApi({
      [`${place}/issues`]: json(201, { iid: 1 }),
      [`${place}/merge_requests/3/notes`]: json(201, {}),
    });
    expect(await notify(tools)).toEqual({ ok: true, destination: 'acme/tools/web#1' });
    expect(await notify(tools, '!3')).toEqual({ ok: true, destination: 'acme/tools/web!3' });
  });

  it.each(['', '#general', 'acme', 'acme/web#0', 'acme/web#1/../x', 'a b/c', '../x?y#1'])(
    'refuses the channel %j without a call',
    async (channel) => {
      const api = await fakeApi({});
      const { project: _, ...homeless } = plain;
      const error = expect.stringContaining('config.channel must be group/project#12');
      expect(await notify(api.tools, channel, homeless)).toMatchObject({ ok: false, refused: null, error });
      expect(api.calls).toEqual([]);
    },
  );

  it.each<[number, unknown, string, string]>([
    [401, { message: '401 Unauthorized' }, 'GitLab responded with 401: Unauthorized', 'credentials'],
    [403, { error: 'insufficient_scope' }, 'GitLab responded with 403: insufficient_scope', 'credentials'],
    [404, { message: '404 Issue Not Found' }, 'GitLab responded with 404: Issue Not Found', 'destination'],
  ])('passes on the reason of %i', async (status, body, error, refused) => {
    const { tools } = await fakeApi({ [notes('issues/12')]: json(status, body) });
    expect(await notify(tools, 'acme/api#12')).toEqual({
      ok: false,
      destination: 'acme/api#12',
      error,
      refused,
    });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, notes('issues/12'));
    await expectUnavailable(notify(tools, 'acme/api#12'), failure[2]);
  });
});
