import { WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { type Call, expectSame, expectUnavailable, fakeApi, stepIn } from '../fake-api.fixture.ts';
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
  const result = await post.run(connection, { text: 'v2 is out' }, stepIn(api.tools));
  expect(result).toEqual({ ok: true, output: { channel: 'C1', ts: '1' } });
  expect(result.ok && Object.keys(result.output)).toEqual(post.outputs);
  expect(await post.run(connection, { channel: ' #ops ', text: 'v2' }, stepIn(api.tools))).toEqual({
    ok: true,
    output: { channel: 'C1', ts: '1' },
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

it('sends the text as it is written, into a thread if one is named', async () => {
  const api = await fakeApi({ [POST]: ok });
  const text = '<https://example.com|*A link*> &lt; <!here>';
  await post.run(connection, { text, thread: ' 1.2 ' }, stepIn(api.tools));
  expect(api.calls[0]?.body).toMatchObject({ text, thread_ts: '1.2' });
});

it('passes on the reason of a refusal, reports a refused token, and throws when there is no response', async () => {
  const channel = await fakeApi({ [POST]: () => [200, { ok: false, error: 'channel_not_found' }] });
  expect(await post.run(connection, { text: 'x' }, stepIn(channel.tools))).toEqual({
    ok: false,
    error: expect.stringContaining('channel_not_found'),
  });
  const token = await fakeApi({ [POST]: () => [200, { ok: false, error: 'invalid_auth' }] });
  expect(await post.run(connection, { text: 'x' }, stepIn(token.tools))).toEqual({
    ok: false,
    error: expect.stringContaining('invalid_auth'),
    refused: 'credentials',
  });
  const down = await fakeApi({ [POST]: () => [500, ''] });
  await expectUnavailable(post.run(connection, { text: 'x' }, stepIn(down.tools)), 'responded with 500');
});
