import { describe, expect, it } from 'vitest';
import { discord } from './discord.ts';
import { checkCredentials } from '../credentials.ts';
import { expectUnavailable, failingApi, failuresOf, fakeApi, type Route } from '../fake-api.fixture.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const ID = '1234567890123456789';
const KEY = 'ab'.repeat(32);
const APP = { bot_token: 'bot.secret-token', public_key: KEY, application_id: ID };
const WEBHOOK = { webhook_url: `https://discord.com/api/webhooks/${ID}/secret-TOKEN_1` };
const CHANNEL = '9876543210987654321';
const ME = 'GET /api/applications/@me';
const GET_HOOK = `GET /api/webhooks/${ID}/secret-TOKEN_1`;
const POST_HOOK = `POST /api/webhooks/${ID}/secret-TOKEN_1?wait=true`;
const POST_CHANNEL = `POST /api/channels/${CHANNEL}/messages`;

const check = (credentials: Credentials, tools: ProviderTools) => discord.validate?.(credentials, tools);
const notify = (
  credentials: Credentials,
  tools: ProviderTools,
  channel = CHANNEL,
  text = 'Hello @everyone, [log in](https://x.example)',
) => discord.notify?.({ credentials, config: { channel } }, { trigger: 'event.created', text }, tools);

describe('checking the credentials', () => {
  it('asks for the application of the bot, in the words that Discord documents', async () => {
    const { calls, tools } = await fakeApi({ [ME]: () => [200, { id: ID, verify_key: KEY.toUpperCase() }] });
    expect(await check(APP, tools)).toEqual({ ok: true });
    expect(calls[0]?.headers).toMatchObject({
      authorization: 'Bot bot.secret-token',
      'user-agent': expect.stringMatching(/^DiscordBot \(https:\/\/\S+, \S+\)$/),
    });
  });

  it('asks for the webhook without any token but its own', async () => {
    const { calls, tools } = await fakeApi({ [GET_HOOK]: () => [200, { id: ID, channel_id: CHANNEL }] });
    expect(await check(WEBHOOK, tools)).toEqual({ ok: true });
    expect(calls[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each<[number, unknown, string, string]>([
    [401, { message: '401: Unauthorized', code: 0 }, 'bot_token', 'refused by Discord (401: Unauthorized)'],
    [403, { message: 'echo bot.secret-token' }, 'bot_token', 'echo [token]'],
    [200, { id: '1', verify_key: KEY }, 'application_id', 'does not belong to the bot'],
    [200, { id: ID, verify_key: 'cd'.repeat(32) }, 'public_key', 'does not belong to the application'],
  ])('explains %i %j', async (status, body, name, issue) => {
    const { tools } = await fakeApi({ [ME]: () => [status, body] });
    const result = await check(APP, tools);
    expect(result).toEqual({
      ok: false,
      detail: { field: `credentials.${name}`, issue: expect.stringContaining(issue) },
    });
  });

  it.each([
    [401, { message: 'Invalid Webhook Token', code: 50_027 }],
    [404, { message: 'Unknown Webhook', code: 10_015 }],
  ])('explains %i of a webhook', async (status, body) => {
    const { tools } = await fakeApi({ [GET_HOOK]: () => [status, body] });
    expect(await check(WEBHOOK, tools)).toEqual({
      ok: false,
      detail: { field: 'credentials.webhook_url', issue: expect.stringContaining(body.message) },
    });
  });

  it.each([[[]], [{}], [{ id: 1 }]])('treats %j as no response', async (body) => {
    const { tools } = await fakeApi({ [ME]: () => [200, body], [GET_HOOK]: () => [200, body] });
    await expectUnavailable(check(APP, tools), 'did not say whose');
    await expectUnavailable(check(WEBHOOK, tools), 'did not say which');
  });

  it('passes on the wait that Discord asks for', async () => {
    const limited: Route = () => [
      429,
      { message: 'You are being rate limited.', retry_after: 6.4, global: false },
      { 'retry-after': '7' },
    ];
    const { tools } = await fakeApi({ [ME]: limited, [POST_HOOK]: limited });
    expect((await expectUnavailable(check(APP, tools), '429')).retryAfterSeconds).toBe(7);
    expect((await expectUnavailable(notify(WEBHOOK, tools), '429')).retryAfterSeconds).toBe(7);
  });
});

describe('notifying', () => {
  it('posts to the channel of the webhook, and mentions nobody and hides no link', async () => {
    const { calls, tools } = await fakeApi({ [POST_HOOK]: () => [200, { id: '1' }] });
    expect(await notify(WEBHOOK, tools, '')).toEqual({ ok: true, destination: 'discord.com' });
    expect(calls[0]?.body).toEqual({
      content: 'Hello @\u200Beveryone, [log in]\u200B(https://x.example)',
      allowed_mentions: { parse: [] },
    });
  });

  it('writes as the bot to a channel', async () => {
    const { calls, tools } = await fakeApi({ [POST_CHANNEL]: () => [200, { id: '1' }] });
    expect(await notify(APP, tools)).toEqual({ ok: true, destination: CHANNEL });
    expect(calls[0]?.headers).toMatchObject({ authorization: 'Bot bot.secret-token' });
  });

  it('cuts a text that is too long for Discord, between characters', async () => {
    const { calls, tools } = await fakeApi({ [POST_HOOK]: () => [200, { id: '1' }] });
    await notify(WEBHOOK, tools, '', '🚀'.repeat(2_500));
    const content = String(calls[0]?.body?.['content']);
    expect([...content]).toHaveLength(2_000);
    expect(content).toMatch(/^🚀+…$/u);
  });

  it.each(['', '#general', '12', `${CHANNEL}/../1`])(
    'refuses the channel %j without a call',
    async (channel) => {
      const { calls, tools } = await fakeApi({});
      expect(await notify(APP, tools, channel)).toMatchObject({ ok: false, refused: null });
      expect(calls).toEqual([]);
    },
  );

  it.each<[Credentials, string, number, string, string]>([
    [APP, POST_CHANNEL, 401, '401: Unauthorized', 'credentials'],
    [APP, POST_CHANNEL, 403, 'Missing Access', 'destination'],
    [APP, POST_CHANNEL, 404, 'Unknown Channel', 'destination'],
    [WEBHOOK, POST_HOOK, 404, 'Unknown Webhook', 'credentials'],
    [WEBHOOK, POST_HOOK, 401, 'Invalid Webhook Token', 'credentials'],
    [WEBHOOK, POST_HOOK, 400, 'Cannot send an empty message', 'destination'],
  ])('passes the reason on: %j %s %i', async (credentials, route, status, message, refused) => {
    const { tools } = await fakeApi({ [route]: () => [status, { message, code: 1 }] });
    const result = await notify(credentials, tools);
    expect(result).toEqual({
      ok: false,
      destination: credentials === APP ? CHANNEL : 'discord.com',
      error: `Discord responded with ${status}: ${message}`,
      refused,
    });
    expect(JSON.stringify(result)).not.toContain('secret-');
  });
});

it.each(failuresOf("Discord's API"))('treats %s as no response', async (...failure) => {
  const { tools } = await failingApi(failure, ME, POST_HOOK);
  await expectUnavailable(check(APP, tools), failure[2]);
  if (failure[0] !== 'silence') await expectUnavailable(notify(WEBHOOK, tools), failure[2]);
});

it.each<[Credentials, string[]]>([
  [APP, []],
  [WEBHOOK, []],
  [{ webhook_url: `https://ptb.discord.com/api/v10/webhooks/${ID}/x` }, []],
  [{}, ['webhook_url']],
  [{ bot_token: 'x' }, ['public_key', 'application_id']],
  [{ ...APP, public_key: 'ab' }, ['public_key']],
  [{ ...APP, application_id: 'x' }, ['application_id']],
  [{ webhook_url: `http://discord.com/api/webhooks/${ID}/x` }, ['webhook_url']],
  [{ webhook_url: `https://discord.com.evil.example/api/webhooks/${ID}/x` }, ['webhook_url']],
  [{ webhook_url: `https://discord.com/api/webhooks/${ID}/x/../../@me` }, ['webhook_url']],
])('the credentials %j: %j', (given, names) => {
  expect(checkCredentials(discord, given).map(({ field }) => field)).toEqual(
    names.map((name) => `credentials.${name}`),
  );
});

describe('the endpoint of the webhook events', () => {
  const URL = 'https://hub.example.com/v1/ingest/int_1';
  const PATCH = 'PATCH /api/applications/@me';
  const register = (tools: ProviderTools, credentials: Credentials = APP) =>
    discord.register?.(credentials, { url: URL, secret: KEY, hook: null }, tools);
  const remove = (tools: ProviderTools) => discord.unregister?.(APP, { url: URL, hook: { id: ID } }, tools);
  const registered = { registered: true, hook: { id: ID } };

  it('is entered with the events, in the words that Discord documents', async () => {
    const { calls, tools } = await fakeApi({
      [ME]: () => [200, { id: ID }],
      [PATCH]: () => [200, { id: ID }],
    });
    expect(await register(tools)).toEqual({ ...registered, created: true });
    expect(calls[1]?.body).toEqual({
      event_webhooks_url: URL,
      event_webhooks_status: 2,
      event_webhooks_types: [
        'APPLICATION_AUTHORIZED',
        'APPLICATION_DEAUTHORIZED',
        'ENTITLEMENT_CREATE',
        'ENTITLEMENT_UPDATE',
        'ENTITLEMENT_DELETE',
      ],
    });
  });

  it('is kept when it is ours, is switched on again, and keeps the events that were chosen', async () => {
    const ours = { id: ID, event_webhooks_url: URL, event_webhooks_types: ['QUEST_USER_ENROLLMENT'] };
    const on = await fakeApi({ [ME]: () => [200, { ...ours, event_webhooks_status: 2 }] });
    expect(await register(on.tools)).toEqual({ ...registered, created: false });
    const off = await fakeApi({
      [ME]: () => [200, { ...ours, event_webhooks_status: 3 }],
      [PATCH]: () => [200, {}],
    });
    expect(await register(off.tools)).toEqual({ ...registered, created: false });
    expect(off.calls[1]?.body).toEqual({ event_webhooks_url: URL, event_webhooks_status: 2 });
  });

  it('is left alone when it belongs to somebody else', async () => {
    const { calls, tools } = await fakeApi({
      [ME]: () => [200, { event_webhooks_url: 'https://other.example/secret' }],
    });
    expect(await register(tools)).toEqual({
      registered: false,
      reason: expect.stringMatching(/already calls other\.example/),
    });
    await remove(tools);
    expect(calls.map(({ route }) => route)).toEqual([ME, ME]);
  });

  it('is left to a person when Discord refuses, with the reason; a channel webhook has no endpoint', async () => {
    const message = 'URL verification failed';
    const refused = await fakeApi({ [ME]: () => [200, {}], [PATCH]: () => [400, { message }] });
    expect(await register(refused.tools)).toEqual({ registered: false, reason: message });
    const unknown = await fakeApi({ [ME]: () => [401, { message: '401: Unauthorized' }] });
    expect(await register(unknown.tools)).toMatchObject({ reason: 'Discord refused the token of the bot' });
    expect(await register(unknown.tools, WEBHOOK)).toBeNull();
  });

  it('is removed again', async () => {
    const { calls, tools } = await fakeApi({
      [ME]: () => [200, { event_webhooks_url: URL }],
      [PATCH]: () => [200, {}],
    });
    await remove(tools);
    expect(calls[1]?.body).toEqual({ event_webhooks_url: null, event_webhooks_status: 1 });
    const no = await fakeApi({
      [ME]: () => [200, { event_webhooks_url: URL }],
      [PATCH]: () => [403, { message: 'No' }],
    });
    await expect(remove(no.tools)).rejects.toThrow('Discord responded with 403: No');
  });
});
