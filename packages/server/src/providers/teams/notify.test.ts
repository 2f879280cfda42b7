import { describe, expect, it } from 'vitest';
import { teams } from './teams.ts';
import { expectUnavailable, failingApi, failuresOf, fakeApi, type Route } from '../fake-api.fixture.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const PATH = '/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sig=secret-sig';
const CREDENTIALS = { webhook_url: `https://prod-00.westus.logic.azure.com:443${PATH}` };
const DESTINATION = 'prod-00.westus.logic.azure.com';
const POST = `POST ${PATH}`;

const notify = (tools: ProviderTools, text = 'v2 is out', credentials: Credentials = CREDENTIALS) =>
  teams.notify?.({ credentials, config: {} }, { trigger: 'event.created', text }, tools);

it.each([200, 202])(
  'gives the workflow a message with one card, and takes %i for success',
  async (status) => {
    const { calls, tools } = await fakeApi({ [POST]: () => [status, ''] });
    expect(await notify(tools, 'v2 is out\nwith [more](https://x.example)')).toEqual({
      ok: true,
      destination: DESTINATION,
    });
    expect(calls[0]?.body).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: 'v2 is out\n\nwith [more]\u200B(https://x.example)', wrap: true },
            ],
          },
        },
      ],
    });
  },
);

it.each(['🚀', '\n', '"', '\u001b', '\u007f', '\ud800', '\u0007é'])(
  'keeps within 28 KB: %j',
  async (character) => {
    const { calls, tools } = await fakeApi({ [POST]: () => [202, ''] });
    expect(await notify(tools, `v2 ${character.repeat(20_000)}`)).toMatchObject({ ok: true });
    expect(Buffer.byteLength(JSON.stringify(calls[0]?.body))).toBeLessThan(28 * 1_024);
  },
);

it('refuses a larger card without a call, so that the text is sent instead', async () => {
  const { calls, tools } = await fakeApi({ [POST]: () => [202, ''] });
  const send = (characters: number) => {
    const adaptiveCard = {
      type: 'AdaptiveCard',
      body: [{ type: 'TextBlock', text: 'x'.repeat(characters) }],
    };
    const notification = { trigger: 'event.created', text: 'v2 is out', adaptiveCard };
    return teams.notify?.({ credentials: CREDENTIALS, config: {} }, notification, tools);
  };
  expect(await send(28_000)).toMatchObject({ ok: true });
  expect(await send(29_000)).toEqual({
    ok: false,
    destination: DESTINATION,
    error: expect.stringMatching(
      /^the adaptive card makes a message of 29\d\d\d bytes, and Teams takes at most 28672$/,
    ),
    refused: 'destination',
  });
  expect(calls).toHaveLength(1);
});

it('calls the URL as it is if the operator names no other, and checks its address', async () => {
  const { calls, tools } = await fakeApi({});
  const result = await notify({ ...tools, apiUrl: undefined });
  expect(result).toEqual({
    ok: false,
    destination: DESTINATION,
    error: 'blocked address',
    refused: 'destination',
  });
  expect(calls).toEqual([]);
});

describe('a refusal', () => {
  it.each<[number, object, string, string]>([
    [
      401,
      { error: { code: 'AuthorizationFailed', message: 'The sig secret-sig is wrong.' } },
      'Teams responded with 401: The sig [token] is wrong',
      'credentials',
    ],
    [
      404,
      { error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } },
      'Teams responded with 404: The workflow could not be found',
      'destination',
    ],
    [400, {}, 'Teams responded with 400', 'destination'],
  ])('of %i %j is passed on', async (status, body, error, refused) => {
    const { tools } = await fakeApi({ [POST]: () => [status, body] });
    expect(await notify(tools)).toEqual({ ok: false, destination: DESTINATION, error, refused });
  });

  it('comes without a call when there is no workflow', async () => {
    const { calls, tools } = await fakeApi({});
    expect(await notify(tools, 'x', { security_token: 'AAAA' })).toMatchObject({ ok: false, refused: null });
    expect(calls).toEqual([]);
  });
});

describe('what is not the workflow', () => {
  // A workflow that accepted a message responds with an empty body.
  const failures = failuresOf('The Teams workflow').filter(([what]) => what !== 'nothing');
  it.each(failures)('is not a response: %s', async (...failure) => {
    const { tools } = await failingApi(failure, POST);
    await expectUnavailable(notify(tools), 'The Teams workflow');
  });

  it('passes on the wait that the workflow asks for', async () => {
    const limited: Route = () => [429, {}, { 'retry-after': '5' }];
    const { tools } = await fakeApi({ [POST]: limited });
    expect((await expectUnavailable(notify(tools), '429')).retryAfterSeconds).toBe(5);
  });
});
