import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { teams } from './teams.ts';
import { checkCredentials } from '../credentials.ts';
import { NOW } from '../fake-api.fixture.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import type { Credentials, IngestRequest, Received } from '../provider.ts';

const KEY = Buffer.from('a key of thirty-two random bytes');
const TOKEN = KEY.toString('base64');
const CREDENTIALS = { security_token: TOKEN };
const WORKFLOW =
  'https://prod-00.westus.logic.azure.com:443/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers&sv=1.0&sig=secret-sig';

function request(body: string | Buffer, authorization?: string): IngestRequest {
  return { headers: authorization === undefined ? {} : { authorization }, body: Buffer.from(body), now: NOW };
}

/** The header as learn.microsoft.com documents it: base64 of the HMAC with the decoded token. */
const sign = (body: string | Buffer, key: string | Buffer = KEY) =>
  `HMAC ${createHmac('sha256', key).update(body).digest('base64')}`;

const receive = (payload: unknown): Received => teams.receive(request(JSON.stringify(payload)), CREDENTIALS);

/** A message that mentions an outgoing webhook. */
const ACTIVITY = {
  type: 'message',
  id: '1767323045000',
  timestamp: '2026-01-02T03:04:05.1234567Z',
  serviceUrl: 'https://smba.trafficmanager.net/emea/',
  channelId: 'msteams',
  from: { id: '29:1abc', name: 'Ada Lovelace', aadObjectId: '0d5c' },
  conversation: { isGroup: true, id: '19:abc@thread.tacv2;messageid=1767323045000', name: null },
  text: '<at>Hubline</at> deploy <b>web</b>&nbsp;&amp; tell\n',
  textFormat: 'plain',
  channelData: {
    teamsChannelId: '19:abc@thread.tacv2',
    teamsTeamId: '19:team@thread.tacv2',
    channel: { id: '19:abc@thread.tacv2' },
    team: { id: '19:team@thread.tacv2' },
    tenant: { id: 'tenant' },
  },
};

describe('the signature', () => {
  const body = '{"type":"message","text":"♥"}';
  const verify = (authorization?: string, bytes: string | Buffer = body) =>
    teams.verify(request(bytes, authorization), CREDENTIALS).ok;

  it('of RFC 4231, test 2, is accepted', () => {
    const digest = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex');
    const published = request('what do ya want for nothing?', `HMAC ${digest.toString('base64')}`);
    const token = Buffer.from('Jefe').toString('base64');
    expect(teams.verify(published, { security_token: token })).toEqual({ ok: true });
  });

  it('with the decoded token is accepted', () => {
    expect(verify(sign(body))).toBe(true);
  });

  const good = sign(body);
  it.each<[string, string | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['with the token as text', sign(body, TOKEN)],
    ['of another key', sign(body, 'other')],
    ['of another body', sign(`${body} `)],
    ['without its scheme', good.slice(5)],
    ['of another scheme', good.replace('HMAC', 'Bearer')],
    ['in hexadecimal', `HMAC ${createHmac('sha256', KEY).update(body).digest('hex')}`],
    ['cut', good.slice(0, -1)],
    ['followed by garbage', `${good}zz`],
    ['doubled', `${good}, ${good}`],
    ['the token itself', `HMAC ${TOKEN}`],
  ])('that is %s is refused', (_what, authorization) => {
    expect(verify(authorization)).toBe(false);
  });

  it('covers every byte', () => {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(verify(good, flipped)).toBe(false);
    }
  });

  it.each([{}, { security_token: '' }, { webhook_url: WORKFLOW }])(
    'is never accepted with the credentials %j',
    (credentials) => {
      expect(teams.verify(request(body, sign(body, '')), credentials).ok).toBe(false);
    },
  );
});

describe('a call of Teams', () => {
  it('becomes one message with an untouched payload', () => {
    const body = JSON.stringify(ACTIVITY, null, 2);
    const event = eventOf(teams.receive(request(body), CREDENTIALS));
    expect(event).toEqual({
      kind: 'event',
      type: 'message',
      source: 'teams',
      payload: body,
      dedupeKey: expect.stringMatching(/^sha256:/),
      summary: {
        action: 'posted',
        actor: { id: '0d5c', name: 'Ada Lovelace' },
        subject: {
          kind: 'message',
          id: '1767323045000',
          name: null,
          url: 'https://teams.microsoft.com/l/message/19%3Aabc%40thread.tacv2/1767323045000',
        },
        container: { kind: 'channel', id: '19:abc@thread.tacv2', name: '19:abc@thread.tacv2', url: null },
        text: 'deploy web & tell',
        severity: 'none',
        occurred_at: '2026-01-02T03:04:05.123Z',
      },
    });
    const keyOf = (change: object) => eventOf(receive({ ...ACTIVITY, ...change })).dedupeKey;
    expect(keyOf({ text: 'edited' })).toBe(event.dedupeKey);
    expect(keyOf({ id: '2' })).not.toBe(event.dedupeKey);
    expect(keyOf({ conversation: { id: '19:other@thread.tacv2' } })).not.toBe(event.dedupeKey);
  });

  it('of another kind keeps its name', () => {
    const { type, summary } = eventOf(
      receive({ type: 'conversationUpdate', channelData: { team: { id: 'T', name: 'Acme' } } }),
    );
    expect(type).toBe('conversation_update');
    expect(summary).toMatchObject({
      text: 'conversation update',
      container: { kind: 'team', id: 'T', name: 'Acme' },
    });
  });

  it('about a message of the webhook itself makes no event', () => {
    expect(receive({ ...ACTIVITY, recipient: { id: ACTIVITY.from.id } }).kind).toBe('ignored');
  });

  it.each(['', '[1]', 'null', '{', Buffer.from([0x7b, 0xff, 0x7d])])('of %j is unreadable', (body) => {
    expect(teams.receive(request(body), CREDENTIALS).kind).toBe('malformed');
  });

  it('may hold anything', () => {
    for (const payload of oddPayloads(ACTIVITY)) {
      const received = receive(payload);
      if (received.kind === 'event') eventOf(received);
    }
  });
});

describe('the credentials', () => {
  it.each<[Credentials, string[]]>([
    [CREDENTIALS, []],
    [{ webhook_url: WORKFLOW }, []],
    [{ ...CREDENTIALS, webhook_url: WORKFLOW }, []],
    [
      {
        webhook_url:
          'https://default0a.1b.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/0a/triggers/manual/paths/invoke?api-version=1&sig=x',
      },
      [],
    ],
    [{}, ['webhook_url']],
    [{ security_token: 'not base64' }, ['security_token']],
    [{ webhook_url: WORKFLOW.replace('https', 'http') }, ['webhook_url']],
    [{ webhook_url: WORKFLOW.replace('workflows', '..') }, ['webhook_url']],
    [{ webhook_url: WORKFLOW.replace('secret-sig', '') }, ['webhook_url']],
    [{ webhook_url: WORKFLOW.replace('&sig=', '&nosig=') }, ['webhook_url']],
    [{ webhook_url: 'https://acme.webhook.office.com/webhookb2/x@y/IncomingWebhook/z' }, ['webhook_url']],
  ])('%j: %j', (given, names) => {
    expect(checkCredentials(teams, given).map(({ field }) => field)).toEqual(
      names.map((name) => `credentials.${name}`),
    );
  });

  it('of a retired connector say so', () => {
    const [detail] = checkCredentials(teams, { webhook_url: 'https://acme.webhook.office.com/webhookb2/x' });
    expect(detail?.issue).toContain('Microsoft has retired them');
  });

  it.each<[Credentials, boolean]>([
    [{}, true],
    [CREDENTIALS, true],
    [{ ...CREDENTIALS, webhook_url: WORKFLOW }, true],
    [{ webhook_url: WORKFLOW }, false],
  ])('%j decide whether Teams calls us: %j', (credentials, receives) => {
    expect(teams.receives?.(credentials)).toBe(receives);
    expect(teams.signing(credentials)).toEqual(receives ? { name: 'security_token' } : null);
    expect(teams.setUp('https://hub.example.com/v1/ingest/int_1', credentials).steps.join(' ')).toContain(
      'int_1',
    );
  });
});
