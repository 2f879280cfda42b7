import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { EventSummary } from '@hubline/contract';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { createProviderHttp } from '../../outbound/provider-http.ts';
import { clientFor, listen } from '../../outbound/receiver.fixture.ts';
import { custom } from './custom.ts';
import type { Credentials, IngestRequest, Received } from '../provider.ts';

const SECRET = 'a secret of many letters';
const NOW = new Date('2026-01-02T03:04:05.000Z');
const SECONDS = Math.floor(NOW.getTime() / 1_000);

function request(body: string | Buffer, headers: Record<string, string> = {}, now = NOW): IngestRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body), now };
}

const hmac = (
  content: string | Buffer,
  encoding: 'hex' | 'base64' = 'hex',
  secret: string | Buffer = SECRET,
) => createHmac('sha256', secret).update(content).digest(encoding);

const verify = (
  credentials: Credentials,
  body: string | Buffer,
  headers: Record<string, string>,
  now = NOW,
) => custom.verify(request(body, headers, now), { secret: SECRET, ...credentials }).ok;

function receive(
  body: string | Buffer,
  headers: Record<string, string> = {},
  credentials: Credentials = {},
): Received {
  return custom.receive(request(body, headers), credentials);
}

function eventOf(received: Received): Received & { kind: 'event' } {
  if (received.kind !== 'event') throw new Error(`not an event: ${JSON.stringify(received)}`);
  return received;
}

describe('a signed call', () => {
  it.each<[string, Credentials, Record<string, string>]>([
    ['the defaults', {}, { 'x-hub-signature-256': `sha256=${hmac('{}')}` }],
    [
      'the preset github-style',
      { preset: 'github-style' },
      { 'x-hub-signature-256': `sha256=${hmac('{}')}` },
    ],
    ['its own header', { header: 'X-Acme-Signature' }, { 'x-acme-signature': hmac('{}') }],
    ['upper-case hex', { header: 'X-Acme-Signature' }, { 'x-acme-signature': hmac('{}').toUpperCase() }],
    [
      'its own header and prefix',
      { verification: 'hmac', header: 'X-Sig', prefix: 'v1:' },
      { 'x-sig': `v1:${hmac('{}')}` },
    ],
    ['base64', { header: 'X-Sig', digest: 'base64' }, { 'x-sig': hmac('{}', 'base64') }],
    [
      'its own timestamp',
      { header: 'X-Sig', timestamp_header: 'X-Time', signed: '{timestamp}.{body}' },
      { 'x-sig': hmac(`${SECONDS}.{}`), 'x-time': `${SECONDS}` },
    ],
    [
      'a timestamp in milliseconds',
      { header: 'X-Sig', timestamp_header: 'X-Time', signed: 'v0:{timestamp}:{body}' },
      { 'x-sig': hmac(`v0:${NOW.getTime()}:{}`), 'x-time': `${NOW.getTime()}` },
    ],
    [
      'an ID',
      { header: 'X-Sig', delivery_id_header: 'X-Id', signed: '{id}\n{body}' },
      { 'x-sig': hmac('d1\n{}'), 'x-id': 'd1' },
    ],
    [
      'the preset slack-style',
      { preset: 'slack-style' },
      { 'x-slack-signature': `v0=${hmac(`v0:${SECONDS}:{}`)}`, 'x-slack-request-timestamp': `${SECONDS}` },
    ],
  ])('with %s is accepted, and with one byte more is not', (_what, credentials, headers) => {
    expect(custom.checkCredentials({ secret: SECRET, ...credentials })).toEqual([]);
    expect(verify(credentials, '{}', headers)).toBe(true);
    expect(verify(credentials, '{} ', headers)).toBe(false);
    expect(verify({ ...credentials, secret: 'other' }, '{}', headers)).toBe(false);
    expect(verify({ ...credentials, secret: '' }, '{}', headers)).toBe(false);
    expect(verify(credentials, '{}', {})).toBe(false);
    for (const [name, value] of Object.entries(headers)) {
      expect(verify(credentials, '{}', { ...headers, [name]: `${value}x` })).toBe(false);
      expect(verify(credentials, '{}', { ...headers, [name]: `${value}, ${value}` })).toBe(false);
    }
  });

  it('accepts the vector that Slack publishes, for five minutes around its time', () => {
    const secret = '8f742231b10e8888abcd99yyyzzz85a5';
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
    const at = (offset: number, timestamp = '1531420618') =>
      verify(
        { preset: 'slack-style', secret },
        body,
        { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp },
        new Date((1_531_420_618 + offset) * 1_000),
      );
    expect([at(0), at(299), at(300), at(-300), at(301), at(-301)]).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    for (const timestamp of [
      '1531420618abc',
      '-1531420618',
      '1531420618.0',
      '15314206180000000000',
      '',
      ' 1531420618',
      '0x5b47a0ca',
    ]) {
      expect(at(0, timestamp)).toBe(false);
    }
  });

  it('accepts the vector of Standard Webhooks, and what its library signs', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const good = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    const at = (signature: string) =>
      verify(
        { preset: 'standard-webhooks', secret },
        '{"test": 2432232314}',
        {
          'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
          'webhook-timestamp': '1614265330',
          'webhook-signature': signature,
        },
        new Date(1_614_265_330_000),
      );
    expect(at(good)).toBe(true);
    expect(at(`v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,x ${good}`)).toBe(true);
    for (const bad of [
      'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
      'v1,',
      good.replace('v1', 'v2'),
      '',
      good.slice(3),
    ]) {
      expect(at(bad)).toBe(false);
    }
    for (const key of [secret, SECRET]) {
      const library = key === SECRET ? new Webhook(key, { format: 'raw' }) : new Webhook(key);
      const headers = {
        'webhook-id': 'm1',
        'webhook-timestamp': `${SECONDS}`,
        'webhook-signature': library.sign('m1', NOW, '{"a":1}'),
      };
      expect(verify({ preset: 'standard-webhooks', secret: key }, '{"a":1}', headers)).toBe(true);
      const { 'webhook-id': _id, ...withoutId } = headers;
      expect(verify({ preset: 'standard-webhooks', secret: key }, '{"a":1}', withoutId)).toBe(false);
    }
  });

  it('treats a tolerance of 0 as strict, not as off', () => {
    const credentials = { preset: 'slack-style', tolerance_seconds: '0' };
    const headers = {
      'x-slack-signature': `v0=${hmac(`v0:${SECONDS}:{}`)}`,
      'x-slack-request-timestamp': `${SECONDS}`,
    };
    expect(verify(credentials, '{}', headers)).toBe(true);
    expect(verify(credentials, '{}', headers, new Date(NOW.getTime() + 1_000))).toBe(false);
  });

  it('is signed over bytes that are not text', () => {
    const body = Buffer.from('fffe0080', 'hex');
    expect(verify({ header: 'x-sig' }, body, { 'x-sig': hmac(body) })).toBe(true);
  });
});

describe('a call with a token', () => {
  it.each<[Credentials, string, string, boolean]>([
    [{ verification: 'token' }, 'authorization', `Bearer ${SECRET}`, true],
    [{ verification: 'token' }, 'authorization', SECRET, false],
    [{ preset: 'shared-token' }, 'authorization', `Bearer ${SECRET}`, true],
    [{ verification: 'token', header: 'X-Gitlab-Token' }, 'x-gitlab-token', SECRET, true],
    [{ verification: 'token', header: 'X-Gitlab-Token' }, 'x-gitlab-token', `${SECRET}x`, false],
    [{ verification: 'token', header: 'X-Gitlab-Token' }, 'x-gitlab-token', SECRET.slice(1), false],
    [{ verification: 'token', header: 'X-Gitlab-Token' }, 'x-gitlab-token', '', false],
    [{ verification: 'token', header: 'X-Gitlab-Token' }, 'x-gitlab-token', `${SECRET}, ${SECRET}`, false],
    [{ verification: 'token', header: 'X-Token', prefix: 'Token ' }, 'x-token', `Token ${SECRET}`, true],
  ])('%j: %s: %s is %s', (credentials, header, value, ok) => {
    expect(verify(credentials, '{}', { [header]: value })).toBe(ok);
  });
});

it('accepts unsigned calls only when told to, and never because the rules are unknown', () => {
  expect(custom.verify(request('{}'), { verification: 'none' })).toEqual({ ok: true });
  expect(custom.verify(request('{}'), { preset: 'none' })).toEqual({ ok: true });
  expect(custom.verify(request('{}'), {}).ok).toBe(false);
  expect(() => custom.verify(request('{}'), { preset: 'gone' })).toThrow('no known rules');
  expect(custom.signing({})?.name).toBe('secret');
  expect(custom.signing({ verification: 'none' })?.name).toBe('url_token');
});

describe('the payload', () => {
  it.each<[string, string, string, string]>([
    [
      'an object as it came',
      'application/json',
      ' {"a": 1.0,"a":2, "n":12345678901234567890}\n',
      ' {"a": 1.0,"a":2, "n":12345678901234567890}\n',
    ],
    ['an object of a vendor type', 'application/vnd.acme+json; charset=utf-8', '{"a":1}', '{"a":1}'],
    ['an object without a byte order mark', 'application/json', '\uFEFF{"a":1}', '{"a":1}'],
    ['an array, wrapped', 'application/json', '[1, 2]', '{"data":[1, 2]}'],
    ['a text in JSON, wrapped', 'application/json', '"hello"', '{"data":"hello"}'],
    ['null, wrapped', 'application/json', 'null', '{"data":null}'],
    [
      'a form',
      'application/x-www-form-urlencoded',
      'a=1&b=x+y%26z&a=2&c',
      '{"a":["1","2"],"b":"x y&z","c":""}',
    ],
    ['JSON that curl calls a form', 'application/x-www-form-urlencoded', '{"a":"b=c&d"}', '{"a":"b=c&d"}'],
    ['a text', 'text/plain; charset=utf-8', 'Disk full: "a"\n', '{"text":"Disk full: \\"a\\"\\n"}'],
    ['a text that only begins like JSON', 'text/plain', '[web-1] down', '{"text":"[web-1] down"}'],
    ['JSON that is called text', 'text/plain', '{"a":1}', '{"a":1}'],
    ['JSON without a type', '', '{"a":1}', '{"a":1}'],
    [
      'a form with the names of Object',
      'application/x-www-form-urlencoded',
      '__proto__=x&constructor=y',
      '{"__proto__":"x","constructor":"y"}',
    ],
  ])('is %s', (_what, contentType, body, payload) => {
    expect(eventOf(receive(body, { 'content-type': contentType })).payload).toBe(payload);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each<[string, string, string | Buffer, string]>([
    ['nothing', 'application/json', '', 'is empty; it must be JSON'],
    ['no JSON', 'application/json', '{a}', 'is not JSON'],
    ['two objects', 'application/json', '{}{}', 'is not JSON'],
    ['text without a type', '', 'hello', 'is not JSON'],
    ['bytes', 'application/octet-stream', Buffer.from('fffe0080', 'hex'), 'is not UTF-8'],
    ['Latin-1', 'text/plain', Buffer.from('caf\xe9', 'latin1'), 'is not UTF-8'],
    ['65 levels', 'application/json', '['.repeat(65) + ']'.repeat(65), 'is nested deeper than 64 levels'],
    ['an empty form', 'application/x-www-form-urlencoded', '', 'is empty'],
    [
      'a form with bad escapes',
      'application/x-www-form-urlencoded',
      'a=%ff',
      'is a form with escapes that are not UTF-8',
    ],
  ])('is malformed when it is %s', (_what, contentType, body, issue) => {
    expect(receive(body, { 'content-type': contentType })).toEqual({ kind: 'malformed', issue });
  });
});

describe('type, source and delivery ID', () => {
  const credentials = {
    event_type_header: 'X-Event',
    event_type_pointer: '/event/kind',
    delivery_id_header: 'X-Delivery',
    delivery_id_pointer: '/id',
    source: 'acme-ci',
  };

  it('come from where the credentials say, header first', () => {
    const body = '{"id":7,"event":{"kind":"build"}}';
    expect(receive(body, { 'x-event': 'deploy', 'x-delivery': 'd1' }, credentials)).toMatchObject({
      type: 'deploy',
      source: 'acme-ci',
      dedupeKey: 'd1',
    });
    expect(receive(body, { 'x-event': ' ' }, credentials)).toMatchObject({ type: 'build', dedupeKey: '7' });
    expect(receive('{"event":{"kind":{}},"id":[]}', {}, credentials)).toMatchObject({
      type: 'custom',
      dedupeKey: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  it.each([
    ['build.finished', 'build.finished'],
    ['Build finished!', 'Build_finished'],
    ['  /deploy/done ', 'deploy_done'],
    ['日本', 'custom'],
    ['\u0000', 'custom'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('a type of %j becomes %s', (given, type) => {
    expect(eventOf(receive(JSON.stringify({ event: { kind: given } }), {}, credentials)).type).toBe(type);
  });

  it('have defaults: custom, custom, and the ID of a common header or a hash of the body', () => {
    const plain = eventOf(receive('{"a":1}'));
    expect(plain).toMatchObject({ type: 'custom', source: 'custom' });
    expect(eventOf(receive('{"a":1}')).dedupeKey).toBe(plain.dedupeKey);
    expect(eventOf(receive('{"a":2}')).dedupeKey).not.toBe(plain.dedupeKey);
    expect(eventOf(receive('{"a":1}', { 'webhook-id': 'm1' })).dedupeKey).toBe('m1');
    expect(eventOf(receive('{"a":1}', { 'idempotency-key': 'k1' })).dedupeKey).toBe('k1');
  });

  it.each(['x'.repeat(10_000), 'a\u0000b', '\ud800', 'ü'])('an ID of %j is stored as its hash', (id) => {
    expect(eventOf(receive(JSON.stringify({ id }), {}, credentials)).dedupeKey).toMatch(
      /^sha256:[0-9a-f]{64}$/,
    );
  });
});

describe('the summary', () => {
  it('reads the names that most tools use', () => {
    const body = JSON.stringify({
      id: 12,
      title: 'Disk\n full',
      url: 'https://ops.example.com/12',
      status: 'firing',
      severity: 'Critical',
      message: 'web-1 is at 99%',
      user: { id: 3, name: 'Ada' },
      timestamp: 1_767_322_800,
    });
    expect(eventOf(receive(body)).summary).toEqual({
      action: 'firing',
      actor: { id: '3', name: 'Ada' },
      subject: { kind: 'custom', id: '12', name: 'Disk full', url: 'https://ops.example.com/12' },
      container: null,
      text: 'web-1 is at 99%',
      severity: 'critical',
      occurred_at: '2026-01-02T03:00:00.000Z',
    });
  });

  it.each<[string, string | null]>([
    ['{}', null],
    ['[]', 'data'],
    [
      '{"title":{},"user":[],"severity":"toString","url":"javascript:x","timestamp":"soon"}',
      'severity: toString · url: javascript:x · timestamp: soon',
    ],
  ])('has little to say about %s', (body, text) => {
    const { summary } = eventOf(receive(body));
    expect(EventSummary.strict().parse(summary)).toEqual(summary);
    expect(summary).toMatchObject({
      actor: null,
      subject: null,
      text,
      severity: 'none',
      occurred_at: null,
    });
  });
});

describe('notifying', () => {
  const toolsFor = (allowHttpLocalhost: boolean) => {
    const guarded = clientFor({ policy: { allowHttpLocalhost } });
    return {
      apiUrl: undefined,
      clock: () => new Date(),
      providerHttp: createProviderHttp({ guarded, trusted: guarded, userAgent: 'Hubline/test' }),
    };
  };
  const notification = { trigger: 'event.created', text: 'hello' };

  it('posts to notify_url and names the destination without its secret part', async () => {
    const seen: unknown[] = [];
    let status = 204;
    const { port } = await listen(
      createServer((incoming, response) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () => {
          seen.push([incoming.method, incoming.url, incoming.headers['content-type'], JSON.parse(text)]);
          response.writeHead(status).end();
        });
      }),
    );
    const credentials = { notify_url: `http://127.0.0.1:${port}/hooks/hunter2?key=hunter2` };
    const send = () => custom.notify?.({ credentials, config: {} }, notification, toolsFor(true));
    expect(await send()).toEqual({ ok: true, destination: `127.0.0.1:${port}` });
    expect(seen).toEqual([
      [
        'POST',
        '/hooks/hunter2?key=hunter2',
        'application/json',
        { text: 'hello', event_type: 'event.created' },
      ],
    ]);
    status = 403;
    expect(await send()).toEqual({
      ok: false,
      destination: `127.0.0.1:${port}`,
      error: `127.0.0.1:${port} responded with 403`,
      refused: 'destination',
    });
    status = 500;
    await expect(send()).rejects.toThrow(new ProviderUnavailable(`127.0.0.1:${port} responded with 500`));

    const blocked = await custom.notify?.({ credentials, config: {} }, notification, toolsFor(false));
    expect(blocked).toMatchObject({ ok: false, error: 'blocked address', refused: 'destination' });
    expect(seen).toHaveLength(3);
    expect(JSON.stringify(blocked)).not.toContain('hunter2');
  });

  it('says what is missing without one', async () => {
    expect(
      await custom.notify?.({ credentials: {}, config: {} }, notification, toolsFor(false)),
    ).toMatchObject({
      ok: false,
      refused: null,
      error: expect.stringContaining('no notify_url'),
    });
  });
});
