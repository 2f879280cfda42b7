import { Client } from '@notionhq/client';
import { describe, expect, it } from 'vitest';
import { refresh } from '../oauth/grant.ts';
import { notion } from './notion.ts';
import { notionOAuth } from './oauth.ts';
import {
  type Call,
  expectUnavailable,
  failingApi,
  failuresOf,
  fakeApi,
  type Route,
} from '../fake-api.fixture.ts';
import type { ProviderTools } from '../provider.ts';

const TOKEN = 'ntn_0123456789abcdef';
const CREDENTIALS = { token: TOKEN };
const PAGE = '337e31d64eb980fab299c93680d85322';
const ME = 'GET /api/v1/users/me';
const COMMENT = 'POST /api/v1/comments';

const check = (tools: ProviderTools) => notion.validate?.(CREDENTIALS, tools);
const notify = (tools: ProviderTools, channel = PAGE, text = 'v2 is out') =>
  notion.notify?.(
    { credentials: CREDENTIALS, config: { channel } },
    { trigger: 'event.created', text },
    tools,
  );

/** A request as far as Notion reads it. */
const essence = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  version: headers['notion-version'],
  type: headers['content-type'],
  body,
});

it("sends what Notion's own client sends", async () => {
  const { calls, tools, url } = await fakeApi({
    [ME]: () => [200, { object: 'user', type: 'bot', id: 'bot-1' }],
    [COMMENT]: () => [200, { object: 'comment', id: '1' }],
  });
  expect(await check(tools)).toEqual({ ok: true, credentials: { bot_id: 'bot-1' } });
  expect(await notify(tools)).toEqual({ ok: true, destination: PAGE });
  const client = new Client({ auth: TOKEN, baseUrl: `${url}/api` });
  await client.users.me({});
  await client.comments.create({
    parent: { page_id: PAGE },
    rich_text: [{ type: 'text', text: { content: 'v2 is out' } }],
  });
  const [asked, commented, theirAsked, theirCommented] = calls.map(essence);
  expect([asked, commented]).toEqual([theirAsked, theirCommented]);
});

describe('checking the token', () => {
  it.each<[number, object, string]>([
    [401, { code: 'unauthorized', message: 'API token is invalid.' }, 'it is wrong, or was replaced'],
    [403, { code: 'restricted_resource', message: `No: ${TOKEN}.` }, 'No: [token]; check the integration'],
  ])('explains %i', async (status, body, issue) => {
    const { tools } = await fakeApi({ [ME]: () => [status, body] });
    expect(await check(tools)).toEqual({
      ok: false,
      detail: {
        field: 'credentials.token',
        issue: expect.stringContaining(`was refused by Notion: ${issue}`),
      },
    });
  });

  it.each<[number, unknown]>([
    [200, []],
    [200, {}],
    [200, { id: 1 }],
    [400, { message: 'x' }],
    [404, {}],
  ])('treats %i %j as no response', async (status, body) => {
    const { tools } = await fakeApi({ [ME]: () => [status, body] });
    await expectUnavailable(check(tools), 'did not say whose token it is');
  });

  it('passes on the wait that Notion asks for', async () => {
    const limited: Route = () => [429, { code: 'rate_limited' }, { 'retry-after': '12' }];
    const { tools } = await fakeApi({ [ME]: limited, [COMMENT]: () => [409, { code: 'conflict_error' }] });
    expect((await expectUnavailable(check(tools), '429')).retryAfterSeconds).toBe(12);
    await expectUnavailable(notify(tools), '409');
  });
});

it('learns which bot it is from the token response of OAuth, too', async () => {
  const { tools, url } = await fakeApi({
    'POST /v1/oauth/token': () => [200, { access_token: 'ntn_2', token_type: 'bearer', bot_id: 'bot-1' }],
  });
  const app = { client_id: 'app', client_secret: 'app-secret' };
  const grantor = { provider: { ...notion, oauth: notionOAuth }, app, tools, origin: url };
  expect(await refresh(grantor, { refresh_token: 'r1' })).toMatchObject({ token: 'ntn_2', bot_id: 'bot-1' });
});

describe('notifying', () => {
  it.each([
    '337e31d6-4eb9-80fa-b299-c93680d85322',
    `https://www.notion.so/acme/Roadmap-2026-${PAGE}?pvs=4`,
    `https://www.notion.so/${PAGE}#1234`,
  ])('comments on the page %s', async (channel) => {
    const { calls, tools } = await fakeApi({ [COMMENT]: () => [200, { id: '1' }] });
    expect(await notify(tools, channel)).toMatchObject({ ok: true });
    const parent = calls[0]?.body?.['parent'] as { page_id: string };
    expect(parent.page_id.replaceAll('-', '')).toBe(PAGE);
  });

  it.each(['', '#general', 'Roadmap', `${PAGE}0`, `https://www.notion.so/?p=${PAGE}x`])(
    'refuses the channel %j without a call',
    async (channel) => {
      const { calls, tools } = await fakeApi({});
      expect(await notify(tools, channel)).toMatchObject({
        ok: false,
        refused: null,
        error: expect.stringContaining("config.channel must be a page's URL or ID"),
      });
      expect(calls).toEqual([]);
    },
  );

  it('cuts a text that is too long for Notion', async () => {
    const { calls, tools } = await fakeApi({ [COMMENT]: () => [200, { id: '1' }] });
    await notify(tools, PAGE, 'x'.repeat(3_000));
    expect(JSON.stringify(calls[0]?.body)).toMatch(/"content":"x{1999}…"/);
  });

  it.each([
    [401, 'API token is invalid.', 'credentials'],
    [403, 'Insufficient permissions for this endpoint.', 'credentials'],
    [404, 'Could not find page.', 'destination'],
    [400, 'body failed validation.', 'destination'],
  ])('passes on the reason of %i', async (status, message, refused) => {
    const { tools } = await fakeApi({ [COMMENT]: () => [status, { object: 'error', message }] });
    expect(await notify(tools)).toEqual({
      ok: false,
      destination: PAGE,
      error: `Notion responded with ${status}: ${message.replace(/\.$/, '')}`,
      refused,
    });
  });
});

it.each(failuresOf("Notion's API"))('treats %s as no response', async (...failure) => {
  const { tools } = await failingApi(failure, ME, COMMENT);
  await expectUnavailable(check(tools), failure[2]);
  if (failure[0] !== 'silence') await expectUnavailable(notify(tools), failure[2]);
});
