import { createHmac, createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { EventSummary } from '@hubline/contract';
import { sign } from '@octokit/webhooks-methods';
import { describe, expect, it } from 'vitest';
import { github } from './github.ts';
import { stamp } from '../signatures/stamp.ts';
import type { IngestRequest, Received } from '../provider.ts';

interface Definition {
  name: string;
  examples: Record<string, unknown>[];
}

const SECRET = "It's a Secret to Everybody";
const NOW = new Date('2026-01-02T03:04:05.000Z');
const definitions = createRequire(import.meta.url)('@octokit/webhooks-examples') as Definition[];
const examples = definitions.flatMap(({ name, examples }) =>
  examples.map((payload, index) => ({
    event: name,
    id: `${name}-${index}`,
    payload,
    body: JSON.stringify(payload),
  })),
);

function request(body: string | Buffer, headers: Record<string, string> = {}): IngestRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body), now: NOW };
}

const signed = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function receive(body: string | Buffer, headers: Record<string, string> = {}): Received {
  return github.receive(request(body, { 'x-github-event': 'issues', ...headers }), {
    webhook_secret: SECRET,
  });
}

function eventOf(received: Received): Received & { kind: 'event' } {
  if (received.kind !== 'event') throw new Error(`not an event: ${JSON.stringify(received)}`);
  return received;
}

describe('every payload that GitHub publishes', () => {
  it('is there', () => {
    expect(examples).toHaveLength(329);
  });

  it.each(examples)('goes in signed and comes out untouched: $id', async ({ event, id, body }) => {
    const headers = {
      'x-hub-signature-256': await sign(SECRET, body),
      'x-github-event': event,
      'x-github-delivery': id,
    };
    const credentials = { token: 'ghp_x', webhook_secret: SECRET };
    expect(github.verify(request(body, headers), credentials)).toEqual({ ok: true });

    const flipped = Buffer.from(body);
    flipped[body.length >> 1] = (flipped[body.length >> 1] ?? 0) ^ 1;
    expect(github.verify(request(flipped, headers), credentials).ok).toBe(false);
    expect(github.verify(request(body, headers), { ...credentials, webhook_secret: 'other' }).ok).toBe(false);

    const received = github.receive(request(body, headers), credentials);
    if (event === 'ping') return expect(received).toEqual({ kind: 'ping', reason: 'ping' });
    const { payload, summary, dedupeKey, source } = eventOf(received);
    expect(payload).toBe(body);
    expect([dedupeKey, source]).toEqual([id, 'github']);
    expect(EventSummary.strict().parse(summary)).toEqual(summary);
    expect(summary.text).toMatch(/^\S.{0,278}\S$/u);
    for (const url of [summary.subject?.url, summary.container?.url])
      expect(url ?? 'https://').toMatch(/^https?:\/\//);
  });

  it('has a common type, or keeps its own name', () => {
    const counts: Record<string, number> = {};
    const missing = { actor: 0, subject: 0, container: 0, action: 0 };
    for (const { event, body } of examples.filter(({ event }) => event !== 'ping')) {
      const { type, summary } = eventOf(receive(body, { 'x-github-event': event }));
      const common = ['pull_request', 'issue', 'commit', 'message', 'push'].includes(type) ? type : 'own';
      if (common === 'own') expect(type).toBe(event);
      counts[common] = (counts[common] ?? 0) + 1;
      missing.actor += Number(summary.actor === null);
      missing.subject += Number(!summary.subject?.name);
      missing.container += Number(summary.container === null);
      missing.action += Number(summary.action === null);
    }
    expect(counts).toEqual({ pull_request: 41, issue: 38, commit: 27, message: 19, push: 7, own: 193 });
    expect(missing).toEqual({ actor: 4, subject: 10, container: 14, action: 0 });
  });
});

describe('the signature', () => {
  const body = Buffer.from('Hello, World!');
  const good = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const verify = (headers: Record<string, string>, bytes = body, secret = SECRET) =>
    github.verify(request(bytes, headers), { webhook_secret: secret }).ok;

  it.each([
    [SECRET, body, good],
    [
      'mysecret',
      Buffer.from('{"foo":"bar"}'),
      'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
    ],
    [
      SECRET,
      Buffer.from('Hello World!'),
      'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
    ],
    [
      'whsec_test_secret',
      Buffer.of(),
      'sha256=c6c175a074d482e2b94a0f8c5619f3abd861a511ec3ea7603b906811fd3d9d30',
    ],
    [
      'whsec_test_secret',
      Buffer.from('fffe0080', 'hex'),
      'sha256=d246cfed277d09b78f7e66cd865876ad41e877c71d7b2815d7efbcb9c4fc5f2c',
    ],
    [
      'sécret-🔑',
      Buffer.from('{"m":"naïve 😀"}'),
      'sha256=b43b2e057c93ba38a55a2046d4ea76644518208541ee57fbbf6794b3c3e42dfc',
    ],
  ])('of the published vector with key %j is accepted', (secret, bytes, signature) => {
    expect(verify({ 'x-hub-signature-256': signature }, bytes, secret)).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['no prefix', good.slice(7)],
    ['another prefix', good.replace('sha256=', 'sha512=')],
    ['one digit less', good.slice(0, -1)],
    ['garbage after it', `${good}zz`],
    ['one digit more', `${good}0`],
    ['a digit that is not one', `${good.slice(0, -1)}g`],
    ['two headers, joined', `${good}, ${good}`],
    ['white space around it', ` ${good} `],
    ['base64', `sha256=${Buffer.from(good.slice(7), 'hex').toString('base64')}`],
    ['the prefix alone', 'sha256='],
  ])('that is %s is refused', (_what, signature) => {
    expect(verify(signature === undefined ? {} : { 'x-hub-signature-256': signature })).toBe(false);
  });

  it('of SHA-1 alone is refused, and the log says why', () => {
    const sha1 = createHmac('sha1', SECRET).update(body).digest('hex');
    expect(
      github.verify(request(body, { 'x-hub-signature': `sha1=${sha1}` }), { webhook_secret: SECRET }),
    ).toEqual({
      ok: false,
      reason: 'signed with SHA-1 only',
    });
  });

  it('is never accepted without a secret to check it with', () => {
    const empty = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`;
    expect(github.verify(request(body, { 'x-hub-signature-256': empty }), {}).ok).toBe(false);
    expect(github.verify(request(body, { 'x-hub-signature-256': empty }), { webhook_secret: '' }).ok).toBe(
      false,
    );
  });

  it('covers a trailing newline and a byte order mark', () => {
    for (const bytes of ['{}\n', '\uFEFF{}', '{}']) {
      expect(verify({ 'x-hub-signature-256': signed('{}') }, Buffer.from(bytes))).toBe(bytes === '{}');
    }
  });
});

describe('the body', () => {
  it('may be a form: the payload field is what comes out', () => {
    const json = '{"action":"opened","issue":{"number":1,"title":"a+b & c=d %20 ü 😀"}}\n';
    const body = `payload=${encodeURIComponent(json).replaceAll('%20', '+')}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-hub-signature-256': signed(body),
    };
    expect(github.verify(request(body, headers), { webhook_secret: SECRET }).ok).toBe(true);
    const { payload, summary } = eventOf(receive(body, headers));
    expect(payload).toBe(json);
    expect(summary.subject?.name).toBe('a+b & c=d %20 ü 😀');
  });

  it('keeps its spacing, its big numbers and its repeated keys', () => {
    const body = '{ "number" : 12345678901234567890, "a": 1.0, "a": 2 }\r\n';
    expect(eventOf(receive(body)).payload).toBe(body);
  });

  it.each<[what: string, body: string | Buffer, issue: string]>([
    ['nothing', '', 'is empty; it must be JSON'],
    ['no JSON', '{a}', 'is not JSON'],
    ['an array', '[1]', 'is not a JSON object'],
    ['a text', '"text"', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['not UTF-8', Buffer.from('7b22ff227d', 'hex'), 'is not UTF-8'],
    ['65 levels deep', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'is nested deeper than 64 levels'],
    ['half a million brackets', '['.repeat(500_000), 'is nested deeper than 64 levels'],
    [
      'half a million levels deep',
      '['.repeat(500_000) + ']'.repeat(500_000),
      'is nested deeper than 64 levels',
    ],
  ])('that is %s is malformed', (_what, body, issue) => {
    expect(receive(body)).toEqual({ kind: 'malformed', issue });
  });

  it.each(['', 'a=b', 'payload=%ff', 'payload=', 'payload'])('that is the form %j is malformed', (body) => {
    expect(receive(body, { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }).kind).toBe(
      'malformed',
    );
  });

  it.each(['', 'Issues', 'issues, issues', 'a'.repeat(101), '../x'])(
    'with the event name %j is malformed',
    (name) => {
      expect(receive('{}', { 'x-github-event': name }).kind).toBe('malformed');
    },
  );

  it.each([
    '{}',
    '{"issue":null,"sender":[],"repository":"x","action":{}}',
    '{"issue":{"title":{},"number":"x","html_url":"javascript:alert(1)","updated_at":"yesterday"},"action":7}',
    '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"issue":{"__proto__":{"title":"x"}}}',
    '{"issue":{"title":"\\u0000\\ud800 a\\n b"},"sender":{"login":"\\ud83d"}}',
    `{"issue":{"title":"${'x'.repeat(100_000)}","html_url":"https://github.com/${'y'.repeat(100_000)}"}}`,
  ])('of an unexpected shape is still an event: %#', (body) => {
    const { payload, summary } = eventOf(receive(body));
    expect(payload).toBe(body);
    expect(EventSummary.strict().parse(summary)).toEqual(summary);
    expect(JSON.stringify(summary)).not.toMatch(/\\u0000|\\ud83d|javascript:/);
    expect(JSON.stringify(summary).length).toBeLessThan(2_000);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('keeps an event of a kind that does not exist yet', () => {
    const body =
      '{"action":"melted","glacier":{"id":7,"name":"Aletsch","html_url":"https://github.com/g/7"}}';
    expect(eventOf(receive(body, { 'x-github-event': 'glacier' }))).toMatchObject({
      type: 'glacier',
      summary: {
        action: 'melted',
        subject: { kind: 'glacier', id: '7', name: 'Aletsch', url: 'https://github.com/g/7' },
        text: 'glacier melted: Aletsch',
      },
    });
    for (const name of ['constructor', '__proto__', 'tostring']) {
      expect(eventOf(receive('{}', { 'x-github-event': name })).type).toBe(name);
    }
  });
});

describe('the dedupe key', () => {
  it('is the delivery ID, which redeliveries keep', () => {
    const delivery = '72d3162e-cc78-11e3-81ab-4c9367dc0958';
    expect(eventOf(receive('{}', { 'x-github-delivery': delivery })).dedupeKey).toBe(delivery);
  });

  it.each(['', 'a b', 'x'.repeat(101), 'a, b'])(
    'falls back to the body for the delivery ID %j',
    (delivery) => {
      const expected = `sha256:${createHash('sha256').update('{}').digest('hex')}`;
      expect(eventOf(receive('{}', { 'x-github-delivery': delivery })).dedupeKey).toBe(expected);
    },
  );
});

describe('the summary', () => {
  const summaryOf = (event: string, payload: object) =>
    eventOf(receive(JSON.stringify(payload), { 'x-github-event': event })).summary;

  it('says who did what to what, where and when', () => {
    const opened = examples.find(
      ({ event, payload }) => event === 'pull_request' && payload['action'] === 'opened',
    );
    expect(summaryOf('pull_request', opened?.payload ?? {})).toEqual({
      action: 'opened',
      actor: { id: '21031067', name: 'Codertocat' },
      subject: {
        kind: 'pull_request',
        id: 'Codertocat/Hello-World#2',
        name: 'Update the README with new information.',
        url: 'https://github.com/Codertocat/Hello-World/pull/2',
      },
      container: {
        kind: 'repo',
        id: 'Codertocat/Hello-World',
        name: 'Codertocat/Hello-World',
        url: 'https://github.com/Codertocat/Hello-World',
      },
      text: 'Codertocat: pull request opened: Update the README with new information.',
      severity: 'none',
      occurred_at: '2019-05-15T15:20:33.000Z',
    });
  });

  it.each([
    ['push', { ref: 'refs/heads/main' }, { kind: 'branch', id: 'refs/heads/main', name: 'main' }],
    ['push', { ref: 'refs/tags/v1' }, { kind: 'tag', id: 'refs/tags/v1', name: 'v1' }],
    ['create', { ref: 'feature/x', ref_type: 'branch' }, { kind: 'branch', name: 'feature/x' }],
    ['push', {}, { kind: 'branch', id: null, name: null }],
  ])('names the ref of %s %j', (event, payload, subject) => {
    expect(summaryOf(event, payload).subject).toMatchObject(subject);
  });

  it.each([
    ['dependabot_alert', { alert: { security_advisory: { severity: 'critical' } } }, 'critical'],
    ['dependabot_alert', { alert: { security_advisory: { severity: 'CRITICAL' } } }, 'critical'],
    [
      'code_scanning_alert',
      { alert: { rule: { severity: 'error', security_severity_level: 'medium' } } },
      'medium',
    ],
    ['code_scanning_alert', { alert: { rule: { severity: 'error' } } }, 'high'],
    ['code_scanning_alert', { alert: { rule: { severity: 'note' } } }, 'low'],
    ['security_advisory', { security_advisory: { severity: 'moderate' } }, 'medium'],
    ['secret_scanning_alert', {}, 'high'],
    ['workflow_run', { workflow_run: { conclusion: 'failure' } }, 'high'],
    ['workflow_run', { workflow_run: { conclusion: 'success' } }, 'none'],
    ['workflow_run', { workflow_run: { conclusion: null } }, 'none'],
    ['deployment_status', { deployment_status: { state: 'error' } }, 'high'],
    ['status', { state: 'failure' }, 'high'],
    ['check_run', { check_run: { conclusion: 'timed_out' } }, 'high'],
    ['issues', { issue: { severity: 'critical' } }, 'none'],
    ['dependabot_alert', { alert: { security_advisory: { severity: 'constructor' } } }, 'none'],
  ])('rates %s %j as %s', (event, payload, severity) => {
    expect(summaryOf(event, payload).severity).toBe(severity);
  });

  it('converts times to UTC, from text and from Unix seconds', () => {
    expect(summaryOf('issues', { issue: { updated_at: '2024-02-03T04:05:06+02:00' } }).occurred_at).toBe(
      '2024-02-03T02:05:06.000Z',
    );
    expect(summaryOf('push', { repository: { pushed_at: 1_557_933_657 } }).occurred_at).toBe(
      '2019-05-15T15:20:57.000Z',
    );
    expect(summaryOf('issues', { issue: { updated_at: '2024-02-30T04:05:06Z' } }).occurred_at).toBeNull();
  });
});

describe('a notification of our own', () => {
  const body = stamp('Deployed\r\nv2', SECRET);

  it.each([
    ['issue_comment', { action: 'created', comment: { body } }],
    ['issue_comment', { action: 'created', comment: { body: body.replaceAll('\r\n', '\n') } }],
    ['issues', { action: 'opened', issue: { body } }],
  ])('does not come back as an event: %s', (event, payload) => {
    expect(receive(JSON.stringify(payload), { 'x-github-event': event }).kind).toBe('ignored');
  });

  it.each([
    ['somebody else’s text under our stamp', { action: 'created', comment: { body: `evil ${body}` } }],
    ['a stamp of another secret', { action: 'created', comment: { body: stamp('Deployed', 'other') } }],
    ['a stamp that is not one', { action: 'created', comment: { body: 'x\n\n<!-- hubline:00 -->' } }],
    ['a later edit', { action: 'edited', comment: { body } }],
  ])('is not imitated by %s', (_what, payload) => {
    expect(receive(JSON.stringify(payload), { 'x-github-event': 'issue_comment' }).kind).toBe('event');
  });
});
