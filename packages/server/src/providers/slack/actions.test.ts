import { WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { type Call, expectSame, expectUnavailable, fakeApi } from '../fake-api.fixture.ts';
import { slackActions } from './actions.ts';

const { 'slack.post_message': post } = slackActions;
const connection = {
  credentials: { token: 'xoxb-1', signing_secret: 's' },
  config: { channel: '#releases' },
};
const POST = 'POST /api/chat.postMessage';
const ok = () =>
  [200, { ok: true, channel: 'C1', ts: '1' }, { 'content-type': 'application/json' }] as [
    number,
    unknown,
    Record<string, string>,
  ];

it('posts a message as a client does, to the channel of the integration or to another', async () => {
  const api = await fakeApi({ [POST]: ok });
  const result = await post.run(connection, { text: 'v2 is out' }, api.tools);
  expect(result).toEqual({ ok: true, output: { channel: '#releases' } });
  expect(result.ok && Object.keys(result.output)).toEqual(post.outputs);
  expect(await post.run(connection, { channel: ' #ops ', text: 'v2' }, api.tools)).toEqual({
    ok: true,
    output: { channel: '#ops' },
  });
  const essence = ({ route, headers, body }: Call) => ({
    route,
    authorization: headers['authorization'],
    channel: body?.['channel'],
    text: body?.['text'],
  });
  await expectSame(api, essence, async () => {
    const client = new WebClient('xoxb-1', { slackApiUrl: `${api.url}/api/` });
    await client.apiCall('chat.postMessage', { channel: '#releases', text: 'v2 is out' });
    await client.apiCall('chat.postMessage', { channel: '#ops', text: 'v2' });
  });
});

it('passes on the reason of a refusal, tells a refused token, and takes no answer for no answer', async () => {
  const channel = await fakeApi({ [POST]: () => [200, { ok: false, error: 'channel_not_found' }] });
  expect(await post.run(connection, { text: 'x' }, channel.tools)).toEqual({
    ok: false,
    error: expect.stringContaining('channel_not_found'),
  });
  const token = await fakeApi({ [POST]: () => [200, { ok: false, error: 'invalid_auth' }] });
  expect(await post.run(connection, { text: 'x' }, token.tools)).toEqual({
    ok: false,
    error: expect.stringContaining('invalid_auth'),
    refused: 'credentials',
  });
  const down = await fakeApi({ [POST]: () => [500, ''] });
  await expectUnavailable(post.run(connection, { text: 'x' }, down.tools), 'answered 500');
});
