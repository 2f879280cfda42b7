import { EventSummary } from '@hubline/contract';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NOW } from '../fake-api.fixture.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import { bodyHash, hmacSha256 } from '../signatures/hmac.ts';
import type { IngestRequest, Received } from '../provider.ts';
import { linear } from './linear.ts';
import { isOwnId, ownId } from './ingest/own.ts';

const SECRET = 'lin_wh_0123456789';
const credentials = { api_key: 'lin_api_x', webhook_secret: SECRET };
const DELIVERY = '234d1a4e-b617-4388-90fe-adc3633d6b72';

const sign = (body: string | Buffer, secret = SECRET) => hmacSha256(secret, [body]).toString('hex');

function call(body: string | Buffer, headers: Record<string, string> = {}): IngestRequest {
  const signed = { 'linear-signature': sign(body), 'linear-delivery': DELIVERY };
  return { headers: { ...signed, ...headers }, body: Buffer.from(body), now: NOW };
}

const team = { id: 't1', key: 'ENG', name: 'Engineering' };
const issue = { id: 'i1', identifier: 'ENG-7', title: 'Log in with a passkey', team };
const url = 'https://linear.app/acme/issue/ENG-7';

/** A payload as Linear documents it. */
const payload = (type: string, data: object, rest: object = {}) => ({
  action: 'create',
  type,
  actor: { id: 'u1', type: 'user', name: 'Ada', email: 'ada@example.com' },
  createdAt: '2026-01-02T03:04:04.000Z',
  data,
  url,
  organizationId: 'o1',
  webhookId: 'w1',
  webhookTimestamp: NOW.getTime(),
  ...rest,
});

function receive(body: unknown): Received & { kind: 'event' } {
  const received = linear.receive(call(JSON.stringify(body)), credentials);
  if (received.kind !== 'event') throw new Error(`not an event: ${JSON.stringify(received)}`);
  return received;
}

describe('the signature', () => {
  // Linear's own library reads the clock.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
  afterAll(() => void vi.useRealTimers());

  const good = JSON.stringify(payload('Issue', issue));
  const at = (milliseconds: number) =>
    JSON.stringify(payload('Issue', issue, { webhookTimestamp: NOW.getTime() + milliseconds }));
  const flipped = Buffer.from(good);
  flipped[30] = (flipped[30] ?? 0) ^ 1;

  it.each<[what: string, request: IngestRequest, ok: boolean]>([
    ['a signed call', call(good), true],
    ['a call of a minute ago', call(at(-60_000)), true],
    ['a call of a clock that is a minute ahead', call(at(60_000)), true],
    ['a call with parts of a millisecond', call(at(0.5)), true],
    ['an older call', call(at(-60_001)), false],
    ['a call of the future', call(at(60_001)), false],
    ['another secret', call(good, { 'linear-signature': sign(good, 'other') }), false],
    ['a changed byte', call(flipped, { 'linear-signature': sign(good) }), false],
    ['garbage after the signature', call(good, { 'linear-signature': `${sign(good)}00` }), false],
    ['a doubled signature', call(good, { 'linear-signature': `${sign(good)}, ${sign(good)}` }), false],
    ['an empty signature', call(good, { 'linear-signature': '' }), false],
    ['a body without a time', call('{"type":"Issue"}'), false],
    ['a time that is text', call(`{"webhookTimestamp":"${NOW.getTime()}"}`), false],
    ['a body that is not JSON', call('hello'), false],
  ])('of %s gets the same verdict as from Linear’s own library', (_what, request, ok) => {
    expect(linear.verify(request, credentials).ok).toBe(ok);
    const oracle = new LinearWebhookClient(SECRET);
    const judge = () => oracle.verify(request.body, request.headers['linear-signature'] ?? '');
    if (ok) expect(judge()).toBe(true);
    else expect(judge).toThrow();
  });

  it('is required, and so is a secret to check it with', () => {
    const { headers, ...rest } = call(good);
    const { 'linear-signature': _, ...unsigned } = headers;
    expect(linear.verify({ headers: unsigned, ...rest }, credentials).ok).toBe(false);
    expect(linear.verify(call(good), { api_key: 'x' }).ok).toBe(false);
  });

  it('covers the time, and the unsigned time header is ignored', () => {
    expect(linear.headers(credentials)).not.toContain('linear-timestamp');
    const headers = { 'linear-timestamp': String(NOW.getTime()) };
    expect(linear.verify(call(at(-3_600_000), headers), credentials).ok).toBe(false);
  });
});

describe('an event', () => {
  it('is identified by what was created, which is signed and which a search finds again', () => {
    const created = JSON.stringify(payload('Issue', issue));
    expect(linear.receive(call(created), credentials)).toMatchObject({ dedupeKey: 'create:Issue:i1' });
  });

  it('keeps the payload untouched, and the ID of its delivery', () => {
    const body = JSON.stringify({ ...payload('Issue', issue), action: 'update' }, null, 2);
    const received = linear.receive(call(body), credentials);
    expect(received).toMatchObject({ payload: body, source: 'linear', dedupeKey: DELIVERY });
    const nameless = linear.receive(call(body, { 'linear-delivery': 'a b' }), credentials);
    expect(nameless).toMatchObject({ dedupeKey: bodyHash(Buffer.from(body)) });
  });

  it.each([
    ['Issue', 'issue'],
    ['IssueLabel', 'issue'],
    ['IssueSLA', 'issue'],
    ['Comment', 'issue'],
    ['Reaction', 'issue'],
    ['Project', 'project'],
    ['ProjectUpdate', 'project_update'],
    ['Cycle', 'cycle'],
    ['Document', 'document'],
    ['OAuthApp', 'oauth_app'],
    ['', 'linear'],
    ['../x', 'linear'],
  ])('of the resource %j has the type %s', (resource, type) => {
    expect(receive(payload(resource, {})).type).toBe(type);
  });

  it('is made of whatever Linear sends', () => {
    for (const odd of oddPayloads(payload('Issue', issue))) {
      const received = linear.receive(call(JSON.stringify(odd)), credentials);
      if (received.kind !== 'malformed') eventOf(received);
    }
  });

  it('describes an issue', () => {
    const data = { ...issue, priority: 1, description: 'Long.' };
    expect(receive(payload('Issue', data, { action: 'update' })).summary).toEqual({
      action: 'update',
      actor: { id: 'u1', name: 'Ada' },
      subject: { kind: 'issue', id: 'ENG-7', name: 'Log in with a passkey', url },
      container: { kind: 'team', id: 'ENG', name: 'Engineering', url: null },
      text: 'Ada: issue update: Log in with a passkey',
      severity: 'critical',
      occurred_at: '2026-01-02T03:04:04.000Z',
    });
  });

  it('describes a comment under its issue, a service level, and an update of a project', () => {
    const link = `${url}#comment-1`;
    const comment = receive(payload('Comment', { id: 'c1', body: 'Ship **it**', issue }, { url: link }));
    expect(comment.summary).toMatchObject({
      subject: { kind: 'issue', id: 'ENG-7', url: link },
      container: { id: 'ENG' },
      text: 'Ship **it**',
    });
    const { data: _, ...sla } = payload('IssueSLA', {}, { action: 'breached' });
    expect(receive({ ...sla, issueData: { ...issue, priority: 2 } }).summary).toMatchObject({
      subject: { id: 'ENG-7' },
      severity: 'high',
    });
    const project = { id: 'p1', name: 'Passkeys', url: 'https://linear.app/acme/project/p1' };
    expect(receive(payload('ProjectUpdate', { id: 'x', body: 'On track', project })).summary).toMatchObject({
      subject: { kind: 'project_update', id: 'x', name: 'Passkeys' },
      container: { kind: 'project', name: 'Passkeys' },
      text: 'On track',
    });
  });

  it.each([
    {},
    { type: 7, data: null },
    { type: 'Issue', data: [] },
    {
      type: 'Comment',
      data: { issue: 'x', body: {} },
      actor: 'Ada',
      createdAt: 'yesterday',
      url: 'javascript:1',
    },
  ])('is made of whatever is signed: %j', (body) => {
    const { summary } = receive(body);
    expect(EventSummary.strict().parse(summary)).toEqual(summary);
  });

  it.each([
    ['that is a list', '[1]'],
    ['that is not UTF-8', Buffer.of(0x7b, 0xff)],
    ['of nothing', ''],
  ])('is not made of a body %s', (_what, body) => {
    expect(linear.receive(call(body), credentials).kind).toBe('malformed');
  });
});

describe('our own notifications', () => {
  const received = (body: object) => linear.receive(call(JSON.stringify(body)), credentials).kind;

  it('are recognized by the ID that we chose, and dropped', () => {
    const id = ownId(SECRET);
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(ownId(SECRET)).not.toBe(id);
    expect(received(payload('Comment', { id, body: 'hi', issue }))).toBe('ignored');
    expect(received(payload('Issue', { ...issue, id }))).toBe('ignored');
    expect(received(payload('Issue', { ...issue, id }, { action: 'update' }))).toBe('event');
  });

  it.each([crypto.randomUUID(), ownId('other'), '', null, 7])('are not recognized by the ID %j', (id) => {
    expect(isOwnId(id, SECRET)).toBe(false);
    expect(received(payload('Comment', { id, body: 'hi' }))).toBe('event');
  });
});
