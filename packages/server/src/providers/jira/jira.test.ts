import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkCredentials } from '../credentials.ts';
import { NOW } from '../fake-api.fixture.ts';
import { bodyHash } from '../signatures/hmac.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import type { Credentials, IngestRequest } from '../provider.ts';
import { toAdf } from './adf.ts';
import { jira } from './jira.ts';
import { verifyJwt } from './ingest/jwt.ts';
import { signText } from './ingest/own.ts';

const SECRET = "It's a Secret to Everybody";
const token = { email: 'ada@example.com', api_key: 'x', domain: 'acme.atlassian.net' };
const admin: Credentials = { ...token, webhook_secret: SECRET };
const app: Credentials = { ...token, client_secret: SECRET };

const sign = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const call = (body: string | Buffer, headers: Record<string, string> = {}): IngestRequest => ({
  headers,
  body: Buffer.from(body),
  now: NOW,
});

describe('the signature of an administrator’s webhook', () => {
  const body = 'Hello World!';
  const good = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9';

  it('is that of Atlassian’s published example', () => {
    expect(jira.verify(call(body, { 'x-hub-signature': good }), admin)).toEqual({ ok: true });
  });

  it.each<[what: string, body: string, headers: Record<string, string>]>([
    ['of another secret', body, { 'x-hub-signature': sign(body, 'other') }],
    ['of another body', 'Hello World?', { 'x-hub-signature': good }],
    ['followed by garbage', body, { 'x-hub-signature': `${good}00` }],
    ['that is doubled', body, { 'x-hub-signature': `${good}, ${good}` }],
    ['without its method', body, { 'x-hub-signature': good.slice(7) }],
    ['that is empty', body, { 'x-hub-signature': '' }],
    ['that is missing', body, {}],
    ['with a token in its place', body, { authorization: `Bearer ${jwt({ exp: 1e11 })}` }],
  ])('%s is refused', (_what, text, headers) => {
    expect(jira.verify(call(text, headers), admin).ok).toBe(false);
  });

  it('is not believed without a secret to check it with', () => {
    expect(jira.verify(call(body, { 'x-hub-signature': sign(body, '') }), token).ok).toBe(false);
  });
});

const seconds = NOW.getTime() / 1_000;
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with any content and a valid signature. */
function jwt(claims: object, { secret = SECRET, alg = 'HS256' } = {}): string {
  const signed = `${base64url({ alg, typ: 'JWT' })}.${base64url(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('the bearer token of an app’s webhook', () => {
  const verify = (authorization: string) => jira.verify(call('{}', { authorization }), app).ok;
  const good = jwt({ iat: seconds, exp: seconds + 180 });
  const [header = '', claims = '', signature = ''] = good.split('.');

  it.each<[what: string, authorization: string, ok: boolean]>([
    ['is accepted', `Bearer ${good}`, true],
    ['is accepted, however its scheme is written', `bearer  ${good}`, true],
    ['that expired within the last minute is accepted', `Bearer ${jwt({ exp: seconds - 60 })}`, true],
    ['that expired earlier is refused', `Bearer ${jwt({ exp: seconds - 61 })}`, false],
    ['without an expiry, five minutes old, is accepted', `Bearer ${jwt({ iat: seconds - 300 })}`, true],
    ['without an expiry, and older, is refused', `Bearer ${jwt({ iat: seconds - 301 })}`, false],
    ['without any time is refused', `Bearer ${jwt({ iss: 'x' })}`, false],
    ['of the future is refused', `Bearer ${jwt({ iat: seconds + 61, exp: seconds + 99 })}`, false],
    ['that is not valid yet is refused', `Bearer ${jwt({ nbf: seconds + 61, exp: seconds + 99 })}`, false],
    ['whose times are texts is refused', `Bearer ${jwt({ exp: String(seconds + 60) })}`, false],
    ['of another secret is refused', `Bearer ${jwt({ exp: seconds + 9 }, { secret: 'other' })}`, false],
    ['of another algorithm is refused', `Bearer ${jwt({ exp: seconds + 9 }, { alg: 'HS512' })}`, false],
    ['without an algorithm is refused', `Bearer ${base64url({ alg: 'none' })}.${claims}.`, false],
    [
      'with other claims is refused',
      `Bearer ${header}.${base64url({ exp: seconds + 999 })}.${signature}`,
      false,
    ],
    ['with a fourth part is refused', `Bearer ${good}.x`, false],
    ['that is not a token is refused', 'Bearer x', false],
    ['in another scheme is refused', `Basic ${good}`, false],
    ['that is doubled is refused', `Bearer ${good}, Bearer ${good}`, false],
    ['that is missing is refused', '', false],
  ])('%s', (_what, authorization, ok) => {
    expect(verify(authorization)).toBe(ok);
  });

  it('is needed: a signed body does not replace it', () => {
    expect(jira.verify(call('{}', { 'x-hub-signature': sign('{}') }), app).ok).toBe(false);
  });

  it('follows the example of RFC 7515, A.1', () => {
    const example =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const key = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow';
    const secret = Buffer.from(key, 'base64url');
    expect(verifyJwt(example, { secret, now: new Date(1_300_819_380_000) })).toEqual({ ok: true });
    expect(verifyJwt(example, { secret, now: NOW }).ok).toBe(false);
  });
});

describe('credentials', () => {
  it('decide how calls are proved', () => {
    expect(jira.signing(admin)).toMatchObject({ name: 'webhook_secret', generate: expect.any(Function) });
    expect(jira.signing(app)).toEqual({ name: 'client_secret' });
    expect(checkCredentials(jira, { ...token, project: 'OPS' })).toEqual([]);
    expect(checkCredentials(jira, app)).toEqual([]);
    expect(checkCredentials(jira, { ...app, webhook_secret: 'x' })).not.toEqual([]);
  });

  it.each([
    [{ email: 'ada' }, 'email'],
    [{ email: 'ada:x@example.com' }, 'email'],
    [{ domain: 'https://acme.atlassian.net' }, 'domain'],
    [{ project: 'ops' }, 'project'],
    [{ project: 'OPS" OR 1=1' }, 'project'],
  ])('are refused: %j', (given, name) => {
    expect(checkCredentials(jira, { ...token, ...given })).toMatchObject([{ field: `credentials.${name}` }]);
  });
});

const user = { accountId: 'a1', displayName: 'Ada Lovelace' };
const project = { key: 'OPS', name: 'Operations' };
const issue = {
  id: '10002',
  key: 'OPS-7',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10002',
  fields: { summary: 'Disk is full', priority: { name: 'Highest' }, project },
};
const site = 'https://acme.atlassian.net';

/** Payloads as Atlassian documents them. */
const PAYLOADS = {
  updated: {
    timestamp: NOW.getTime(),
    webhookEvent: 'jira:issue_updated',
    issue_event_type_name: 'issue_generic',
    user,
    issue,
    changelog: {
      id: '1',
      items: [
        { field: 'status', from: '1', fromString: 'To Do', to: '3', toString: 'Done' },
        { field: 'assignee', from: null, fromString: null, to: 'a1', toString: 'Ada Lovelace' },
        { field: 'description', fromString: 'x'.repeat(100), toString: 'y' },
      ],
    },
  },
  comment: {
    timestamp: NOW.getTime(),
    webhookEvent: 'comment_created',
    comment: { id: '55', author: user, updateAuthor: user, body: 'Freed  *20 GB*' },
    issue,
  },
  sprint: {
    timestamp: NOW.getTime(),
    webhookEvent: 'sprint_started',
    sprint: { id: 4, name: 'Sprint 4', state: 'active' },
  },
  project: { timestamp: NOW.getTime(), webhookEvent: 'project_created', project: { id: 1, ...project } },
};

const receive = (body: unknown, credentials = admin) => jira.receive(call(JSON.stringify(body)), credentials);

describe('an event', () => {
  it('keeps the payload untouched, and is identified by the change, which is signed and which a search finds again', () => {
    const body = JSON.stringify(PAYLOADS.updated, null, 2);
    const headers = { 'x-atlassian-webhook-identifier': '3f1e-77' };
    expect(jira.receive(call(body, headers), admin)).toMatchObject({
      payload: body,
      source: 'jira',
      dedupeKey: 'changed:10002:1',
    });
    const comment = { id: '501', updated: '2026-01-02T03:04:05.000+0100' };
    const named = (webhookEvent: string) => receive({ webhookEvent, issue: { id: '7' }, comment });
    expect(named('jira:issue_created')).toMatchObject({ dedupeKey: 'created:7' });
    expect(named('comment_created')).toMatchObject({ dedupeKey: 'commented:501' });
    const rewritten = { dedupeKey: 'rewritten:501:2026-01-02T02:04:05.000Z' };
    expect(named('comment_updated')).toMatchObject(rewritten);
  });

  it('is identified by the call, which retries keep, when it has no change of its own', () => {
    const body = JSON.stringify({ webhookEvent: 'sprint_closed', sprint: { id: 1 } });
    const headers = { 'x-atlassian-webhook-identifier': '3f1e-77' };
    expect(jira.receive(call(body, headers), admin)).toMatchObject({ dedupeKey: '3f1e-77' });
    expect(jira.receive(call(body), admin)).toMatchObject({ dedupeKey: bodyHash(Buffer.from(body)) });
  });

  it.each([
    ['jira:issue_created', 'issue', 'created'],
    ['comment_deleted', 'issue', 'deleted'],
    ['jira:worklog_updated', 'issue', 'updated'],
    ['worklog_created', 'issue', 'created'],
    ['attachment_created', 'issue', 'created'],
    ['issuelink_deleted', 'issue', 'deleted'],
    ['issue_property_set', 'issue', 'set'],
    ['issuetype_created', 'issuetype', 'created'],
    ['sprint_closed', 'sprint', 'closed'],
    ['jira:version_released', 'version', 'released'],
    ['option_voting_changed', 'option_voting', 'changed'],
    ['board', 'board', null],
    ['../x', 'jira', null],
    [undefined, 'jira', null],
  ])('%j has its type and action', (webhookEvent, type, action) => {
    const event = eventOf(receive({ webhookEvent }));
    expect([event.type, event.summary.action]).toEqual([type, action]);
  });

  it('describes an issue and its changes', () => {
    expect(eventOf(receive(PAYLOADS.updated)).summary).toEqual({
      action: 'updated',
      actor: { id: 'a1', name: 'Ada Lovelace' },
      subject: { kind: 'issue', id: 'OPS-7', name: 'Disk is full', url: `${site}/browse/OPS-7` },
      container: { kind: 'project', id: 'OPS', name: 'Operations', url: `${site}/browse/OPS` },
      text: 'Ada Lovelace: issue updated: Disk is full (status: To Do → Done, assignee: none → Ada Lovelace, description)',
      severity: 'critical',
      occurred_at: NOW.toISOString(),
    });
  });

  it('describes a comment, in markup or as a document, with its place', () => {
    const url = `${site}/browse/OPS-7?focusedCommentId=55`;
    for (const body of [PAYLOADS.comment.comment.body, toAdf('Freed *20 GB*')]) {
      const { comment, ...rest } = PAYLOADS.comment;
      expect(eventOf(receive({ ...rest, comment: { ...comment, body } })).summary).toMatchObject({
        actor: { id: 'a1', name: 'Ada Lovelace' },
        subject: { kind: 'issue', id: 'OPS-7', url },
        text: 'Freed *20 GB*',
      });
    }
    const { issue: _, ...alone } = PAYLOADS.comment;
    expect(eventOf(receive(alone)).summary).toMatchObject({
      subject: { kind: 'comment', id: '55' },
      container: null,
    });
  });

  it('describes a sprint and a project', () => {
    expect(eventOf(receive(PAYLOADS.sprint)).summary).toMatchObject({
      actor: null,
      subject: { kind: 'sprint', id: '4', name: 'Sprint 4' },
      text: 'sprint started: Sprint 4',
    });
    expect(eventOf(receive(PAYLOADS.project)).summary).toMatchObject({
      subject: { kind: 'project', id: 'OPS', url: `${site}/browse/OPS` },
      container: { id: 'OPS' },
    });
  });

  it('is made of whatever Jira sends', () => {
    for (const payload of Object.values(PAYLOADS)) {
      for (const odd of oddPayloads(payload)) {
        const received = receive(odd);
        if (received.kind === 'event') eventOf(received);
      }
    }
  });

  it.each([
    ['a list', '[1]'],
    ['not UTF-8', Buffer.of(0x7b, 0xff)],
    ['empty', ''],
  ])('is not made of a body that is %s', (_what, body) => {
    expect(jira.receive(call(body), admin).kind).toBe('malformed');
  });
});

describe('our own notifications', () => {
  const { comment, ...rest } = PAYLOADS.comment;
  const commented = (body: unknown, webhookEvent = 'comment_created') => ({
    ...rest,
    webhookEvent,
    comment: { ...comment, body },
  });
  const opened = (description: unknown, webhookEvent = 'jira:issue_created') => ({
    webhookEvent,
    issue: { ...issue, fields: { ...issue.fields, description } },
  });
  const own = signText('Hi', SECRET);

  it('are dropped, even when they come a second time as a change of their issue', () => {
    for (const body of [own, `${own}\r\n`, toAdf(own)]) {
      expect(receive(commented(body)).kind).toBe('ignored');
      expect(receive(commented(body, 'jira:issue_updated')).kind).toBe('ignored');
      expect(receive(opened(body)).kind).toBe('ignored');
    }
    expect(receive(commented(own), app).kind).toBe('ignored');
  });

  it('that others wrote, quote or change are events', () => {
    expect(receive(commented(signText('Hi', 'other'))).kind).toBe('event');
    expect(receive(commented(`${own}\nI agree`)).kind).toBe('event');
    expect(receive(commented('Sent by Hubline: 00')).kind).toBe('event');
    expect(receive(commented(own, 'comment_updated')).kind).toBe('event');
    expect(receive(opened(own, 'jira:issue_deleted')).kind).toBe('event');
    expect(receive(opened(own, 'jira:issue_updated')).kind).toBe('event');
  });
});
