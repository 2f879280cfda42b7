import { createCloudClient } from 'jira.js/cloud';
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
import { plainText } from './adf.ts';
import { jira } from './jira.ts';
import { isOwnText } from './ingest/own.ts';

const KEY = 'ATATT3x0123456789';
const URL = 'https://hub.example.com/v1/ingest/int_1';
const MYSELF = 'GET /api/rest/api/3/myself';
const HOOKS = '/api/rest/webhooks/1.0/webhook';
const domain = 'acme.atlassian.net';
const admin = { email: 'ada@example.com', api_key: KEY, domain, webhook_secret: 'ingest-secret' };
const app = { email: 'ada@example.com', api_key: KEY, domain, client_secret: 'app-secret' };

// Jira responds with 404 and a page when a site does not exist.
const FAILURES = failuresOf("Jira's API").filter(([what]) => what !== 'a page that was not found');

const json =
  (status: number, body: unknown): Route =>
  () => [status, body, { 'content-type': 'application/json' }];
const self = (id: number) => `https://${domain}/rest/webhooks/1.0/webhook/${id}`;
const path = (id: number) => `/rest/webhooks/1.0/webhook/${id}`;

const check = (credentials: Credentials, tools: ProviderTools) => jira.validate?.(credentials, tools);
const register = (credentials: Credentials, tools: ProviderTools, hook: Hook | null = null) =>
  jira.register?.(credentials, { url: URL, secret: 'ingest-secret', hook }, tools);
const remove = (credentials: Credentials, tools: ProviderTools, hook: Hook | null) =>
  jira.unregister?.(credentials, { url: URL, hook }, tools);
const notify = (tools: ProviderTools, channel?: string, credentials: Credentials = admin) =>
  jira.notify?.({ credentials, config: { channel } }, { trigger: 'push', text: 'v2\nis out\n\nNow.' }, tools);
const routes = ({ calls }: FakeApi) => calls.map(({ route }) => route);

type Client = ReturnType<typeof createCloudClient>;

/** Expects that a client of Jira Cloud makes the same requests as we did. */
function compare(api: FakeApi, theirs: (client: Client) => Promise<unknown>): Promise<void> {
  const auth = { type: 'basic', email: admin.email, apiToken: KEY } as const;
  // The client gets our fake's responses, which are shorter than Jira's.
  const client = createCloudClient({ host: `${api.url}/api`, auth, onSchemaMismatch: () => undefined });
  return expectSame(api, request, () => theirs(client));
}

const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  accept: headers['accept'],
  type: headers['content-type'],
  body,
});

describe('checking the token', () => {
  it('asks Jira whose it is, as a client does', async () => {
    const api = await fakeApi({ [MYSELF]: json(200, { accountId: 'a1' }) });
    expect(await check(admin, api.tools)).toEqual({ ok: true });
    await compare(api, ({ myself }) => myself.getCurrentUser());
  });

  it.each<[number, unknown, string, RegExp]>([
    [
      401,
      'Client must be authenticated to access this resource.',
      'api_key',
      /it is wrong or revoked, or belongs to another/,
    ],
    [
      401,
      { message: 'Unauthorized', 'status-code': 401 },
      'api_key',
      /it is wrong or revoked, or belongs to another/,
    ],
    [403, { errorMessages: [`Not ${KEY}.`] }, 'api_key', /by Jira: Not \[token\]; the account may not/],
    [403, 'Forbidden', 'api_key', /by Jira: Forbidden; the account/],
    [404, '<html>Page unavailable</html>', 'domain', /must name a Jira site/],
    [404, { errorMessages: ['null for uri'] }, 'domain', /must name a Jira site/],
  ])('explains a response of %i %j', async (status, body, field, issue) => {
    const { tools } = await fakeApi({ [MYSELF]: () => [status, body] });
    const detail = { field: `credentials.${field}`, issue: expect.stringMatching(issue) };
    expect(await check(admin, tools)).toEqual({ ok: false, detail });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, MYSELF);
    await expectUnavailable(check(admin, tools), failure[2]);
  });

  it.each([401, 403])('treats a foreign page as no response, even with status %i', async (status) => {
    const { tools } = await fakeApi({ [MYSELF]: () => [status, '<html>Log in to the Wi-Fi</html>'] });
    await expectUnavailable(check(admin, tools), 'a body that is not JSON');
  });

  it('passes on the wait that Jira asks for', async () => {
    const { tools } = await fakeApi({ [MYSELF]: () => [429, '', { 'retry-after': '30' }] });
    expect(await expectUnavailable(check(admin, tools), 'responded with 429')).toMatchObject({
      retryAfterSeconds: 30,
    });
  });

  it('goes to the site of the credentials, and to another only if the operator names it', async () => {
    const urls: string[] = [];
    const providerHttp: ProviderTools['providerHttp'] = ({ url, trusted = false }) => {
      urls.push(`${trusted} ${url}`);
      return Promise.resolve({ status: 200, headers: {}, body: '{}' });
    };
    await check(admin, { providerHttp, clock: () => NOW, apiUrl: undefined });
    await check(admin, { providerHttp, clock: () => NOW, apiUrl: 'http://proxy.internal/jira/' });
    expect(urls).toEqual([
      'false https://acme.atlassian.net/rest/api/3/myself',
      'true http://proxy.internal/jira/rest/api/3/myself',
    ]);
    const { tools } = await fakeApi({});
    expect(await check(admin, { ...tools, apiUrl: undefined })).toMatchObject({
      detail: { field: 'credentials.domain', issue: 'must point to a public address' },
    });
  });
});

describe('registering the webhook', () => {
  const none = json(200, []);

  it('creates that of an administrator, signed, for all events of the site', async () => {
    const api = await fakeApi({ [`GET ${HOOKS}`]: none, [`POST ${HOOKS}`]: json(201, { self: self(72) }) });
    expect(await register(admin, api.tools)).toEqual({
      registered: true,
      hook: { path: path(72), domain },
      created: true,
    });
    expect(api.calls[1]?.body).toMatchObject({
      name: 'Hubline',
      url: URL,
      secret: 'ingest-secret',
      excludeBody: false,
      events: expect.arrayContaining(['jira:issue_created', 'comment_created', 'sprint_started']),
      filters: { 'issue-related-events-section': '' },
    });
  });

  it('creates it for one project, and then only for events about issues', async () => {
    const api = await fakeApi({ [`GET ${HOOKS}`]: none, [`POST ${HOOKS}`]: json(201, { self: self(72) }) });
    await register({ ...admin, project: 'OPS' }, api.tools);
    const body = api.calls[1]?.body;
    expect(body).toMatchObject({ filters: { 'issue-related-events-section': 'project = "OPS"' } });
    expect(body?.['events']).not.toContain('sprint_started');
  });

  it('takes over the existing one rather than making a second', async () => {
    const there = json(200, [
      { self: self(1), url: 'https://else.example' },
      { self: self(9), url: URL },
    ]);
    const api = await fakeApi({ [`GET ${HOOKS}`]: there, [`PUT ${HOOKS}/9`]: json(200, {}) });
    expect(await register(admin, api.tools)).toMatchObject({ hook: { path: path(9) }, created: false });
    expect(api.calls[1]?.body).toMatchObject({ secret: 'ingest-secret', enabled: true });
  });

  it('changes the one that was registered before, or makes another when it is gone or elsewhere', async () => {
    const hook = { path: path(72), domain };
    const here = await fakeApi({ [`PUT ${HOOKS}/72`]: json(200, {}) });
    expect(await register(admin, here.tools, hook)).toEqual({ registered: true, hook, created: false });
    const left = await fakeApi({ [`GET ${HOOKS}`]: none, [`POST ${HOOKS}`]: json(201, { self: self(73) }) });
    for (const known of [hook, { ...hook, domain: 'else.atlassian.net' }])
      expect(await register(admin, left.tools, known)).toMatchObject({
        hook: { path: path(73) },
        created: true,
      });
    const made = [`GET ${HOOKS}`, `POST ${HOOKS}`];
    expect(routes(left)).toEqual([`PUT ${HOOKS}/72`, ...made, ...made]);
  });

  it.each<[number, unknown, string]>([
    [401, 'Client must be authenticated', 'Jira refused the API token'],
    [403, { message: 'No' }, 'it needs the permission Administer Jira'],
    [400, { errors: { url: 'must be https.' } }, 'url: must be https'],
    [409, { errorMessages: ['A', 'B'] }, 'A; B'],
  ])('is left to a person after %i, with the reason', async (status, body, reason) => {
    const no: Route = () => [status, body];
    for (const known of [{ [`GET ${HOOKS}`]: no }, { [`GET ${HOOKS}`]: none, [`POST ${HOOKS}`]: no }]) {
      const { tools } = await fakeApi(known);
      expect(await register(admin, tools)).toEqual({
        registered: false,
        reason: expect.stringContaining(reason),
      });
    }
  });

  it('is left to the app that the webhooks belong to', async () => {
    const api = await fakeApi({});
    expect(await register(app, api.tools)).toBeNull();
    expect(await register(app, api.tools, { path: path(72), domain })).toEqual({
      registered: false,
      reason: expect.stringContaining('an app registers its own webhooks'),
    });
    await remove(app, api.tools, null);
    expect(api.calls).toEqual([]);
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, `GET ${HOOKS}`);
    await expectUnavailable(register(admin, tools), failure[2]);
  });

  it.each([{}, { self: 'https://x/../../user' }])(
    'treats a webhook without an ID as no response: %j',
    async (body) => {
      const { tools } = await fakeApi({ [`GET ${HOOKS}`]: none, [`POST ${HOOKS}`]: json(201, body) });
      await expectUnavailable(register(admin, tools), 'did not say which');
    },
  );
});

describe('removing the webhook', () => {
  const hook = { path: path(72), domain };

  it.each([204, 404])('is done after %i', async (status) => {
    const api = await fakeApi({ [`DELETE ${HOOKS}/72`]: () => [status, ''] });
    await remove(admin, api.tools, hook);
    expect(routes(api)).toEqual([`DELETE ${HOOKS}/72`]);
  });

  it('finds a webhook of unknown ID by its URL', async () => {
    const listed = json(200, [{ self: self(9), url: URL }]);
    const api = await fakeApi({ [`GET ${HOOKS}`]: listed, [`DELETE ${HOOKS}/9`]: () => [204, ''] });
    await remove(admin, api.tools, null);
    expect(routes(api)).toEqual([`GET ${HOOKS}`, `DELETE ${HOOKS}/9`]);
  });

  it('throws when it failed', async () => {
    const no = json(403, { message: 'Not you' });
    const { tools } = await fakeApi({ [`DELETE ${HOOKS}/72`]: no, [`GET ${HOOKS}`]: no });
    await expect(remove(admin, tools, hook)).rejects.toThrow('Jira responded with 403: Not you');
    await expect(remove(admin, tools, null)).rejects.toThrow('Jira responded with 403: Not you');
    await expect(remove({ ...admin, domain: 'x.example' }, tools, hook)).rejects.toThrow(
      'at another Jira site',
    );
  });
});

describe('notifying', () => {
  it('cuts a text that is too long for Jira, before its last line', async () => {
    const { calls, tools } = await fakeApi({
      'POST /api/rest/api/3/issue/OPS-7/comment': json(201, { id: '1' }),
    });
    const text = 'x'.repeat(65_536);
    const connection = { credentials: admin, config: { channel: 'OPS-7' } };
    expect(await jira.notify?.(connection, { trigger: 'push', text }, tools)).toMatchObject({ ok: true });
    const written = plainText(calls[0]?.body?.['body']) ?? '';
    expect(written.length).toBeLessThanOrEqual(32_767);
    expect(written).toMatch(/x… Sent by Hubline: [\da-f]{32}$/);
  });

  const COMMENT = 'POST /api/rest/api/3/issue/OPS-7/comment';
  const ISSUE = 'POST /api/rest/api/3/issue';

  it('comments on an issue with a document that is recognized later, as a client does', async () => {
    const api = await fakeApi({ [COMMENT]: json(201, { id: '1' }) });
    expect(await notify(api.tools, 'OPS-7')).toEqual({ ok: true, destination: 'OPS-7' });
    const document = api.calls[0]?.body?.['body'];
    const line = expect.stringMatching(/^Sent by Hubline: [\da-f]{32}$/);
    expect(document).toEqual({
      type: 'doc',
      version: 1,
      content: [
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'v2' }, { type: 'hardBreak' }, { type: 'text', text: 'is out' }],
        },
        { type: 'paragraph', content: [{ type: 'text', text: 'Now.' }] },
        { type: 'paragraph', content: [{ type: 'text', text: line }] },
      ],
    });
    expect(isOwnText(plainText(document), 'ingest-secret')).toBe(true);
    type Body = Parameters<Client['issueComments']['addComment']>[0]['body'];
    await compare(api, ({ issueComments }) =>
      issueComments.addComment({ issueIdOrKey: 'OPS-7', body: document as Body }),
    );
  });

  it('opens a task in the project of the channel or of the credentials, as a client does', async () => {
    const api = await fakeApi({ [ISSUE]: json(201, { id: '1', key: 'OPS-8', self: 'x' }) });
    expect(await notify(api.tools, 'OPS')).toEqual({ ok: true, destination: 'OPS-8' });
    const fields = api.calls[0]?.body?.['fields'];
    expect(fields).toMatchObject({ project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'v2' });
    type Fields = Parameters<Client['issues']['createIssue']>[0]['fields'];
    await compare(api, ({ issues }) => issues.createIssue({ fields: fields as Fields }));
    expect(await notify(api.tools, undefined, { ...admin, project: 'OPS' })).toMatchObject({ ok: true });
  });

  it.each([undefined, '', '#general', 'ops-7', 'OPS-0', 'OPS-7/x', 'OPS 7'])(
    'refuses the channel %j without a call',
    async (channel) => {
      const api = await fakeApi({});
      const error = expect.stringContaining('config.channel must be OPS-123');
      expect(await notify(api.tools, channel)).toMatchObject({ ok: false, refused: null, error });
      expect(api.calls).toEqual([]);
    },
  );

  it.each<[number, unknown, string, string]>([
    [
      401,
      'Client must be authenticated.',
      'Jira responded with 401: Client must be authenticated',
      'credentials',
    ],
    [403, '', 'Jira responded with 403', 'credentials'],
    [
      404,
      { errorMessages: ['Issue does not exist.'] },
      'Jira responded with 404: Issue does not exist',
      'destination',
    ],
    [
      400,
      { errors: { issuetype: 'is invalid' } },
      'Jira responded with 400: issuetype: is invalid',
      'destination',
    ],
  ])('passes on the reason of %i', async (status, body, error, refused) => {
    const { tools } = await fakeApi({ [COMMENT]: () => [status, body] });
    expect(await notify(tools, 'OPS-7')).toEqual({ ok: false, destination: 'OPS-7', error, refused });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, COMMENT);
    await expectUnavailable(notify(tools, 'OPS-7'), failure[2]);
  });
});
