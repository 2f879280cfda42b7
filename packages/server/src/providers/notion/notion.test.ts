import { createHmac } from 'node:crypto';
import { signWebhookPayload, verifyWebhookSignature } from '@notionhq/client';
import { describe, expect, it } from 'vitest';
import { notion } from './notion.ts';
import { NOW } from '../fake-api.fixture.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import type { Credentials, IngestRequest, Received } from '../provider.ts';

const KEY = 'secret_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const BOT = '1edc05f6-2702-81b5-8408-00279347f034';
const CREDENTIALS = { token: 'ntn_x', verification_token: KEY, bot_id: BOT };

function request(body: string | Buffer, signature?: string): IngestRequest {
  return {
    headers: signature === undefined ? {} : { 'x-notion-signature': signature },
    body: Buffer.from(body),
    now: NOW,
  };
}

const sign = (body: string | Buffer, key = KEY) =>
  `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
const receive = (payload: unknown, credentials: Credentials = CREDENTIALS): Received =>
  notion.receive(request(JSON.stringify(payload)), credentials);

const PAGE = '337e31d6-4eb9-80fa-b299-c93680d85322';
const EVENT = {
  id: '56c3e00c-4f0c-4566-9676-4b058a50a03d',
  timestamp: '2026-01-02T03:04:05.000Z',
  workspace_id: '13950b26-c203-4f3b-b97d-93ec06319565',
  workspace_name: 'Acme',
  subscription_id: '29d75c0d-5546-4414-8459-7b7a92f1fc4b',
  integration_id: '0ef2e755-4912-8096-91c1-00376a88a5ca',
  type: 'page.content_updated',
  authors: [{ id: '1d6d872b-594c-8129-818d-000250c7f19f', type: 'person' }],
  attempt_number: 1,
  entity: { id: PAGE, type: 'page' },
  data: { updated_blocks: [], parent: { id: '13950b26-c203-4f3b-b97d-93ec06319565', type: 'space' } },
};

describe('the signature', () => {
  const body = '{"type":"page.created","text":"♥"}';
  const verify = (signature?: string, bytes: string | Buffer = body) =>
    notion.verify(request(bytes, signature), CREDENTIALS).ok;

  it("is the one that Notion's own package makes and accepts", async () => {
    const theirs = await signWebhookPayload({ body, verificationToken: KEY });
    expect(theirs).toBe(sign(body));
    expect(verify(theirs)).toBe(true);
    expect(await verifyWebhookSignature({ body, signature: sign(body), verificationToken: KEY })).toBe(true);
  });

  const good = sign(body);
  it.each<[string, string | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['without its prefix', good.slice(7)],
    ['of another prefix', good.replace('sha256', 'sha1')],
    ['of another key', sign(body, 'other')],
    ['of another body', sign(`${body} `)],
    ['cut', good.slice(0, -1)],
    ['followed by garbage', `${good}zz`],
    ['doubled', `${good}, ${good}`],
  ])('that is %s is refused, as by their package', async (_what, signature) => {
    expect(verify(signature)).toBe(false);
    const asked = { body, signature: signature ?? '', verificationToken: KEY };
    expect(await verifyWebhookSignature(asked)).toBe(false);
  });

  it('covers every byte', () => {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(verify(good, flipped)).toBe(false);
    }
  });

  it('is never accepted with an empty token', () => {
    const empty = { token: 'ntn_x', verification_token: '' };
    expect(notion.verify(request(body, sign(body, '')), empty).ok).toBe(false);
  });
});

describe('the verification token', () => {
  const body = JSON.stringify({ verification_token: KEY });
  const waiting = { token: 'ntn_x' };

  it('is learned from an unsigned call while there is none', () => {
    expect(notion.verify(request(body), waiting)).toEqual({ ok: true });
    expect(notion.receive(request(body), waiting)).toEqual({
      kind: 'handshake',
      reason: 'the verification token is stored; paste it into Notion',
      response: { status: 200 },
      credentials: { verification_token: KEY },
    });
    expect(notion.verificationToken?.(CREDENTIALS)).toBe(KEY);
  });

  it('is never replaced by another, nor by itself', () => {
    const other = JSON.stringify({ verification_token: KEY.toUpperCase() });
    for (const each of [body, other]) {
      expect(notion.verify(request(each), CREDENTIALS).ok).toBe(false);
      expect(notion.verify(request(each, sign(each, 'other')), CREDENTIALS).ok).toBe(false);
    }
    // Signed with the known token, it is an ordinary call.
    expect(notion.receive(request(other, sign(other)), CREDENTIALS).kind).toBe('event');
  });

  it.each([
    '',
    '{}',
    '[]',
    'null',
    '{"verification_token":1}',
    '{"verification_token":""}',
    '{"verification_token":"short"}',
    `{"verification_token":"secret_with space_0123456789"}`,
    JSON.stringify({ ...EVENT, verification_token: KEY }),
    JSON.stringify(EVENT),
    Buffer.from([0x7b, 0xff, 0x7d]),
  ])('is the only call that is accepted while there is none, not %j', (each) => {
    expect(notion.verify(request(each, sign(each, '')), waiting).ok).toBe(false);
  });
});

describe('an event of Notion', () => {
  it('keeps its payload untouched, and is one event for all attempts', () => {
    const body = JSON.stringify(EVENT, null, 2);
    const event = eventOf(notion.receive(request(body), CREDENTIALS));
    expect(event).toEqual({
      kind: 'event',
      type: 'page',
      source: 'notion',
      payload: body,
      dedupeKey: EVENT.id,
      summary: {
        action: 'content_updated',
        actor: { id: '1d6d872b-594c-8129-818d-000250c7f19f', name: null },
        subject: {
          kind: 'page',
          id: PAGE,
          name: null,
          url: 'https://www.notion.so/337e31d64eb980fab299c93680d85322',
        },
        container: { kind: 'workspace', id: EVENT.workspace_id, name: 'Acme', url: null },
        text: 'page content updated',
        severity: 'none',
        occurred_at: '2026-01-02T03:04:05.000Z',
      },
    });
    expect(eventOf(receive({ ...EVENT, attempt_number: 2 })).dedupeKey).toBe(event.dedupeKey);
  });

  it.each<[string, object, { type: string; action: string | null; text: string | null }]>([
    [
      'comment.created',
      { entity: { id: 'c', type: 'comment' }, data: { parent: { id: PAGE, type: 'page' } } },
      { type: 'message', action: 'created', text: 'comment created' },
    ],
    [
      'data_source.schema_updated',
      { entity: { id: 'd', type: 'data_source' } },
      { type: 'data_source', action: 'schema_updated', text: 'data source schema updated' },
    ],
    [
      'database.created',
      { entity: { id: 'd', type: 'database' } },
      { type: 'database', action: 'created', text: 'database created' },
    ],
    ['ping', { entity: null }, { type: 'ping', action: null, text: null }],
  ])('%s is sorted and summarized', (name, change, expected) => {
    const { type, summary } = eventOf(receive({ ...EVENT, ...change, type: name }));
    expect({ type, action: summary.action, text: summary.text }).toEqual(expected);
  });

  it('about a comment of our own is not an event', () => {
    const comment = { ...EVENT, type: 'comment.created', authors: [{ id: BOT, type: 'bot' }] };
    expect(receive(comment).kind).toBe('ignored');
    expect(receive({ ...comment, authors: [...comment.authors, ...EVENT.authors] }).kind).toBe('event');
    expect(receive({ ...comment, authors: [] }).kind).toBe('event');
    expect(receive({ ...comment, type: 'page.created' }).kind).toBe('event');
    expect(receive(comment, { verification_token: KEY }).kind).toBe('event');
  });

  it('about a comment of a bot is not an event while our own bot is not known', () => {
    const unchecked = { token: 'ntn_x', verification_token: KEY };
    const comment = { ...EVENT, type: 'comment.created', authors: [{ id: BOT, type: 'bot' }] };
    expect(receive(comment, unchecked).kind).toBe('ignored');
    expect(receive({ ...comment, authors: EVENT.authors }, unchecked).kind).toBe('event');
    expect(receive({ ...comment, type: 'page.created' }, unchecked).kind).toBe('event');
  });

  it.each(['', '[1]', 'null', '{', Buffer.from([0x7b, 0xff, 0x7d])])('of %j is unreadable', (body) => {
    expect(notion.receive(request(body), CREDENTIALS).kind).toBe('malformed');
  });

  it('may hold anything', () => {
    for (const payload of oddPayloads(EVENT)) {
      const received = receive(payload);
      if (received.kind === 'event') eventOf(received);
    }
  });
});

it('lists the steps of the setup for each state', () => {
  const url = 'https://hub.example.com/v1/ingest/int_1';
  const steps = (credentials: Credentials) => notion.setUp(url, credentials).steps.join(' ');
  expect(steps({})).toContain('create an internal integration');
  expect(steps({ token: 'x' })).toContain(`Create a subscription, and enter the URL ${url}`);
  expect(steps(CREDENTIALS)).not.toContain('Create a subscription');
  expect(steps(CREDENTIALS)).toContain('paste the verification token');
});
