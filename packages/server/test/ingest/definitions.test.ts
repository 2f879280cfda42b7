import { createHash, createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace, unique } from '../api/support/workspace.ts';

let server: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  server = await startWorkspace();
});
afterAll(() => server.stop());

const SECRET = 'a secret of many letters';

interface Tool extends TestWorkspace {
  url: string;
  secret: string;
  providerId: string;
  integrationId: string;
}

/** Defines a provider in its own workspace, and connects it. */
async function connect(
  rules: object,
  credentials: Record<string, string> = { secret: SECRET },
): Promise<Tool> {
  const workspace = await newWorkspace(server);
  const { provider_id: providerId } = await workspace.api.call('providers.create', {
    params: { id: workspace.workspaceId },
    body: { provider: 'acme-ci', name: 'Acme CI', ...rules },
  });
  const { integration_id: integrationId, ingest } = await workspace.api.call('integrations.connect', {
    body: { provider: 'acme-ci', workspace_id: workspace.workspaceId, credentials },
  });
  const secret = ingest.secret ?? credentials['secret'] ?? '';
  return { ...workspace, url: ingest.url, secret, providerId, integrationId };
}

async function post(url: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  // A response may repeat what was sent, such as the challenge of a handshake, so a browser must never take it for a
  // page.
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

const statusOf = async (url: string, body: string | Buffer, headers?: Record<string, string>) =>
  (await post(url, body, headers)).status;

async function events({ api, workspaceId }: TestWorkspace) {
  const { data } = await api.call('events.list', { params: { id: workspaceId } });
  return data;
}

const hmac = (text: string | Buffer, secret: string | Buffer = SECRET, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text);
const seconds = (ago = 0) => String(Math.floor(Date.now() / 1_000) - ago);

const BODY = '{"id": "d-1", "event": "build.finished"}';

const STRIPE_LIKE = {
  kind: 'hmac',
  header: 'X-Acme-Signature',
  separator: ',',
  prefix: 'v1=',
  signed: '{timestamp}.{body}',
  timestamp: { header: 'X-Acme-Signature', prefix: 't=' },
};

describe('a proof', () => {
  it('in a header is compared as a whole, and the server generates the secret if none is given', async () => {
    const tool = await connect({ verification: { kind: 'token', header: 'X-Token', prefix: 'T ' } }, {});
    expect(tool.secret.length).toBeGreaterThanOrEqual(43);
    for (const wrong of ['', tool.secret, `T ${tool.secret}x`, `T  ${tool.secret}`, 'T '])
      expect(await statusOf(tool.url, BODY, { 'x-token': wrong })).toBe(401);
    expect(await statusOf(tool.url, BODY)).toBe(401);
    expect(await statusOf(tool.url, BODY, { 'x-token': `T ${tool.secret}` })).toBe(202);
  });

  it('in the URL counts once, under its name', async () => {
    const tool = await connect({ verification: { kind: 'url_token', parameter: 'key' } });
    const key = encodeURIComponent(SECRET);
    for (const query of [
      '',
      `?token=${key}`,
      '?key=',
      '?key=x',
      `?key=${key}&key=${key}`,
      `?key=x&key=${key}`,
    ])
      expect(await statusOf(`${tool.url}${query}`, BODY)).toBe(401);
    expect(await statusOf(`${tool.url}?key=${key}`, BODY)).toBe(202);
  });

  it('by basic authentication needs both the name and the password', async () => {
    const tool = await connect({ verification: { kind: 'basic', username: 'acme' } });
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    for (const wrong of [`acme:${SECRET}x`, `acm:${SECRET}`, `acme${SECRET}`, SECRET, ''])
      expect(await statusOf(tool.url, BODY, basic(wrong))).toBe(401);
    expect(await statusOf(tool.url, BODY, { authorization: `Bearer ${SECRET}` })).toBe(401);
    expect(await statusOf(tool.url, BODY, basic(`acme:${SECRET}`))).toBe(202);
  });

  it.each([
    ['sha1', 'hex', 'text', SECRET, SECRET],
    ['sha512', 'base64', 'text', SECRET, SECRET],
    ['sha256', 'hex', 'hex', 'c0ffee', Buffer.from('c0ffee', 'hex')],
    ['sha256', 'base64', 'base64', 'wP/uAA==', Buffer.from('wP/uAA==', 'base64')],
    ['sha512', 'hex', 'whsec', 'whsec_wP/uAA==', Buffer.from('wP/uAA==', 'base64')],
  ] as const)('by %s in %s with a key in %s', async (algorithm, encoding, key, secret, bytes) => {
    const verification = { kind: 'hmac', algorithm, encoding, key, header: 'X-Sig' };
    const tool = await connect({ verification }, { secret });
    const signature = hmac(BODY, bytes, algorithm).digest(encoding);
    expect(await statusOf(tool.url, `${BODY} `, { 'x-sig': signature })).toBe(401);
    expect(await statusOf(tool.url, BODY, { 'x-sig': `${signature}x` })).toBe(401);
    expect(await statusOf(tool.url, BODY, { 'x-sig': signature })).toBe(202);
  });

  it('in a header of several elements must be recent, and one matching signature is enough', async () => {
    const tool = await connect({ verification: STRIPE_LIKE });
    const signed = (at: string) => hmac(`${at}.${BODY}`).digest('hex');
    const [now, old, soon] = [seconds(), seconds(301), seconds(-330)];
    for (const header of [
      `v1=${signed(now)}`,
      `t=${now}`,
      `t=${now},v0=${signed(now)}`,
      `t=${now},t=${now},v1=${signed(now)}`,
      `t=${now},t=${old},v1=${signed(now)}`,
      `t=${old},v1=${signed(old)}`,
      `t=${soon},v1=${signed(soon)}`,
      `t=${now}x,v1=${signed(`${now}x`)}`,
      `t=${now},v1=${signed(old)}`,
      `${'v1=00,'.repeat(30)}t=${now},v1=${signed(now)}`,
    ])
      expect(await statusOf(tool.url, BODY, { 'x-acme-signature': header }), header).toBe(401);
    const good = `t=${now}, v1=${'0'.repeat(64)},v1=${signed(now)},v0=x`;
    expect(await statusOf(tool.url, BODY, { 'x-acme-signature': good })).toBe(202);
    // The same call once more is the same event.
    expect(await statusOf(tool.url, BODY, { 'x-acme-signature': good })).toBe(200);
    expect(await events(tool)).toHaveLength(1);
  });

  it('by Ed25519 is checked with the public key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    const verification = {
      kind: 'ed25519',
      header: 'X-Sig',
      encoding: 'base64',
      signed: '{id}.{timestamp}.{body}',
      timestamp: { header: 'X-Time' },
      id_header: 'X-Id',
    };
    const tool = await connect({ verification }, { public_key: raw });
    const at = seconds();
    const signature = signBytes(null, Buffer.from(`i1.${at}.${BODY}`), privateKey).toString('base64');
    const headers = { 'x-sig': signature, 'x-time': at, 'x-id': 'i1' };
    expect(await statusOf(tool.url, BODY, { ...headers, 'x-id': 'i2' })).toBe(401);
    expect(await statusOf(tool.url, BODY, { ...headers, 'x-sig': signature.replace(/.$/, '') })).toBe(401);
    expect(await statusOf(tool.url, BODY, headers)).toBe(202);
    const { status } = await tool.api.send('integrations.connect', {
      body: { provider: 'acme-ci', workspace_id: tool.workspaceId, credentials: {} },
    });
    expect(status).toBe(400);
  });

  it('by a JSON Web Token is for one body, one issuer, one algorithm, and its time', async () => {
    const verification = { kind: 'jwt', header: 'X-Jwt', prefix: 'JWT ', body_claim: 'hash', issuer: 'acme' };
    const tool = await connect({ verification });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hash = createHash('sha256').update(BODY).digest('hex');
    const token = (claims: object, header: object = { alg: 'HS256' }) => {
      const signed = `${part(header)}.${part({ iss: 'acme', hash, ...claims })}`;
      return `JWT ${signed}.${hmac(signed).digest('base64url')}`;
    };
    for (const wrong of [
      token({ iss: 'other' }),
      token({ hash: 'x' }),
      token({ hash: undefined }),
      token({ exp: Number(seconds(120)) }),
      token({ exp: 'soon' }),
      token({}, { alg: 'none' }),
      token({}).slice('JWT '.length),
      `${token({})}.x`,
    ])
      expect(await statusOf(tool.url, BODY, { 'x-jwt': wrong })).toBe(401);
    expect(await statusOf(tool.url, BODY, { 'x-jwt': token({}) })).toBe(202);
  });

  it('is not needed beside the token of the URL if the definition says so', async () => {
    const tool = await connect({ verification: { kind: 'none' } }, {});
    expect(await statusOf(tool.url.replace(/\?.*/, ''), BODY)).toBe(401);
    expect(await statusOf(tool.url, BODY)).toBe(202);
  });

  // Integrations from before there were tokens are in the same state.
  it('is not needed for an integration without a token, until it is reconnected', async () => {
    const tool = await connect({ verification: { kind: 'token', header: 'X-Token' } });
    await tool.api.call('providers.update', {
      params: { id: tool.workspaceId, providerId: tool.providerId },
      body: { verification: { kind: 'none' } },
    });
    const params = { integrationId: tool.integrationId };
    const { ingest } = await tool.api.call('integrations.get', { params });
    expect(ingest.url).toBe(tool.url);
    expect(ingest.instructions).toContain('Reconnect the integration to add a token');
    expect(await statusOf(tool.url, BODY)).toBe(202);
    const closed = await tool.api.call('integrations.reconnect', { params, body: { credentials: {} } });
    expect(closed.status_detail?.code).toBe('awaiting_hook');
    expect(await statusOf(tool.url, '{"n":2}')).toBe(401);
    expect(await statusOf(closed.ingest.url, '{"n":2}')).toBe(202);
  });

  it('that came with a header twice is refused, whatever the second one says', async () => {
    const tool = await connect({ verification: { kind: 'token', header: 'X-Token' } });
    const send = (...values: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = ['Host', new URL(tool.url).host, ...values.flatMap((value) => ['X-Token', value])];
        const call = request(tool.url, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        call.on('error', reject).end(BODY);
      });
    expect(await send(SECRET, SECRET)).toBe(401);
    expect(await send(SECRET, 'x')).toBe(401);
    expect(await send(SECRET)).toBe(202);
  });
});

const NONE = { verification: { kind: 'none' } };

describe('an event', () => {
  it('is read from the places of the definition', async () => {
    const tool = await connect(
      {
        ...NONE,
        event_type: {
          from: ['header:X-Event', '/event'],
          map: { 'build.finished': 'build' },
          default: 'other',
        },
        dedupe_key: ['/id'],
        summary: {
          action: ['/build/status'],
          actor: { id: ['/by/0/id'], name: ['/by/0/na~1me', '/by/0/login'] },
          subject: { kind: 'build', id: ['/build/number'], name: ['/build/title'], url: ['/build/url'] },
          container: { kind: 'project', name: ['header:X-Project'] },
          severity: { from: ['/build/status'], map: { failed: 'high' }, default: 'low' },
          occurred_at: ['/build/at'],
        },
      },
      {},
    );
    const build = { number: 7, title: 'Add\n a page', url: 'https://ci.example.com/7', status: 'failed' };
    const body = {
      id: 'd-1',
      event: 'build.finished',
      by: [{ id: 3, login: 'li' }],
      build: { ...build, at: 1_793_606_400 },
    };
    expect(await statusOf(tool.url, JSON.stringify(body), { 'x-project': 'web' })).toBe(202);
    // Another body under the same ID is the same event.
    expect(await statusOf(tool.url, JSON.stringify({ ...body, more: 1 }))).toBe(200);
    expect(await statusOf(tool.url, '{"id":"d-2","event":"Deploy done!"}')).toBe(202);
    expect(await statusOf(tool.url, '{"id":"d-3"}')).toBe(202);
    const all = await events(tool);
    expect(all.map(({ type }) => type)).toEqual(['other', 'Deploy_done', 'build']);
    expect(all[2]).toMatchObject({
      source: 'acme-ci',
      payload: body,
      summary: {
        action: 'failed',
        actor: { id: '3', name: 'li' },
        subject: { kind: 'build', id: '7', name: 'Add a page', url: 'https://ci.example.com/7' },
        container: { kind: 'project', id: null, name: 'web', url: null },
        text: 'li: build failed: Add a page',
        severity: 'high',
        occurred_at: '2026-11-02T08:00:00.000Z',
      },
    });
    expect(all[0]?.summary).toMatchObject({
      action: null,
      subject: null,
      severity: 'low',
      occurred_at: null,
    });
  });

  it('keeps every digit of large numbers: two long IDs are two events', async () => {
    const tool = await connect(
      { ...NONE, dedupe_key: ['/a/0/id'], summary: { subject: { id: ['/a/0/id'] } } },
      {},
    );
    for (const id of ['12345678901234567890', '12345678901234567891', '1e400', '2e400'])
      expect(await statusOf(tool.url, `{"a":[{"id":${id}}]}`)).toBe(202);
    const { summary } = (await events(tool)).at(-1) ?? {};
    expect(summary?.subject?.id).toBe('12345678901234567890');
  });

  it.each([
    '/__proto__',
    '/constructor/name',
    '/a/__proto__/polluted',
    '/a/length',
    '/a/-1',
    '/a/01',
    '/a/999999999999',
    '/a/4294967296',
    '/toString',
    '/a'.repeat(100),
    '/a/-',
  ])('finds nothing at a hostile pointer %s that leads out of the data', async (pointer) => {
    const from = [pointer];
    const rules = { ...NONE, event_type: { from, default: 'nothing' }, dedupe_key: from };
    const tool = await connect({ ...rules, summary: { actor: { name: from }, text: from } }, {});
    expect(await statusOf(tool.url, '{"a":["x"],"b":1}')).toBe(202);
    expect(await events(tool)).toMatchObject([{ type: 'nothing', summary: { actor: null, text: null } }]);
  });

  it('keeps a type that is a property of every object when the map does not list it', async () => {
    const tool = await connect({ ...NONE, event_type: { from: ['/t'], map: { a: 'b' } } }, {});
    expect(await statusOf(tool.url, '{"t":"toString"}')).toBe(202);
    expect(await statusOf(tool.url, '{"t":"hasOwnProperty"}')).toBe(202);
    expect((await events(tool)).map(({ type }) => type)).toEqual(['hasOwnProperty', 'toString']);
  });

  it('of 25 MB is read at the end of a huge array, and one byte more is refused', async () => {
    const tool = await connect({ ...NONE, event_type: { from: ['/a/2000000'] } }, {});
    const max = 25 * 1024 * 1024;
    const text = `{"a":[${'0,'.repeat(2_000_000)}"last"],"pad":""}`;
    const body = text.replace('"pad":""', `"pad":"${'x'.repeat(max - text.length)}"`);
    expect(await statusOf(tool.url, `${body} `)).toBe(413);
    expect(await statusOf(tool.url, body)).toBe(202);
    expect(await events(tool)).toMatchObject([{ type: 'last', payload_omitted: true }]);
  });

  it.each([
    ['not JSON', '{a}'],
    ['nothing', ''],
    ['bytes', Buffer.from('fffe0080', 'hex')],
  ])('is not made of a body that is %s', async (_what, body) => {
    const tool = await connect(NONE, {});
    expect(await statusOf(tool.url, body)).toBe(400);
    expect(await events(tool)).toEqual([]);
  });

  it('is not made of a ping, nor of a handshake, which gets its response only with a proof', async () => {
    const rules = {
      verification: { kind: 'token', header: 'X-Token' },
      event_type: { from: ['/type'] },
      pings: ['ping'],
      handshake: { echo: ['/challenge'], field: 'challenge' },
    };
    const tool = await connect(rules);
    const token = { 'x-token': SECRET };
    expect(await post(tool.url, '{"challenge":"c1"}')).toMatchObject({ status: 401 });
    expect(await post(tool.url, '{"challenge":"c1"}', token)).toMatchObject({
      status: 200,
      text: '{"challenge":"c1"}',
      type: 'application/json',
    });
    expect(await post(tool.url, '{"type":"ping"}', token)).toMatchObject({ status: 200 });
    expect(await events(tool)).toEqual([]);
    await tool.api.call('providers.update', {
      params: { id: tool.workspaceId, providerId: tool.providerId },
      body: { handshake: { echo: ['header:X-Challenge'] } },
    });
    expect(await post(tool.url, '{}', { ...token, 'x-challenge': 'c2' })).toMatchObject({
      status: 200,
      text: 'c2',
      type: 'text/plain',
    });
  });
});

describe('a definition in use', () => {
  it('applies as it is now, from the next call on', async () => {
    const tool = await connect({ verification: { kind: 'token', header: 'X-One' } });
    expect(await statusOf(tool.url, '{"n":1}', { 'x-one': SECRET })).toBe(202);
    const params = { id: tool.workspaceId, providerId: tool.providerId };
    await tool.api.call('providers.update', {
      params,
      body: { verification: { kind: 'token', header: 'X-Two' }, event_type: { default: 'changed' } },
    });
    expect(await statusOf(tool.url, '{"n":2}', { 'x-one': SECRET })).toBe(401);
    expect(await statusOf(tool.url, '{"n":2}', { 'x-two': SECRET })).toBe(202);
    expect((await events(tool)).map(({ type }) => type)).toEqual(['changed', 'acme-ci']);
  });

  it('does not affect other providers: a call that it refuses is refused to it alone', async () => {
    const tool = await connect({ verification: { kind: 'hmac', header: 'X-Sig' } });
    const { ingest } = await tool.api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: tool.workspaceId, credentials: { verification: 'none' } },
    });
    const calls = Array.from({ length: 20 }, (_, index) => [
      statusOf(tool.url, BODY, { 'x-sig': '0'.repeat(64) }),
      statusOf(ingest.url, `{"n":${index}}`),
    ]);
    const statuses = await Promise.all(calls.map((each) => Promise.all(each)));
    expect(statuses).toEqual(calls.map(() => [401, 202]));
    expect(await events(tool)).toHaveLength(20);
  });

  it('is deleted only after the integrations that use it', async () => {
    const tool = await connect(NONE, {});
    const params = { id: tool.workspaceId, providerId: tool.providerId };
    const refused = await tool.api.send('providers.delete', { params });
    expect(refused).toMatchObject({
      status: 409,
      json: { error: { code: 'conflict', message: expect.stringContaining(tool.integrationId) } },
    });
    await tool.api.call('integrations.disconnect', {
      params: { id: tool.workspaceId, integrationId: tool.integrationId },
    });
    await tool.api.call('providers.delete', { params });
    expect(await statusOf(tool.url, BODY)).toBe(404);
    expect((await tool.api.send('providers.get', { params })).status).toBe(404);
  });

  it('is deleted with its workspace', async () => {
    const tool = await connect(NONE, {});
    await tool.api.call('workspaces.delete', { params: { id: tool.workspaceId } });
    expect(await statusOf(tool.url, BODY)).toBe(404);
  });
});

describe('an integration of a defined provider', () => {
  it('has a name, a status, steps with its URL, and takes a new secret', async () => {
    const tool = await connect({
      verification: { kind: 'url_token' },
      setup_steps: ['Enter {url} and the secret.'],
    });
    const params = { integrationId: tool.integrationId };
    const integration = await tool.api.call('integrations.get', { params });
    expect(integration).toMatchObject({
      provider: 'acme-ci',
      status: 'connected',
      status_detail: { code: 'awaiting_hook', message: expect.stringContaining('Acme CI') },
      ingest: { steps: [`Enter ${tool.url}?token= and the secret.`] },
    });
    await tool.api.call('integrations.reconnect', { params, body: { credentials: { secret: 'new' } } });
    expect(await statusOf(`${tool.url}?token=${encodeURIComponent(SECRET)}`, BODY)).toBe(401);
    expect(await statusOf(`${tool.url}?token=new`, BODY)).toBe(202);
    expect((await tool.api.call('integrations.get', { params })).status_detail).toBeNull();
  });

  it('has its own name in a test that has no URL to send to', async () => {
    const tool = await connect({ verification: { kind: 'url_token' } });
    const tested = await tool.api.call('integrations.test', {
      params: { integrationId: tool.integrationId },
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    });
    expect(tested).toMatchObject({ success: false, destination: 'acme-ci' });
  });

  it('waits for the secret that the tool makes, with the URL that the tool wants first', async () => {
    const workspace = await newWorkspace(server);
    await workspace.api.call('providers.create', {
      params: { id: workspace.workspaceId },
      body: {
        provider: 'acme',
        name: 'Acme',
        issues_secret: true,
        verification: { kind: 'token', header: 'X-Token' },
      },
    });
    const missing = await workspace.api.send('integrations.connect', {
      body: { provider: 'acme', workspace_id: workspace.workspaceId, credentials: {} },
    });
    expect(missing).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: 'credentials.secret', issue: 'is required' }] } },
    });
    const {
      integration_id: integrationId,
      status,
      ingest,
    } = await workspace.api.call('integrations.create', {
      body: { type: 'acme', workspace_id: workspace.workspaceId, config: {} },
    });
    expect(status).toBe('disconnected');
    expect(await statusOf(ingest.url, BODY, { 'x-token': '' })).toBe(401);
    const { status: after } = await workspace.api.call('integrations.reconnect', {
      params: { integrationId },
      body: { credentials: { secret: SECRET } },
    });
    expect(after).toBe('connected');
    expect(await statusOf(ingest.url, BODY, { 'x-token': SECRET })).toBe(202);
  });

  it('refuses a secret that is not what its definition says, and credentials of others', async () => {
    const workspace = await newWorkspace(server);
    const provider = unique('acme');
    await workspace.api.call('providers.create', {
      params: { id: workspace.workspaceId },
      body: { provider, name: 'Acme', verification: { kind: 'hmac', key: 'hex', header: 'X-Sig' } },
    });
    const connecting = (credentials: object) =>
      workspace.api.send('integrations.connect', {
        body: { provider, workspace_id: workspace.workspaceId, credentials },
      });
    expect(await connecting({ secret: 'not hex' })).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: 'credentials.secret', issue: expect.stringContaining('hex') }] } },
    });
    expect(await connecting({ token: 'x' })).toMatchObject({ status: 400 });
    expect(await connecting({ notify_url: 'https://10.0.0.1/' })).toMatchObject({ status: 422 });
    // Another workspace has no such provider.
    const other = await newWorkspace(server);
    const elsewhere = await other.api.send('integrations.connect', {
      body: { provider, workspace_id: other.workspaceId, credentials: {} },
    });
    expect(elsewhere).toMatchObject({ status: 422 });
  });
});
