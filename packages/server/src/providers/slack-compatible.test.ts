import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { EventSummary } from '@hubline/contract';
import { IncomingWebhook } from '@slack/webhook';
import { describe, expect, it } from 'vitest';
import { listen } from '../outbound/receiver.fixture.ts';
import type { Credentials, Received, IngestRequest } from './provider.ts';
import { receiveSlack, verifySlack } from './slack-compatible.ts';

const SECRET = 'a secret of many letters';
const NOW = new Date('2026-01-02T03:04:05.000Z');

interface Call {
  body?: string | Buffer;
  headers?: Record<string, string>;
  token?: unknown;
  now?: Date;
}

function request({ body = '{"text":"x"}', headers = {}, token, now = NOW }: Call): IngestRequest {
  return {
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
    query: { token },
    now,
  };
}

function receive(
  body: string | Buffer,
  headers: Record<string, string> = {},
  credentials: Credentials = {},
): Received {
  return receiveSlack(request({ body, headers }), credentials);
}

function eventOf(received: Received): Received & { kind: 'event' } {
  if (received.kind !== 'event') throw new Error(`not an event: ${JSON.stringify(received)}`);
  return received;
}

const summaryOf = (message: object) => eventOf(receive(JSON.stringify(message))).summary;

describe('the secret of a sender that cannot sign', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  it.each<[string, Call, boolean]>([
    ['the token of the query', { token: SECRET }, true],
    ['the password of Basic', { headers: basic(`hubline:${SECRET}`) }, true],
    ['the password of Basic without a user', { headers: basic(`:${SECRET}`) }, true],
    ['a Bearer token', { headers: { authorization: 'Bearer secret' } }, false],
    ['nothing', {}, false],
    ['an empty token', { token: '' }, false],
    ['two tokens', { token: [SECRET, SECRET] }, false],
    ['a wrong token, whatever the header says', { token: 'x', headers: basic(`:${SECRET}`) }, false],
    ['a longer token', { token: `${SECRET}x` }, false],
    ['the secret as the user of Basic', { headers: basic(`${SECRET}:`) }, false],
    ['Basic without a colon', { headers: basic(SECRET) }, false],
    ['garbage', { headers: { authorization: 'Basic ###' } }, false],
    ['another scheme', { headers: { authorization: `Digest ${SECRET}` } }, false],
  ])('is looked for in %s', (_what, call, ok) => {
    for (const credentials of [{ secret: SECRET }, { secret: SECRET, verification: 'token' }]) {
      expect(verifySlack(request(call), credentials).ok).toBe(ok);
    }
  });

  it('may be a Bearer token without spaces', () => {
    expect(
      verifySlack(request({ headers: { authorization: 'bearer s3cret' } }), { secret: 's3cret' }).ok,
    ).toBe(true);
  });

  it('is not asked for when the integration takes unsigned calls, and is required otherwise', () => {
    expect(verifySlack(request({}), { verification: 'none' }).ok).toBe(true);
    expect(verifySlack(request({ token: '' }), {}).ok).toBe(false);
    expect(verifySlack(request({ token: '' }), { secret: '' }).ok).toBe(false);
  });
});

describe('a Slack message', () => {
  it('of the real client is accepted, through a URL with a token or a password', async () => {
    const received: Received[] = [];
    const { port } = await listen(
      createServer((incoming, response) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
          );
          const query = parse(incoming.url?.split('?')[1] ?? '');
          const call: IngestRequest = { headers, body: Buffer.concat(chunks), query, now: NOW };
          const verdict = verifySlack(call, { secret: SECRET });
          if (verdict.ok) received.push(receiveSlack(call, { secret: SECRET, source: 'ci' }));
          response.writeHead(verdict.ok ? 200 : 401).end(verdict.ok ? 'ok' : 'no_service');
        });
      }),
    );
    const url = `http://127.0.0.1:${port}/ingest/int_1/slack?token=${encodeURIComponent(SECRET)}`;
    expect(
      await new IncomingWebhook(url, { username: 'ci-bot' }).send({ text: 'Build *12* failed' }),
    ).toEqual({
      text: 'ok',
    });
    await new IncomingWebhook(url).send({
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'From <https://ci.example.com|CI>' } }],
      attachments: [{ color: 'danger', text: 'detail' }],
    });
    await expect(new IncomingWebhook(url.replace('token=', 'token=x')).send('hi')).rejects.toThrow();
    expect(received).toMatchObject([
      { type: 'message', source: 'ci', summary: { actor: { name: 'ci-bot' }, text: 'Build *12* failed' } },
      { type: 'message', summary: { text: 'detail', severity: 'high' } },
    ]);
  });

  it('is kept untouched, from JSON and from a form', () => {
    const json = '{ "text" : "a & b = c", "channel":"#ops" }';
    const form = `payload=${encodeURIComponent(json)}`;
    expect(eventOf(receive(json)).payload).toBe(json);
    expect(eventOf(receive(form, { 'content-type': 'application/x-www-form-urlencoded' })).payload).toBe(
      json,
    );
    expect(eventOf(receive(json, { 'content-type': 'application/x-www-form-urlencoded' })).payload).toBe(
      json,
    );
  });

  it('sent twice is two messages, and one when it is the very same call', () => {
    const key = (now: Date) => eventOf(receiveSlack(request({ now }), {})).dedupeKey;
    expect(key(NOW)).toBe(key(NOW));
    expect(key(NOW)).not.toBe(key(new Date(NOW.getTime() + 1)));
  });

  it.each<[string, string | Buffer, string]>([
    ['nothing', '', 'is empty; it must be JSON'],
    ['no JSON', 'hello', 'is not JSON'],
    ['an array', '["text"]', 'is not a JSON object'],
    ['an empty message', '{}', 'has no text, blocks or attachments'],
    ['empty parts', '{"text":"","blocks":[],"attachments":[]}', 'has no text, blocks or attachments'],
    [
      'parts of other types',
      '{"text":7,"blocks":"x","attachments":{}}',
      'has no text, blocks or attachments',
    ],
    ['not UTF-8', Buffer.from('7b22ff227d', 'hex'), 'is not UTF-8'],
  ])('that is %s is malformed', (_what, body, issue) => {
    expect(receive(body)).toEqual({ kind: 'malformed', issue });
  });

  it('is read as people see it', () => {
    expect(
      summaryOf({
        text: 'See <https://ci.example.com/1|build 1>, <https://x.example.com> &amp; &lt;tell&gt; <!here> &amp;lt;',
        channel: '#ops',
      }),
    ).toEqual({
      action: null,
      actor: null,
      subject: null,
      container: { kind: 'channel', id: '#ops', name: '#ops', url: null },
      text: 'See build 1, https://x.example.com & <tell> !here &lt;',
      severity: 'none',
      occurred_at: null,
    });
  });

  it.each<[string, object]>([
    [
      'a section',
      { blocks: [{ type: 'divider' }, { type: 'section', text: { type: 'mrkdwn', text: 'words' } }] },
    ],
    ['fields', { blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', text: 'words' }] }] }],
    ['a header', { blocks: [{ type: 'header', text: { type: 'plain_text', text: 'words' } }] }],
    [
      'rich text',
      {
        blocks: [
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'words' }] }],
          },
        ],
      },
    ],
    ['an attachment', { attachments: [{ fallback: 'words' }] }],
    [
      'blocks in an attachment',
      { attachments: [{ blocks: [{ type: 'section', text: { text: 'words' } }] }] },
    ],
  ])('finds its words in %s', (_what, message) => {
    expect(summaryOf(message).text).toBe('words');
  });

  it.each<[string, object]>([
    ['no words', { blocks: [{ type: 'image' }, null, 7, 'x', []] }],
    ['endless blocks', { blocks: Array.from({ length: 100_000 }, () => ({ elements: [{}] })) }],
    ['odd types', { attachments: [{ text: {}, color: {}, ts: 'x', author_name: [] }] }],
  ])('is a message even with %s', (_what, message) => {
    const summary = summaryOf(message);
    expect(EventSummary.strict().parse(summary)).toEqual(summary);
    expect(summary.text).toBeNull();
  });
});
