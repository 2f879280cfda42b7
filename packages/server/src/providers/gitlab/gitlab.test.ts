import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkCredentials } from '../credentials.ts';
import { NOW } from '../fake-api.fixture.ts';
import { bodyHash } from '../signatures/hmac.ts';
import { eventOf, oddPayloads } from '../odd-payloads.fixture.ts';
import type { Credentials, IngestRequest } from '../provider.ts';
import { stamp } from '../signatures/stamp.ts';
import { gitlab } from './gitlab.ts';

const SIGNING_TOKEN = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const SECRET = 'ingest-secret';
const signed: Credentials = { token: 'glpat-x', signing_token: SIGNING_TOKEN };
const plain: Credentials = { token: 'glpat-x', webhook_secret: SECRET };
const ID = '7f1a0a4e-6d3e-4f6c-9a62-1f9c0f5e2b11';
const seconds = (offset = 0) => String(Math.floor(NOW.getTime() / 1_000) + offset);

const call = (body: string | Buffer, headers: Record<string, string>): IngestRequest => ({
  headers: { 'x-gitlab-event': 'Push Hook', 'idempotency-key': ID, 'webhook-id': ID, ...headers },
  body: Buffer.from(body),
  now: NOW,
});

/** The headers of a call that GitLab signs, made by the Standard Webhooks package. */
function signature(body: string, { offset = 0, token = SIGNING_TOKEN, id = ID } = {}) {
  const time = new Date(Number(seconds(offset)) * 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds(offset),
    'webhook-signature': new Webhook(token).sign(id, time, body),
  };
}

describe('a call with a signing token', () => {
  // The package reads the clock.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
  afterAll(() => void vi.useRealTimers());

  const body = '{"object_kind":"push","user_name":"Zoë"}';
  const good = signature(body);
  const other = signature(body, { token: `whsec_${Buffer.alloc(32, 8).toString('base64')}` });
  const both = `${other['webhook-signature']} ${good['webhook-signature']}`;

  it.each<[what: string, headers: Record<string, string>, ok: boolean]>([
    ['is accepted', good, true],
    ['of five minutes ago is accepted', signature(body, { offset: -300 }), true],
    ['of a clock five minutes ahead is accepted', signature(body, { offset: 300 }), true],
    ['that is older is refused', signature(body, { offset: -301 }), false],
    ['of the future is refused', signature(body, { offset: 301 }), false],
    ['signed with the old token and the new is accepted', { ...good, 'webhook-signature': both }, true],
    ['signed with another token is refused', other, false],
    ['signed for another ID is refused', { ...good, 'webhook-id': 'other' }, false],
    [
      'of another version is refused',
      { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') },
      false,
    ],
    [
      'with garbage after the signature is refused',
      { ...good, 'webhook-signature': `${good['webhook-signature']}AA` },
      false,
    ],
    ['without a time is refused', { ...good, 'webhook-timestamp': '' }, false],
    ['without a signature is refused', { ...good, 'webhook-signature': '' }, false],
  ])('%s, as the Standard Webhooks package decides', (_what, headers, ok) => {
    expect(gitlab.verify(call(body, headers), signed).ok).toBe(ok);
    const judge = () => new Webhook(SIGNING_TOKEN).verify(body, headers);
    if (ok) expect(judge()).toEqual(JSON.parse(body));
    else expect(judge).toThrow();
  });

  it('with one changed byte is refused', () => {
    const flipped = Buffer.from(body);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    expect(gitlab.verify(call(flipped, good), signed).ok).toBe(false);
  });

  it('needs a signature: neither an ID and a time nor a token replaces it', () => {
    const { 'webhook-signature': _, ...unsigned } = good;
    expect(gitlab.verify(call(body, unsigned), signed).ok).toBe(false);
    const token = { ...unsigned, 'x-gitlab-token': SIGNING_TOKEN };
    expect(gitlab.verify(call(body, token), signed).ok).toBe(false);
    expect(
      gitlab.verify(call(body, { ...token, 'x-gitlab-token': SECRET }), { ...signed, ...plain }).ok,
    ).toBe(false);
  });

  it('follows the published example of Standard Webhooks', () => {
    const example = {
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: Buffer.from('{"test": 2432232314}'),
      now: new Date(1_614_265_330_000),
    };
    expect(gitlab.verify(example, { signing_token: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).toEqual({
      ok: true,
    });
  });

  it('is identified by the signed ID', () => {
    const headers = { ...good, 'idempotency-key': 'anything' };
    expect(gitlab.receive(call(body, headers), signed)).toMatchObject({ dedupeKey: ID });
  });
});

describe('a call with a secret token', () => {
  it.each<[what: string, headers: Record<string, string>, ok: boolean]>([
    ['is accepted', { 'x-gitlab-token': SECRET }, true],
    [
      'with an ID and a time as well is accepted',
      { 'x-gitlab-token': SECRET, 'webhook-timestamp': '1' },
      true,
    ],
    ['with another token is refused', { 'x-gitlab-token': `${SECRET}!` }, false],
    ['with two tokens is refused', { 'x-gitlab-token': `${SECRET}, ${SECRET}` }, false],
    ['with an empty token is refused', { 'x-gitlab-token': '' }, false],
    ['without a token is refused', {}, false],
    ['with a signature in its place is refused', signature('{}'), false],
  ])('%s', (_what, headers, ok) => {
    expect(gitlab.verify(call('{}', headers), plain).ok).toBe(ok);
  });

  it('is refused when there is no secret to check it with', () => {
    expect(gitlab.verify(call('{}', { 'x-gitlab-token': '' }), { token: 'x' }).ok).toBe(false);
  });

  it('is identified by its idempotency key or, without one, by its body', () => {
    const body = Buffer.from('{}');
    expect(gitlab.receive(call(body, {}), plain)).toMatchObject({ dedupeKey: ID });
    const nameless = call(body, { 'idempotency-key': 'a b' });
    expect(gitlab.receive(nameless, plain)).toMatchObject({ dedupeKey: bodyHash(body) });
  });
});

describe('the way to prove calls', () => {
  it('is the one whose credentials are given', () => {
    expect(gitlab.signing(plain)).toMatchObject({ name: 'webhook_secret', generate: expect.any(Function) });
    expect(gitlab.signing(signed)).toEqual({ name: 'signing_token' });
    expect(checkCredentials(gitlab, signed)).toEqual([]);
    expect(checkCredentials(gitlab, { ...signed, webhook_secret: 'x' })).not.toEqual([]);
    for (const token of ['whsec_short', SIGNING_TOKEN.slice(6), `${SIGNING_TOKEN}=`])
      expect(checkCredentials(gitlab, { token: 'x', signing_token: token })).toMatchObject([
        { field: 'credentials.signing_token' },
      ]);
  });

  it('needs only a token, and accepts one place for the webhook', () => {
    expect(
      checkCredentials(gitlab, { token: 'x', domain: 'gitlab.acme.example', project: 'a/b/c.d' }),
    ).toEqual([]);
    expect(checkCredentials(gitlab, { token: 'x', group: 'acme' })).toEqual([]);
    const issues = (given: Credentials) =>
      checkCredentials(gitlab, { token: 'x', ...given }).map(({ field }) => field);
    expect(issues({ project: 'a/b', group: 'a' })).toEqual(['credentials.group']);
    expect(issues({ project: 'web' })).toEqual(['credentials.project']);
    expect(issues({ project: '../x?y' })).toEqual(['credentials.project']);
  });
});

const project = {
  id: 1,
  path_with_namespace: 'acme/tools/web',
  web_url: 'https://gitlab.com/acme/tools/web',
};
const user = { id: 7, name: 'Ada Lovelace', username: 'ada' };
const web = project.web_url;
const mergeRequest = { id: 90, iid: 34, title: 'Passkeys', url: `${web}/-/merge_requests/34` };

/** Payloads as GitLab documents them. */
const PAYLOADS = {
  push: {
    object_kind: 'push',
    event_name: 'push',
    before: 'a'.repeat(40),
    after: 'b'.repeat(40),
    ref: 'refs/heads/feature/x',
    user_id: 7,
    user_name: 'Ada Lovelace',
    user_username: 'ada',
    project,
    commits: [{ message: 'First' }, { message: 'Second\n\nMore.', timestamp: '2011-12-12T14:27:31+02:00' }],
  },
  merge_request: {
    object_kind: 'merge_request',
    user,
    project,
    object_attributes: {
      ...mergeRequest,
      action: 'merge',
      state: 'merged',
      updated_at: '2026-01-02 03:04:00 UTC',
    },
  },
  note: {
    object_kind: 'note',
    user,
    project,
    object_attributes: {
      id: 5,
      note: 'Looks **good**',
      noteable_type: 'MergeRequest',
      action: 'create',
      url: `${web}/-/merge_requests/34#note_5`,
    },
    merge_request: mergeRequest,
  },
  pipeline: {
    object_kind: 'pipeline',
    user,
    project,
    object_attributes: {
      id: 31,
      ref: 'main',
      status: 'failed',
      finished_at: '2026-01-02 03:04:00 UTC',
      url: `${web}/-/pipelines/31`,
    },
  },
  deployment: {
    object_kind: 'deployment',
    status: 'success',
    status_changed_at: '2026-01-02 05:04:00 +0200',
    deployment_id: 15,
    deployable_url: `${web}/-/jobs/796`,
    environment: 'staging',
    project,
    user,
  },
};

const receive = (body: unknown, header = 'Push Hook', credentials: Credentials = plain) =>
  gitlab.receive(call(JSON.stringify(body), { 'x-gitlab-event': header }), credentials);

describe('an event', () => {
  it('keeps the payload untouched', () => {
    const body = JSON.stringify(PAYLOADS.push, null, 2);
    expect(gitlab.receive(call(body, {}), plain)).toMatchObject({ payload: body, source: 'gitlab' });
  });

  it.each<[object, string, string]>([
    [{ object_kind: 'push' }, 'Push Hook', 'push'],
    [{ object_kind: 'tag_push' }, 'Tag Push Hook', 'push'],
    [{ object_kind: 'merge_request' }, 'Merge Request Hook', 'pull_request'],
    [{ object_kind: 'issue' }, 'Issue Hook', 'issue'],
    [{ object_kind: 'work_item' }, 'Work Item Hook', 'issue'],
    [
      { object_kind: 'note', object_attributes: { noteable_type: 'MergeRequest' } },
      'Note Hook',
      'pull_request',
    ],
    [{ object_kind: 'note', object_attributes: { noteable_type: 'Issue' } }, 'Note Hook', 'issue'],
    [{ object_kind: 'note', object_attributes: { noteable_type: 'Commit' } }, 'Note Hook', 'commit'],
    [{ object_kind: 'note', object_attributes: { noteable_type: 'Snippet' } }, 'Note Hook', 'message'],
    [{ object_kind: 'note', object_attributes: { noteable_type: 'constructor' } }, 'Note Hook', 'note'],
    [{ object_kind: 'pipeline' }, 'Pipeline Hook', 'pipeline'],
    [{ object_kind: 'build' }, 'Job Hook', 'job'],
    [{ object_kind: 'feature_flag' }, 'Feature Flag Hook', 'feature_flag'],
    [{ event_name: 'user_add_to_group' }, 'Member Hook', 'user_add_to_group'],
    [{}, 'Subgroup Hook', 'subgroup'],
    [{ object_kind: 7 }, '', 'gitlab'],
    [{ object_kind: '../x y' }, '', 'x_y'],
  ])('%j has its type', (body, header, type) => {
    expect(eventOf(receive(body, header)).type).toBe(type);
  });

  it('describes a push, with the message of its last commit and no commit time', () => {
    expect(eventOf(receive(PAYLOADS.push)).summary).toEqual({
      action: 'pushed',
      actor: { id: '7', name: 'ada' },
      subject: { kind: 'branch', id: 'refs/heads/feature/x', name: 'feature/x', url: web },
      container: { kind: 'project', id: 'acme/tools/web', name: 'acme/tools/web', url: web },
      text: 'Second More.',
      severity: 'none',
      occurred_at: null,
    });
    const none = '0'.repeat(40);
    expect(eventOf(receive({ ...PAYLOADS.push, before: none })).summary.action).toBe('created');
    expect(eventOf(receive({ ...PAYLOADS.push, after: none })).summary.action).toBe('deleted');
  });

  it('describes a merge request, and a comment on it', () => {
    const subject = { kind: 'merge_request', id: 'acme/tools/web!34', name: 'Passkeys' };
    expect(eventOf(receive(PAYLOADS.merge_request)).summary).toMatchObject({
      action: 'merge',
      subject: { ...subject, url: `${web}/-/merge_requests/34` },
      text: 'ada: merge request merge: Passkeys',
      occurred_at: '2026-01-02T03:04:00.000Z',
    });
    expect(eventOf(receive(PAYLOADS.note)).summary).toMatchObject({
      action: 'create',
      subject: { ...subject, url: `${web}/-/merge_requests/34#note_5` },
      text: 'Looks **good**',
    });
  });

  it('describes a failure, an incident with a severity, and a time with a zone', () => {
    expect(eventOf(receive(PAYLOADS.pipeline)).summary).toMatchObject({
      action: 'failed',
      subject: { kind: 'pipeline', id: '31', name: 'main', url: `${web}/-/pipelines/31` },
      severity: 'high',
    });
    expect(eventOf(receive(PAYLOADS.deployment)).summary).toMatchObject({
      subject: { kind: 'deployment', id: '15', name: 'staging' },
      severity: 'none',
      occurred_at: '2026-01-02T03:04:00.000Z',
    });
    const incident = {
      object_kind: 'issue',
      project,
      object_attributes: { iid: 12, title: 'Down', severity: 'critical' },
    };
    expect(eventOf(receive(incident)).summary).toMatchObject({
      subject: { id: 'acme/tools/web#12' },
      severity: 'critical',
    });
  });

  it('is made of whatever GitLab sends', () => {
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
    expect(gitlab.receive(call(body, {}), plain).kind).toBe('malformed');
  });
});

describe('our own notifications', () => {
  const note = (text: string, action: string | null = 'create') => ({
    object_kind: 'note',
    object_attributes: { note: text, noteable_type: 'Issue', ...(action === null ? {} : { action }) },
  });

  it('are dropped, with either kind of proof', () => {
    expect(receive(note(stamp('Hi', SECRET))).kind).toBe('ignored');
    expect(receive(note(stamp('Hi', SECRET), null)).kind).toBe('ignored');
    expect(receive(note(stamp('Hi', SIGNING_TOKEN)), 'Note Hook', signed).kind).toBe('ignored');
    const description = stamp('Hi', SECRET);
    expect(receive({ object_kind: 'issue', object_attributes: { description, action: 'open' } }).kind).toBe(
      'ignored',
    );
  });

  it('that somebody changed, or that others wrote, are events', () => {
    expect(receive(note(stamp('Hi', SECRET), 'update')).kind).toBe('event');
    expect(receive(note(`x${stamp('Hi', SECRET)}`)).kind).toBe('event');
    expect(receive(note(stamp('Hi', 'other'))).kind).toBe('event');
  });
});
