import { WebClient } from '@slack/web-api';
import { IncomingWebhook } from '@slack/webhook';
import { describe, expect, it } from 'vitest';
import { slack } from './slack.ts';
import { checkCredentials } from '../credentials.ts';
import {
  type Call,
  expectUnavailable,
  failingApi,
  failuresOf,
  fakeApi,
  type Route,
} from '../fake-api.fixture.ts';
import type { Credentials, NotifyResult, ProviderTools } from '../provider.ts';

const TOKEN = 'xoxb-0123456789-abcdef';
const APP = { token: TOKEN, signing_secret: 'secret' };
const PATH = '/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';
const WEBHOOK = { webhook_url: `https://hooks.slack.com${PATH}` };
const AUTH = 'POST /api/auth.test';
const POST = 'POST /api/chat.postMessage';
const HOOK = `POST ${PATH}`;

const check = (credentials: Credentials, tools: ProviderTools) => slack.validate?.(credentials, tools);
const notify = (
  credentials: Credentials,
  tools: ProviderTools,
  { channel = '#releases', text = 'v2 is <out> & well' }: { channel?: string; text?: string } = {},
): Promise<NotifyResult> | undefined =>
  slack.notify?.({ credentials, config: { channel } }, { trigger: 'event.created', text }, tools);

/** A request as far as Slack reads it. */
const essence = ({ route, headers, body }: Call) => {
  const type = String(headers['content-type']).split(';')[0];
  return { route, authorization: headers['authorization'], type, body };
};

describe("a request is that of Slack's own client", () => {
  it('when it asks for the token and posts a message', async () => {
    const routes = {
      [AUTH]: () => [200, { ok: true, user_id: 'UBOT' }],
      [POST]: () => [200, { ok: true, channel: 'C1', ts: '1.2' }],
    } satisfies Record<string, Route>;
    const { calls, tools, url } = await fakeApi(routes);
    expect(await check(APP, tools)).toEqual({ ok: true });
    expect(await notify(APP, tools)).toEqual({
      ok: true,
      destination: '#releases',
      channel: 'C1',
      ts: '1.2',
    });
    const client = new WebClient(TOKEN, { slackApiUrl: `${url}/api/` });
    await client.auth.test();
    await client.apiCall('chat.postMessage', { channel: '#releases', text: 'v2 is &lt;out&gt; &amp; well' });
    const [asked, posted, theirAsked, theirPosted] = calls.map(essence);
    expect([asked, posted]).toEqual([theirAsked, theirPosted]);
  });

  it('when it uses an incoming webhook', async () => {
    const { calls, tools, url } = await fakeApi({ [HOOK]: () => [200, 'ok'] });
    expect(await notify(WEBHOOK, tools)).toEqual({ ok: true, destination: 'hooks.slack.com' });
    await new IncomingWebhook(url + PATH).send('v2 is &lt;out&gt; &amp; well');
    expect(calls.map(essence)[0]).toEqual(calls.map(essence)[1]);
  });
});

describe('checking the credentials', () => {
  it.each([
    ['invalid_auth', 'it is wrong, or belongs to another app'],
    ['token_revoked', 'install the app again'],
    ['something_new', 'check the app'],
  ])('explains %s', async (error, issue) => {
    const { tools } = await fakeApi({ [AUTH]: () => [200, { ok: false, error }] });
    expect(await check(APP, tools)).toEqual({
      ok: false,
      detail: {
        field: 'credentials.token',
        issue: expect.stringMatching(new RegExp(`refused by Slack \\(${error}\\).*${issue}`)),
      },
    });
  });

  it.each([
    [400, 'no_text', true],
    [400, 'invalid_payload', true],
    [404, 'no_service', false],
    [403, 'invalid_token', false],
    [410, 'channel_is_archived', false],
  ])('checks an incoming webhook without posting: %i %s', async (status, error, ok) => {
    const { calls, tools } = await fakeApi({ [HOOK]: () => [status, error] });
    const result = await check(WEBHOOK, tools);
    expect(result?.ok).toBe(ok);
    expect(calls[0]?.body).toEqual({});
    if (!ok) expect(result).toMatchObject({ detail: { field: 'credentials.webhook_url' } });
  });

  it.each(['ratelimited', 'internal_error', 'fatal_error'])('asks for a retry after %s', async (error) => {
    const { tools } = await fakeApi({ [AUTH]: () => [200, { ok: false, error }, { 'retry-after': '9' }] });
    expect((await expectUnavailable(check(APP, tools), error)).retryAfterSeconds).toBe(9);
  });

  it('passes on the wait that Slack asks for', async () => {
    const limited: Route = () => [429, { ok: false, error: 'ratelimited' }, { 'retry-after': '30' }];
    const { tools } = await fakeApi({ [AUTH]: limited, [HOOK]: limited });
    for (const credentials of [APP, WEBHOOK])
      expect((await expectUnavailable(check(credentials, tools), '429')).retryAfterSeconds).toBe(30);
  });

  it.each([[[]], [{}], [{ ok: 'yes' }], [{ ok: false }], ['ok']])(
    'treats %j as no response',
    async (body) => {
      const { tools } = await fakeApi({ [AUTH]: () => [200, JSON.stringify(body)] });
      await expectUnavailable(check(APP, tools), 'did not say why');
    },
  );
});

describe('notifying', () => {
  it.each([
    ['channel_not_found', 'destination', 'there is no such channel'],
    ['not_in_channel', 'destination', 'invite the app'],
    ['msg_too_long', 'destination', ''],
    ['missing_scope', 'credentials', 'chat:write'],
    ['token_revoked', 'credentials', ''],
  ])('passes %s on', async (error, refused, cure) => {
    const { tools } = await fakeApi({ [POST]: () => [200, { ok: false, error }] });
    expect(await notify(APP, tools)).toEqual({
      ok: false,
      destination: '#releases',
      error: expect.stringMatching(new RegExp(`^Slack responded with ${error}.*${cure}`)),
      refused,
    });
  });

  it.each([
    [404, 'no_service', 'credentials'],
    [410, 'channel_is_archived', 'destination'],
  ])('passes %i %s of a webhook on, without its URL', async (status, error, refused) => {
    const { tools } = await fakeApi({ [HOOK]: () => [status, error] });
    const result = await notify(WEBHOOK, tools);
    expect(result).toMatchObject({ ok: false, destination: 'hooks.slack.com', refused });
    expect(JSON.stringify(result)).not.toContain('XXXX');
  });

  it('refuses a missing channel without a call', async () => {
    const { calls, tools } = await fakeApi({});
    expect(await notify(APP, tools, { channel: ' ' })).toMatchObject({ ok: false, refused: null });
    expect(calls).toEqual([]);
  });
});

describe('what is not Slack', () => {
  it.each(failuresOf("Slack's API"))('is not a response from the API: %s', async (...failure) => {
    const { tools } = await failingApi(failure, AUTH, POST);
    await expectUnavailable(check(APP, tools), failure[2]);
    if (failure[0] !== 'silence') await expectUnavailable(notify(APP, tools), failure[2]);
  });

  it.each(failuresOf("Slack's incoming webhook"))(
    'is not a response from a webhook: %s',
    async (...failure) => {
      const { tools } = await failingApi(failure, HOOK);
      await expectUnavailable(notify(WEBHOOK, tools), "Slack's incoming webhook");
    },
  );
});

describe('the address', () => {
  it("is Slack's own unless the operator names another", async () => {
    const urls: string[] = [];
    const recording = (apiUrl: string | undefined): ProviderTools => ({
      apiUrl,
      clock: () => new Date(0),
      providerHttp: ({ url, trusted = false }) => {
        urls.push(`${trusted} ${url}`);
        return Promise.resolve({
          status: 200,
          headers: {},
          body: url.includes('/services/') ? 'ok' : '{"ok":true}',
        });
      },
    });
    const gov = { webhook_url: `https://hooks.slack-gov.com${PATH}` };
    for (const apiUrl of [undefined, 'https://slack-gov.com/api/'])
      for (const credentials of [APP, WEBHOOK, gov]) await check(credentials, recording(apiUrl));
    expect(urls).toEqual([
      'false https://slack.com/api/auth.test',
      `false https://hooks.slack.com${PATH}`,
      `false https://hooks.slack-gov.com${PATH}`,
      'true https://slack-gov.com/api/auth.test',
      `true https://slack-gov.com${PATH}`,
      `false https://hooks.slack-gov.com${PATH}`,
    ]);
  });
});

describe('the credentials', () => {
  it.each<[Credentials, string[]]>([
    [APP, []],
    [WEBHOOK, []],
    [{}, ['token', 'signing_secret']],
    [{ token: 'abc', signing_secret: 's' }, ['token']],
    [{ webhook_url: 'http://hooks.slack.com/services/T/B/x' }, ['webhook_url']],
    [{ webhook_url: 'https://hooks.slack.com.evil.example/services/T/B/x' }, ['webhook_url']],
    [{ webhook_url: 'https://hooks.slack.com/services/../admin' }, ['webhook_url']],
    [{ webhook_url: 'https://hooks.slack.com/services/T/B/x?a=b' }, ['webhook_url']],
    [{ ...APP, ...WEBHOOK }, ['webhook_url']],
  ])('%j: %j', (given, names) => {
    expect(checkCredentials(slack, given).map(({ field }) => field)).toEqual(
      names.map((name) => `credentials.${name}`),
    );
  });

  it('decide whether Slack calls us', () => {
    expect([slack.receives?.(APP), slack.receives?.({}), slack.receives?.(WEBHOOK)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([slack.signing(APP), slack.signing(WEBHOOK)]).toEqual([{ name: 'signing_secret' }, null]);
  });
});
