import { LinearClient } from '@linear/sdk';
import { describe, expect, it } from 'vitest';
import { expectUnavailable, failingApi, failuresOf, fakeApi, NOW, type Route } from '../fake-api.fixture.ts';
import type { Credentials, Hook, ProviderTools } from '../provider.ts';
import { linear } from './linear.ts';
import { isOwnId } from './ingest/own.ts';

const KEY = 'lin_api_0123456789';
const credentials = { api_key: KEY, webhook_secret: 'ingest-secret' };
const URL = 'https://hub.example.com/v1/ingest/int_1';
const GRAPHQL = 'POST /api/graphql';
const FAILURES = failuresOf("Linear's API");

type Variables = Record<string, Record<string, unknown>>;
type FakeResponse = Record<string, unknown> | ReturnType<Route>;

/** Linear's GraphQL API, which responds by the first field of a query. */
async function fakeLinear(fields: Record<string, (variables: Variables) => FakeResponse>) {
  const asked: [field: string, variables: Variables][] = [];
  const api = await fakeApi({
    [GRAPHQL]({ body }) {
      const { query, variables } = body as { query: string; variables: Variables };
      const field = /\{\s*(\w+)/.exec(query)?.[1] ?? '';
      asked.push([field, variables]);
      const response = fields[field]?.(variables) ?? { [field]: null };
      return Array.isArray(response)
        ? response
        : [200, { data: response }, { 'content-type': 'application/json' }];
    },
  });
  return { ...api, asked, fields: () => asked.map(([field]) => field) };
}

const error = (type: string, message = 'No.', status = 200): FakeResponse => [
  status,
  { errors: [{ message: 'internal words', extensions: { type, userPresentableMessage: message } }] },
];

const check = (given: Credentials, tools: ProviderTools) => linear.validate?.(given, tools);
const register = (given: Credentials, tools: ProviderTools, hook: Hook | null = null) =>
  linear.register?.(given, { url: URL, secret: 'ingest-secret', hook }, tools);
const remove = (given: Credentials, tools: ProviderTools, hook: Hook | null) =>
  linear.unregister?.(given, { url: URL, hook }, tools);
const notify = (tools: ProviderTools, channel?: string, given: Credentials = credentials) =>
  linear.notify?.(
    { credentials: given, config: { channel } },
    { trigger: 'push', text: 'v2\nis [out](https://x.example)' },
    tools,
  );

const viewer = () => ({ viewer: { id: 'u1' }, organization: { id: 'o1' } });
const teams = ({ key }: Variables) => ({
  teams: { nodes: key === ('ENG' as unknown) ? [{ id: 't1' }] : [] },
});

describe('checking the key', () => {
  it('asks Linear whose it is, without Bearer, as its own client does', async () => {
    const api = await fakeLinear({ viewer });
    expect(await check(credentials, api.tools)).toEqual({ ok: true });
    await new LinearClient({ apiKey: KEY, apiUrl: `${api.url}/api/graphql` }).viewer;
    const [ours, theirs] = api.calls;
    for (const name of ['authorization', 'content-type'])
      expect(ours?.headers[name]).toBe(theirs?.headers[name]);
    expect([ours?.route, api.fields()]).toEqual([theirs?.route, ['viewer', 'viewer']]);
  });

  it.each<[FakeResponse, RegExp]>([
    [error('authentication error', 'You need to authenticate.', 401), /was refused by Linear: it is wrong/],
    [error('authentication error'), /was refused by Linear: it is wrong/],
    [[401, { error: 'unauthorized' }], /was refused by Linear: it is wrong/],
    [error('forbidden', `Not you, ${KEY}.`, 403), /was refused by Linear: Not you, \[token\]; check/],
  ])('explains %j', async (response, issue) => {
    const { tools } = await fakeLinear({ viewer: () => response });
    const detail = { field: 'credentials.api_key', issue: expect.stringMatching(issue) };
    expect(await check(credentials, tools)).toEqual({ ok: false, detail });
  });

  it('looks for the team', async () => {
    const { tools } = await fakeLinear({ viewer, teams });
    expect(await check({ ...credentials, team: 'ENG' }, tools)).toEqual({ ok: true });
    expect(await check({ ...credentials, team: 'OPS' }, tools)).toMatchObject({
      detail: { field: 'credentials.team' },
    });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, GRAPHQL);
    await expectUnavailable(check(credentials, tools), failure[2]);
  });

  it.each<[FakeResponse, string, number]>([
    [error('ratelimited', 'Slow down', 400), 'limits this key: Slow down', 60],
    [[400, { errors: [{ extensions: { code: 'RATELIMITED' } }] }, { 'retry-after': '7' }], 'limits', 7],
    [
      [
        400,
        { errors: [{ extensions: { code: 'RATELIMITED' } }] },
        { 'x-ratelimit-requests-reset': String(NOW.getTime() + 29_500) },
      ],
      'limits',
      30,
    ],
    [
      [400, { errors: [{ extensions: { code: 'RATELIMITED' } }] }, { 'x-ratelimit-requests-reset': '1e300' }],
      'limits',
      3_600,
    ],
    [[429, {}, { 'retry-after': '30' }], 'responded with 429', 30],
    [error('internal error', 'Oops'), 'failed: Oops', 2],
    [[200, { data: null }], 'and no data', 2],
    [[400, []], 'and no data', 2],
    [{ viewer: null }, 'did not say whose', 2],
  ])('asks for a retry after %j', async (response, message, seconds) => {
    const { tools } = await fakeLinear({ viewer: () => response });
    const thrown = await expectUnavailable(check(credentials, tools), message);
    expect(thrown.retryAfterSeconds).toBe(seconds);
  });

  it('asks linear.app unless the operator names another address', async () => {
    const urls: string[] = [];
    const providerHttp: ProviderTools['providerHttp'] = ({ url, trusted = false }) => {
      urls.push(`${trusted} ${url}`);
      return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ data: viewer() }) });
    };
    await check(credentials, { providerHttp, clock: () => NOW, apiUrl: undefined });
    await check(credentials, { providerHttp, clock: () => NOW, apiUrl: 'http://proxy.internal/linear/' });
    expect(urls).toEqual([
      'false https://api.linear.app/graphql',
      'true http://proxy.internal/linear/graphql',
    ]);
  });
});

describe('registering the webhook', () => {
  const none = () => ({ webhooks: { nodes: [] } });
  const created = () => ({ webhookCreate: { success: true, webhook: { id: 'w1' } } });
  const updated = () => ({ webhookUpdate: { success: true } });

  it('creates one for all public teams that signs with our secret, as its own client does', async () => {
    const api = await fakeLinear({ webhooks: none, webhookCreate: created });
    expect(await register(credentials, api.tools)).toEqual({
      registered: true,
      hook: { id: 'w1' },
      created: true,
    });
    const [, [, variables] = ['', {}]] = api.asked;
    expect(variables['input']).toMatchObject({
      url: URL,
      secret: 'ingest-secret',
      allPublicTeams: true,
      enabled: true,
    });
    const client = new LinearClient({ apiKey: KEY, apiUrl: `${api.url}/api/graphql` });
    await client.createWebhook(variables['input'] as unknown as Parameters<typeof client.createWebhook>[0]);
    expect(api.asked[2]).toEqual(api.asked[1]);
  });

  it('creates one for a team', async () => {
    const { tools, asked } = await fakeLinear({ webhooks: none, webhookCreate: created });
    expect(await register({ ...credentials, team: 'ENG' }, tools)).toMatchObject({
      hook: { id: 'w1', team: 'ENG' },
    });
    expect(asked[1]?.[1]['input']).toMatchObject({ teamId: 'ENG' });
    expect(asked[1]?.[1]['input']).not.toHaveProperty('allPublicTeams');
  });

  it('takes over the existing one rather than making a second', async () => {
    const nodes = [
      null,
      { id: 'w8', url: 'https://else.example' },
      { id: 'w7', url: URL, team: { key: 'ENG' } },
      { id: 'w9', url: URL, team: null },
    ];
    const { tools, asked, fields } = await fakeLinear({
      webhooks: () => ({ webhooks: { nodes } }),
      webhookUpdate: updated,
    });
    expect(await register(credentials, tools)).toEqual({
      registered: true,
      hook: { id: 'w9' },
      created: false,
    });
    expect(fields()).toEqual(['webhooks', 'webhookUpdate']);
    expect(asked[1]?.[1]).toMatchObject({ id: 'w9', input: { secret: 'ingest-secret', enabled: true } });
    expect(await register({ ...credentials, team: 'ENG' }, tools)).toMatchObject({
      hook: { id: 'w7' },
      created: false,
    });
  });

  it('changes the one that was registered before, or creates another when it is gone or of another team', async () => {
    const gone = () => error('invalid input', 'Entity not found: Webhook', 400);
    const here = await fakeLinear({ webhookUpdate: updated });
    expect(await register(credentials, here.tools, { id: 'w1' })).toMatchObject({
      hook: { id: 'w1' },
      created: false,
    });
    expect(here.fields()).toEqual(['webhookUpdate']);
    const left = await fakeLinear({ webhookUpdate: gone, webhooks: none, webhookCreate: created });
    expect(await register(credentials, left.tools, { id: 'w0' })).toMatchObject({
      hook: { id: 'w1' },
      created: true,
    });
    expect(await register({ ...credentials, team: 'ENG' }, left.tools, { id: 'w0' })).toMatchObject({
      created: true,
    });
    expect(left.fields()).toEqual(['webhookUpdate', 'webhookCreate', 'webhooks', 'webhookCreate']);
  });

  it.each<[FakeResponse, string]>([
    [error('authentication error', 'No', 401), 'Linear refused the API key'],
    [error('forbidden', 'No', 403), 'its owner must be an admin of the workspace'],
    [error('invalid input', 'url must be https.'), 'url must be https'],
  ])('is left to a person after %j, with the reason', async (response, reason) => {
    for (const fields of [{ webhooks: () => response }, { webhooks: none, webhookCreate: () => response }]) {
      const { tools } = await fakeLinear(fields);
      expect(await register(credentials, tools)).toEqual({
        registered: false,
        reason: expect.stringContaining(reason),
      });
    }
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, GRAPHQL);
    await expectUnavailable(register(credentials, tools), failure[2]);
  });

  it('treats a webhook without an ID as no response', async () => {
    const { tools } = await fakeLinear({ webhooks: none, webhookCreate: () => ({ webhookCreate: {} }) });
    await expectUnavailable(register(credentials, tools), 'did not say which');
  });
});

describe('removing the webhook', () => {
  const deleted = () => ({ webhookDelete: { success: true } });

  it('is done by its ID, as its own client does, or by its URL', async () => {
    const api = await fakeLinear({
      webhookDelete: deleted,
      webhooks: () => ({ webhooks: { nodes: [{ id: 'w9', url: URL, team: null }] } }),
    });
    await remove(credentials, api.tools, { id: 'w1' });
    await new LinearClient({ apiKey: KEY, apiUrl: `${api.url}/api/graphql` }).deleteWebhook('w1');
    expect(api.asked[1]).toEqual(api.asked[0]);
    await remove(credentials, api.tools, null);
    expect(api.asked.at(-1)).toEqual(['webhookDelete', { id: 'w9' }]);
  });

  it('is done when it is gone', async () => {
    const { tools } = await fakeLinear({
      webhookDelete: () => error('invalid input', 'Entity not found: Webhook'),
      webhooks: () => ({ webhooks: { nodes: [] } }),
    });
    await remove(credentials, tools, { id: 'w1' });
    await remove(credentials, tools, null);
  });

  it('throws when it failed', async () => {
    const no = () => error('forbidden', 'Not you');
    const { tools } = await fakeLinear({ webhookDelete: no, webhooks: no });
    await expect(remove(credentials, tools, { id: 'w1' })).rejects.toThrow('Linear refused: Not you');
    await expect(remove(credentials, tools, null)).rejects.toThrow('Linear refused: Not you');
  });
});

describe('notifying', () => {
  it('comments on an issue under an ID that is recognized later, as its own client does', async () => {
    const commentCreate = () => ({ commentCreate: { success: true, comment: { id: 'c' } } });
    const api = await fakeLinear({ commentCreate });
    expect(await notify(api.tools, 'ENG-7')).toEqual({ ok: true, destination: 'ENG-7' });
    const input = api.asked[0]?.[1]['input'] ?? {};
    expect(input).toEqual({
      id: expect.any(String),
      issueId: 'ENG-7',
      body: 'v2\nis [out]\u200B(https://x.example)',
    });
    expect(isOwnId(input['id'], 'ingest-secret')).toBe(true);
    await new LinearClient({ apiKey: KEY, apiUrl: `${api.url}/api/graphql` }).createComment(input);
    expect(api.asked[1]).toEqual(api.asked[0]);
  });

  it('opens an issue in the team of the channel or of the credentials', async () => {
    const issueCreate = () => ({ issueCreate: { success: true, issue: { identifier: 'ENG-8' } } });
    const { tools, asked } = await fakeLinear({ teams, issueCreate });
    expect(await notify(tools, 'ENG')).toEqual({ ok: true, destination: 'ENG-8' });
    expect(asked[1]?.[1]['input']).toMatchObject({
      teamId: 't1',
      title: 'v2',
      description: 'v2\nis [out]\u200B(https://x.example)',
    });
    expect(await notify(tools, undefined, { ...credentials, team: 'ENG' })).toMatchObject({ ok: true });
    expect(await notify(tools, 'OPS')).toEqual({
      ok: false,
      destination: 'OPS',
      error: 'Linear refused: there is no team OPS',
      refused: 'destination',
    });
  });

  it('says that the key is refused, and not that there is no team', async () => {
    const { tools } = await fakeLinear({
      viewer,
      teams: () => error('authentication error', 'Revoked', 401),
    });
    expect(await notify(tools, 'ENG')).toMatchObject({
      ok: false,
      error: 'Linear refused: Revoked',
      refused: 'credentials',
    });
    expect(await check({ ...credentials, team: 'ENG' }, tools)).toMatchObject({
      detail: { field: 'credentials.api_key' },
    });
  });

  it('reports a failure when Linear has done nothing', async () => {
    const { tools } = await fakeLinear({ commentCreate: () => ({ commentCreate: { success: false } }) });
    expect(await notify(tools, 'ENG-7')).toMatchObject({
      ok: false,
      error: 'Linear refused: it reported no success',
    });
  });

  it.each([undefined, '', '#general', 'eng-7', 'ENG-0', 'ENG-7/x', 'ENG 7'])(
    'refuses the channel %j without a call',
    async (channel) => {
      const { tools, calls } = await fakeLinear({});
      expect(await notify(tools, channel)).toMatchObject({
        ok: false,
        refused: null,
        error: expect.stringContaining('config.channel must be ENG-123'),
      });
      expect(calls).toEqual([]);
    },
  );

  it.each<[FakeResponse, string]>([
    [error('authentication error', 'No key.', 401), 'credentials'],
    [error('forbidden', 'Read only.'), 'credentials'],
    [error('invalid input', 'Entity not found: Issue.', 400), 'destination'],
  ])('passes on the reason of %j', async (response, refused) => {
    const { tools } = await fakeLinear({ commentCreate: () => response });
    const result = await notify(tools, 'ENG-7');
    expect(result).toMatchObject({ ok: false, destination: 'ENG-7', refused });
    expect(result).toMatchObject({ error: expect.stringMatching(/^Linear refused: .*[^.]$/) });
  });

  it.each(FAILURES)('treats %s as no response', async (...failure) => {
    const { tools } = await failingApi(failure, GRAPHQL);
    await expectUnavailable(notify(tools, 'ENG-7'), failure[2]);
  });
});
