import { createHmac } from 'node:crypto';
import { isValidSlackRequest } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { slack } from './slack.ts';
import { NOW } from '../fake-api.fixture.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import type { IngestRequest, Received } from '../provider.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const CREDENTIALS = { token: 'xoxb-1', signing_secret: SECRET };
const SECONDS = NOW.getTime() / 1_000;

const sign = (body: string | Buffer, timestamp: number | string, secret = SECRET) =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;

function request(body: string | Buffer, headers: Record<string, string> = {}): IngestRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body), now: NOW };
}

const receive = (payload: unknown): Received => slack.receive(request(JSON.stringify(payload)), CREDENTIALS);

/** An event as the Events API sends it. */
const call = (event: object, outer: object = {}) => ({
  token: 'verification-token',
  team_id: 'T1',
  api_app_id: 'A1',
  event,
  type: 'event_callback',
  event_id: 'Ev1',
  event_time: 1_767_323_045,
  authorizations: [{ enterprise_id: null, team_id: 'T1', user_id: 'UBOT', is_bot: true }],
  ...outer,
});
const MESSAGE = {
  type: 'message',
  user: 'U1',
  text: 'Deploy is <https://ci.example/7|green>, <!here> &amp; done',
  ts: '1767323045.000100',
  channel: 'C1',
  channel_type: 'channel',
};

describe('the signature', () => {
  const body = '{"type":"event_callback","text":"♥"}';
  const headersAt = (offset: number) => ({
    'x-slack-request-timestamp': String(SECONDS + offset),
    'x-slack-signature': sign(body, SECONDS + offset),
  });

  it("of Slack's published example is accepted, but only at its time", () => {
    const form =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const published = request(form, {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    });
    const then = new Date(1_531_420_618_000);
    expect(slack.verify({ ...published, now: then }, CREDENTIALS)).toEqual({ ok: true });
    expect(slack.verify(published, CREDENTIALS).ok).toBe(false);
  });

  it.each([0, -300, 300])('made %i seconds from now is accepted, by Bolt as well', (offset) => {
    const headers = headersAt(offset);
    expect(slack.verify(request(body, headers), CREDENTIALS)).toEqual({ ok: true });
    const options = {
      signingSecret: SECRET,
      body,
      headers: {
        'x-slack-signature': headers['x-slack-signature'],
        'x-slack-request-timestamp': SECONDS + offset,
      },
      nowMilliseconds: NOW.getTime(),
    };
    expect(isValidSlackRequest(options)).toBe(true);
  });

  const good = headersAt(0);
  const signature = good['x-slack-signature'];
  it.each<[string, Record<string, string>]>([
    ['too old', headersAt(-301)],
    ['from the future', headersAt(301)],
    ['missing', { 'x-slack-request-timestamp': good['x-slack-request-timestamp'] }],
    ['without a timestamp', { 'x-slack-signature': signature }],
    ['empty', { ...good, 'x-slack-signature': '' }],
    ['of another version', { ...good, 'x-slack-signature': signature.replace('v0=', 'v1=') }],
    ['without its version', { ...good, 'x-slack-signature': signature.slice(3) }],
    ['cut', { ...good, 'x-slack-signature': signature.slice(0, -1) }],
    ['followed by garbage', { ...good, 'x-slack-signature': `${signature}zz` }],
    ['doubled', { ...good, 'x-slack-signature': `${signature}, ${signature}` }],
    ['of another time', { ...good, 'x-slack-request-timestamp': String(SECONDS + 1) }],
    ['of another secret', { ...good, 'x-slack-signature': sign(body, SECONDS, 'other') }],
  ])('that is %s is refused', (_what, headers) => {
    expect(slack.verify(request(body, headers), CREDENTIALS).ok).toBe(false);
  });

  it('covers every byte', () => {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(slack.verify(request(flipped, good), CREDENTIALS).ok).toBe(false);
    }
  });

  it.each([{}, { webhook_url: 'https://hooks.slack.com/services/T/B/x' }, { signing_secret: '' }])(
    'is never accepted with the credentials %j',
    (credentials) => {
      const headers = { ...good, 'x-slack-signature': sign(body, SECONDS, '') };
      expect(slack.verify(request(body, headers), credentials).ok).toBe(false);
    },
  );
});

describe('a call of Slack', () => {
  it('that asks whether the URL is ours gets its challenge back', () => {
    expect(receive({ type: 'url_verification', challenge: '3eZbrw1aB', token: 'x' })).toEqual({
      kind: 'handshake',
      reason: 'the URL is confirmed to Slack',
      response: { status: 200, body: { type: 'text/plain', text: '3eZbrw1aB' } },
    });
    expect(receive({ type: 'url_verification', challenge: { a: 1 } }).kind).toBe('malformed');
  });

  it('becomes a message with an untouched payload, one event for all retries', () => {
    const payload = call(MESSAGE);
    const body = JSON.stringify(payload, null, 2);
    const event = eventOf(slack.receive(request(body), CREDENTIALS));
    expect(event).toEqual({
      kind: 'event',
      type: 'message',
      source: 'slack',
      payload: body,
      dedupeKey: 'Ev1',
      summary: {
        action: 'posted',
        actor: { id: 'U1', name: 'U1' },
        subject: { kind: 'message', id: '1767323045.000100', name: null, url: null },
        container: {
          kind: 'channel',
          id: 'C1',
          name: 'C1',
          url: 'https://slack.com/app_redirect?team=T1&channel=C1',
        },
        text: 'Deploy is green, !here & done',
        severity: 'none',
        occurred_at: '2026-01-02T03:04:05.000Z',
      },
    });
  });

  const blocks = [{ type: 'rich_text', elements: [{ elements: [{ type: 'text', text: 'In blocks' }] }] }];
  it.each<[object, { type: string; action: string | null; text: string | null }]>([
    [
      { ...MESSAGE, text: '', blocks },
      { type: 'message', action: 'posted', text: 'In blocks' },
    ],
    [
      { ...MESSAGE, subtype: 'channel_join', text: '<@U1> has joined' },
      { type: 'message', action: 'channel_join', text: '@U1 has joined' },
    ],
    [
      {
        type: 'message',
        subtype: 'message_changed',
        channel: 'C1',
        message: { user: 'U1', text: 'Now', ts: '1.2' },
      },
      { type: 'message', action: 'changed', text: 'Now' },
    ],
    [
      { type: 'message', subtype: 'message_deleted', channel: 'C1', deleted_ts: '1.2' },
      { type: 'message', action: 'deleted', text: 'message deleted' },
    ],
    [
      { ...MESSAGE, type: 'app_mention', text: '<@UBOT> hi' },
      { type: 'message', action: 'mentioned', text: '@UBOT hi' },
    ],
    [
      { type: 'reaction_added', user: 'U1', reaction: 'tada', item: { channel: 'C1', ts: '1.2' } },
      { type: 'message', action: 'reaction_added', text: 'tada' },
    ],
    [
      { type: 'channel_created', channel: { id: 'C2', name: 'launch', creator: 'U1' } },
      { type: 'channel', action: 'created', text: 'U1: channel created: launch' },
    ],
    [
      { type: 'group_archive', channel: 'G1', user: 'U1' },
      { type: 'channel', action: 'archive', text: 'U1: channel archive: G1' },
    ],
    [
      { type: 'member_joined_channel', user: 'U2', channel: 'C1' },
      { type: 'member', action: 'joined_channel', text: 'U2: member joined channel' },
    ],
    [
      { type: 'file_shared', user_id: 'U1', file_id: 'F1', channel_id: 'C1' },
      { type: 'file', action: 'shared', text: 'U1: file shared' },
    ],
    [
      { type: 'team_join', user: { id: 'U3', real_name: 'Ada' } },
      { type: 'team_join', action: null, text: 'Ada: team join' },
    ],
  ])('about %j is sorted and summarized', (event, expected) => {
    const { type, summary } = eventOf(receive(call(event)));
    expect({ type, action: summary.action, text: summary.text }).toEqual(expected);
  });

  it('about a limit of the app is an event, identified by its body', () => {
    const body = { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1_767_323_040 };
    const event = eventOf(receive(body));
    expect(event).toMatchObject({ type: 'app_rate_limited', dedupeKey: expect.stringMatching(/^sha256:/) });
    expect(event.summary).toMatchObject({
      container: { kind: 'workspace', id: 'T1' },
      occurred_at: '2026-01-02T03:04:00.000Z',
    });
  });

  it('as a form is an interaction or a slash command', () => {
    const form = (fields: Record<string, string>) =>
      slack.receive(
        request(new URLSearchParams(fields).toString(), {
          'content-type': 'application/x-www-form-urlencoded',
        }),
        CREDENTIALS,
      );
    const interaction = JSON.stringify({
      type: 'block_actions',
      user: { id: 'U1', username: 'ada' },
      team: { id: 'T1', domain: 'acme' },
      channel: { id: 'C1', name: 'ops' },
      actions: [{ text: { type: 'plain_text', text: 'Approve' } }],
    });
    expect(eventOf(form({ payload: interaction }))).toMatchObject({
      type: 'block_actions',
      payload: interaction,
      summary: { actor: { id: 'U1', name: 'ada' }, container: { name: 'ops' }, text: 'Approve' },
    });
    const command = { command: '/deploy', text: '', user_id: 'U1', user_name: 'ada', team_domain: 'acme' };
    expect(eventOf(form(command))).toMatchObject({
      type: 'slash_command',
      payload: JSON.stringify(command),
      summary: { text: 'ada: slash command: /deploy' },
    });
    expect(form({ payload: 'not json' }).kind).toBe('malformed');
  });

  it.each([
    { ...MESSAGE, app_id: 'A1', bot_id: 'B1' },
    { ...MESSAGE, subtype: 'bot_message', bot_profile: { app_id: 'A1' } },
    { ...MESSAGE, user: 'UBOT' },
    { type: 'message', subtype: 'message_changed', channel: 'C1', message: { app_id: 'A1', text: 'Link' } },
    { type: 'message', subtype: 'message_deleted', previous_message: { user: 'UBOT' } },
  ])('about a message of the app itself makes no event: %j', (event) => {
    expect(receive(call(event)).kind).toBe('ignored');
  });

  it.each([
    [call({ ...MESSAGE, app_id: 'A2', bot_id: 'B2' })],
    [call({ ...MESSAGE, user: 'U2' }, { authorizations: [{ user_id: 'U2', is_bot: false }] })],
    [call(MESSAGE, { api_app_id: undefined, authorizations: undefined })],
    [call({ type: 'reaction_added', user: 'UBOT' })],
  ])('about anything else is an event: %j', (payload) => {
    expect(receive(payload).kind).toBe('event');
  });

  it.each(['', '[1]', '"x"', 'null', '{', Buffer.from([0x7b, 0xff, 0x7d])])('of %j is unreadable', (body) => {
    expect(slack.receive(request(body), CREDENTIALS).kind).toBe('malformed');
  });

  it('may hold anything', () => {
    for (const payload of oddPayloads(call({ ...MESSAGE, message: MESSAGE, blocks }))) {
      const received = receive(payload);
      if (received.kind === 'event') eventOf(received);
    }
  });
});

it('lists the steps of the setup, with a manifest that Slack accepts', () => {
  const url = 'https://hub.example.com/v1/ingest/int_1';
  const { steps, manifest } = slack.setUp(url, CREDENTIALS);
  expect(steps.join(' ')).toContain(url);
  expect(JSON.parse(manifest ?? '')).toMatchObject({
    settings: {
      event_subscriptions: { request_url: url, bot_events: expect.arrayContaining(['message.channels']) },
    },
  });
  expect(slack.setUp(url, {}).steps.join(' ')).toContain('Signing Secret');
  expect(
    slack.setUp(url, { webhook_url: 'https://hooks.slack.com/services/T/B/x' }).manifest,
  ).toBeUndefined();
});
