import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { verifyKey } from 'discord-interactions';
import { describe, expect, it } from 'vitest';
import { discord } from './discord.ts';
import { isSignedBy } from '../signatures/ed25519.ts';
import { NOW } from '../fake-api.fixture.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import type { IngestRequest, Received } from '../provider.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const CREDENTIALS = { bot_token: 'x', public_key: KEY, application_id: '1234567890123456789' };
const SECONDS = NOW.getTime() / 1_000;

function request(body: string | Buffer, headers: Record<string, string> = {}): IngestRequest {
  return { headers, body: Buffer.from(body), now: NOW };
}

function signed(body: string, at: number = SECONDS) {
  const signature = signBytes(null, Buffer.from(`${at}${body}`), privateKey).toString('hex');
  return { 'x-signature-timestamp': String(at), 'x-signature-ed25519': signature };
}

const receive = (payload: unknown): Received =>
  discord.receive(request(JSON.stringify(payload)), CREDENTIALS);

/** A webhook event as Discord sends it. */
const call = (type: unknown, data: unknown) => ({
  version: 1,
  application_id: CREDENTIALS.application_id,
  type: 1,
  event: { type, timestamp: '2026-01-02T03:04:05.123456', data },
});

const USER = { id: '111', username: 'ada', global_name: 'Ada' };
const GUILD = { id: '222', name: 'Acme' };

describe('the signature', () => {
  const body = '{"type":0,"text":"♥"}';
  const verify = (headers: Record<string, string>, bytes: string | Buffer = body) =>
    discord.verify(request(bytes, headers), CREDENTIALS).ok;

  // RFC 8032, 7.1, tests 1 to 3.
  it.each([
    [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('of RFC 8032 with key %s is accepted', (key, hex, signature) => {
    expect(isSignedBy(key, Buffer.from(hex, 'hex'), signature)).toBe(true);
    expect(isSignedBy(key, Buffer.from(`${hex}00`, 'hex'), signature)).toBe(false);
  });

  it.each([0, -300, 300])(
    "made %i seconds from now is accepted, by Discord's own package as well",
    async (offset) => {
      const headers = signed(body, SECONDS + offset);
      expect(verify(headers)).toBe(true);
      const [signature, timestamp] = [headers['x-signature-ed25519'], headers['x-signature-timestamp']];
      expect(await verifyKey(body, signature, timestamp, KEY)).toBe(true);
      expect(await verifyKey(`${body} `, signature, timestamp, KEY)).toBe(false);
    },
  );

  const good = signed(body);
  const signature = good['x-signature-ed25519'];
  it.each<[string, Record<string, string>]>([
    ['too old', signed(body, SECONDS - 301)],
    ['from the future', signed(body, SECONDS + 301)],
    ['missing', { 'x-signature-timestamp': good['x-signature-timestamp'] }],
    ['without a timestamp', { 'x-signature-ed25519': signature }],
    ['empty', { ...good, 'x-signature-ed25519': '' }],
    ['cut', { ...good, 'x-signature-ed25519': signature.slice(0, -1) }],
    ['followed by garbage', { ...good, 'x-signature-ed25519': `${signature}zz` }],
    ['doubled', { ...good, 'x-signature-ed25519': `${signature}, ${signature}` }],
    ['of another time', { ...good, 'x-signature-timestamp': String(SECONDS + 1) }],
    ['of another body', signed(`${body} `)],
  ])('that is %s is refused', (_what, headers) => {
    expect(verify(headers)).toBe(false);
  });

  it('covers every byte', () => {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(verify(good, flipped)).toBe(false);
    }
  });

  it.each(['', '00', 'zz'.repeat(32), '00'.repeat(32)])('is never accepted with the key %j', (key) => {
    expect(discord.verify(request(body, good), { public_key: key }).ok).toBe(false);
  });
});

describe('a call of Discord', () => {
  it('that asks whether the URL is ours gets an empty response with a content type', () => {
    expect(receive({ version: 1, application_id: '1', type: 0 })).toEqual({
      kind: 'handshake',
      reason: 'the URL is confirmed to Discord',
      response: { status: 204, body: { type: 'application/json', text: '' } },
    });
  });

  it('becomes an event with an untouched payload, identified by its body', () => {
    const payload = call('APPLICATION_AUTHORIZED', {
      integration_type: 0,
      scopes: [],
      user: USER,
      guild: GUILD,
    });
    const body = JSON.stringify(payload, null, 2);
    expect(eventOf(discord.receive(request(body), CREDENTIALS))).toEqual({
      kind: 'event',
      type: 'application_authorized',
      source: 'discord',
      payload: body,
      dedupeKey: expect.stringMatching(/^sha256:[\da-f]{64}$/),
      summary: {
        action: 'authorized',
        actor: { id: '111', name: 'Ada' },
        subject: { kind: 'application', id: CREDENTIALS.application_id, name: null, url: null },
        container: { kind: 'server', id: '222', name: 'Acme', url: null },
        text: 'Ada: application authorized',
        severity: 'none',
        occurred_at: '2026-01-02T03:04:05.123Z',
      },
    });
  });

  it.each<[string, object, { type: string; action: string | null; text: string | null }]>([
    [
      'APPLICATION_DEAUTHORIZED',
      { user: USER },
      { type: 'application_deauthorized', action: 'deauthorized', text: 'Ada: application deauthorized' },
    ],
    [
      'ENTITLEMENT_CREATE',
      { id: '9', user_id: '111', guild_id: '222' },
      { type: 'entitlement', action: 'created', text: '111: entitlement created' },
    ],
    [
      'QUEST_USER_ENROLLMENT',
      {},
      { type: 'quest_user_enrollment', action: null, text: 'quest user enrollment' },
    ],
    [
      'LOBBY_MESSAGE_UPDATE',
      { id: '9', content: 'Hello', lobby_id: '3', author: USER },
      { type: 'message', action: 'updated', text: 'Hello' },
    ],
    [
      'GAME_DIRECT_MESSAGE_DELETE',
      { id: '9', channel_id: '4' },
      { type: 'message', action: 'deleted', text: 'message deleted' },
    ],
  ])('about %s is sorted and summarized', (name, data, expected) => {
    const { type, summary } = eventOf(receive(call(name, data)));
    expect({ type, action: summary.action, text: summary.text }).toEqual(expected);
  });

  it('about a message of the bot itself makes no event', () => {
    const author = { id: CREDENTIALS.application_id, username: 'hubline' };
    expect(receive(call('LOBBY_MESSAGE_CREATE', { id: '9', content: 'x', author })).kind).toBe('ignored');
  });

  it.each([
    { type: 1, id: '1', application_id: '2', token: 'x', version: 1 },
    { type: 2, id: '1', data: { name: 'deploy' } },
    { type: 1, event: [] },
  ])('that is an interaction makes no event: %j', (payload) => {
    expect(receive(payload).kind).toBe('ignored');
  });

  it.each(['', '[1]', 'null', '{', Buffer.from([0x7b, 0xff, 0x7d])])('of %j is unreadable', (body) => {
    expect(discord.receive(request(body), CREDENTIALS).kind).toBe('malformed');
  });

  it('may hold anything', () => {
    const data = { id: '9', content: 'x', author: USER, user: USER, guild: GUILD, lobby_id: '3' };
    for (const name of ['LOBBY_MESSAGE_CREATE', 'APPLICATION_AUTHORIZED'])
      for (const payload of oddPayloads(call(name, data))) {
        const received = receive(payload);
        if (received.kind === 'event') eventOf(received);
      }
  });
});

it('lists the steps of the setup', () => {
  const url = 'https://hub.example.com/v1/ingest/int_1';
  expect(discord.setUp(url, CREDENTIALS).steps.join(' ')).toContain(
    `/applications/${CREDENTIALS.application_id}/webhooks, and enter the endpoint URL ${url}`,
  );
  expect(discord.setUp(url, {}).steps[0]).toContain('Reconnect the integration');
});
