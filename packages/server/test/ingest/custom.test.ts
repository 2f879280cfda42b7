import { createHmac } from 'node:crypto';
import { IncomingWebhook } from '@slack/webhook';
import { Webhook as Standard } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newKey, newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';

let server: TestWorkspace & { stop(): Promise<void> };
/** A body of this length is read in another thread. */
const LONG = 500_000;

let offsetMs = 0;
beforeAll(async () => {
  server = await startWorkspace({ clock: () => new Date(Date.now() + offsetMs) });
});
afterAll(() => server.stop());

interface Source extends TestWorkspace {
  integrationId: string;
  url: string;
  secret: string;
}

async function connect(credentials: Record<string, string>): Promise<Source> {
  const workspace = await newWorkspace(server);
  const { integration_id: integrationId, ingest } = await workspace.api.call('integrations.connect', {
    body: { workspace_id: workspace.workspaceId, provider: 'custom', credentials },
  });
  const secret = ingest.secret ?? credentials['secret'] ?? '';
  return { ...workspace, integrationId, url: ingest.url, secret };
}

async function post(url: string, body: string, headers: Record<string, string> = {}) {
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

async function events({ api, workspaceId }: TestWorkspace) {
  const { data } = await api.call('events.list', { params: { id: workspaceId } });
  return data;
}

const BODY = '{ "build" : {"status":"passed","n":1.0} }';

describe('a custom integration', () => {
  it('by default takes calls that are signed with the generated secret, once', async () => {
    const source = await connect({});
    expect(source.secret.length).toBeGreaterThanOrEqual(43);
    const signature = `sha256=${createHmac('sha256', source.secret).update(BODY).digest('hex')}`;
    expect(await post(source.url, BODY)).toMatchObject({ status: 401 });
    expect(await post(source.url, `${BODY} `, { 'x-hub-signature-256': signature })).toMatchObject({
      status: 401,
    });
    expect(await post(source.url, BODY, { 'x-hub-signature-256': signature })).toMatchObject({ status: 202 });
    expect(await post(source.url, BODY, { 'x-hub-signature-256': signature })).toMatchObject({ status: 200 });
    const { text } = await source.api.request('GET', `/workspaces/${source.workspaceId}/events`);
    expect(text).toContain(`"payload":${BODY},`);
    expect(await events(source)).toMatchObject([{ source: 'custom', type: 'custom' }]);
  });

  it('with a preset takes what the library of that standard signs', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const source = await connect({
      preset: 'standard-webhooks',
      secret,
      event_type_pointer: '/build/status',
    });
    const headers = (at: Date) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Standard(secret).sign('msg_1', at, BODY),
    });
    const old = new Date(Date.now() - 301_000);
    expect(await post(source.url, BODY, headers(old))).toMatchObject({ status: 401 });
    expect(await post(source.url, BODY, headers(new Date()))).toMatchObject({ status: 202 });
    // The same ID is a repetition, even with a new signature.
    expect(await post(source.url, BODY, headers(new Date(Date.now() + 1_000)))).toMatchObject({
      status: 200,
    });
    expect(await events(source)).toMatchObject([{ type: 'passed' }]);
  });

  it('with a token takes calls that have it, and no others', async () => {
    const source = await connect({
      verification: 'token',
      header: 'X-Token',
      secret: 'open sesame 12345678',
    });
    for (const headers of [
      {},
      { 'x-token': '' },
      { 'x-token': 'open sesame' },
      { authorization: source.secret },
    ])
      expect(await post(source.url, BODY, headers as Record<string, string>)).toMatchObject({ status: 401 });
    expect(await post(source.url, BODY, { 'x-token': source.secret })).toMatchObject({ status: 202 });
    expect(await events(source)).toHaveLength(1);
  });

  it.each(['constructor', '__proto__'])('finds no header %s in a call that has none', async (header) => {
    const proof = await connect({ verification: 'token', header });
    expect(await post(proof.url, BODY)).toMatchObject({ status: 401 });
    const open = await connect({
      verification: 'none',
      event_type_header: header,
      delivery_id_header: header,
    });
    expect(await post(open.url, BODY)).toMatchObject({ status: 202 });
    expect(await events(open)).toMatchObject([{ type: 'custom' }]);
  });

  it('without verification takes everything that is sent to its URL with the token', async () => {
    const source = await connect({ verification: 'none', source: 'heating' });
    expect(await post(source.url, BODY)).toMatchObject({ status: 202 });
    expect(
      await post(source.url, 'a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded' }),
    ).toMatchObject({ status: 202 });
    expect((await events(source)).map((event) => event.source)).toEqual(['heating', 'heating']);
  });

  it('keeps what a reconnection neither names nor removes, and a new preset replaces all rules of the proof', async () => {
    const secret = 'the-token-of-the-heating';
    const source = await connect({
      verification: 'token',
      header: 'X-Tool-Token',
      secret,
      source: 'heating',
      event_type_pointer: '/build/status',
    });
    const at = { params: { integrationId: source.integrationId } };
    const reconnect = (credentials: object, rest: object = {}) =>
      source.api.call('integrations.reconnect', { ...at, body: { credentials, ...rest } });
    const sent = async (headers: Record<string, string>, id: string) => {
      const { status } = await post(source.url, BODY.replace('1.0', id), headers);
      return status === 202 ? (await events(source)).map((each) => [each.source, each.type])[0] : status;
    };
    const notified = async () => {
      const body = { event_type: 'event.created', payload: { message: 'hi' } };
      return (await source.api.call('integrations.test', { ...at, body })).error;
    };
    const token = { 'x-tool-token': secret };
    await reconnect({ notify_url: new URL('/nowhere', source.url).href });
    expect(await sent(token, '1')).toEqual(['heating', 'passed']);
    expect((await reconnect({ source: 'cooling' })).ingest).not.toHaveProperty('secret');
    expect(await sent(token, '2')).toEqual(['cooling', 'passed']);
    expect(await notified()).toContain('responded with 404');

    await reconnect({}, { remove: ['source', 'notify_url'] });
    expect(await sent(token, '3')).toEqual(['custom', 'passed']);
    expect(await notified()).toContain('has no notify_url');

    await reconnect({ preset: 'shared-token' });
    expect(await sent(token, '4')).toBe(401);
    expect(await sent({ authorization: `Bearer ${secret}` }, '4')).toEqual(['custom', 'passed']);

    expect((await reconnect({}, { remove: ['secret'] })).ingest.secret).toMatch(/^[\w-]{43}$/);
    expect(await sent({ authorization: `Bearer ${secret}` }, '5')).toBe(401);
    const unknown = { ...at, body: { credentials: {}, remove: ['notify'] } };
    const { details } = await source.api.refused('integrations.reconnect', 400, unknown);
    expect(details?.[0]).toEqual({
      field: 'remove[0]',
      issue: 'is not a known field; did you mean notify_url?',
    });
  });

  it('begins one overlap, however many reconnections come at once', async () => {
    const source = await connect({ preset: 'shared-token' });
    const body = { credentials: {}, remove: ['secret'], overlap_seconds: 60 };
    const path = `/integrations/${source.integrationId}/reconnect`;
    const all = await Promise.all([1, 2, 3].map(() => source.api.request('POST', path, { body })));
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  it('takes calls with the old secret and rules during the overlap, which show nothing about the new ones', async () => {
    onTestFinished(() => void (offsetMs = 0));
    const token = ['the-first-token', 'the-second-token', 'the-third-token'];
    const source = await connect({ verification: 'token', header: 'X-First', secret: token[0] ?? '' });
    const at = { params: { integrationId: source.integrationId } };
    const reconnect = async (credentials: object, overlap_seconds?: number) => {
      const body = { credentials, ...(overlap_seconds !== undefined && { overlap_seconds }) };
      return (await source.api.call('integrations.reconnect', { ...at, body })).ingest.previous_valid_until;
    };
    let calls = 0;
    const status = async (header: string, secret = '', pad = '') => {
      const body = JSON.stringify({ n: (calls += 1), pad });
      return (await post(source.url, body, { [header]: secret })).status;
    };
    const detail = async () => (await source.api.call('integrations.get', at)).status_detail?.code ?? null;
    expect(await status('X-First', token[0])).toBe(202);

    const until = await reconnect({ header: 'X-Second', secret: token[1] }, 3_600);
    expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    expect(await status('X-First', token[0])).toBe(202);
    expect(await status('X-First', token[0], 'x'.repeat(LONG))).toBe(202);
    expect(await status('X-First', token[1])).toBe(401);
    expect(await status('X-Second', token[0])).toBe(401);
    expect(await detail()).toBe('awaiting_hook');
    expect(await status('X-Second', token[1])).toBe(202);
    expect(await detail()).toBeNull();

    // A third secret would end the overlap before its time.
    const body = { credentials: { secret: token[2] }, overlap_seconds: 60 };
    const refused = await source.api.refused('integrations.reconnect', 409, { ...at, body });
    expect(refused.details).toEqual([
      { field: 'overlap_seconds', issue: expect.stringContaining(String(until)) as string },
    ]);
    expect(await status('X-First', token[0])).toBe(202);

    // A change of another kind lets the overlap go on, and begins none; its end and a further secret end it.
    for (const seconds of [undefined, 60]) expect(await reconnect({ source: 'tool' }, seconds)).toBe(until);
    expect(await status('X-First', token[0])).toBe(202);
    offsetMs = 3_600_000;
    expect(await status('X-First', token[0])).toBe(401);
    for (const seconds of [undefined, 60])
      expect(await reconnect({ source: 'tool' }, seconds)).toBeUndefined();
    offsetMs = 0;
    expect(await status('X-First', token[0])).toBe(401);
    expect(await status('X-Second', token[1])).toBe(202);
    // Other rules with the same secret are proved in another way.
    expect(await reconnect({ header: 'X-Third' }, 3_600)).toBeDefined();
    expect(await status('X-Second', token[1])).toBe(202);
    expect(await detail()).toBe('awaiting_hook');
    expect(await status('X-Third', token[1])).toBe(202);
    expect(await detail()).toBeNull();
    expect(await reconnect({ source: 'tool' }, 0)).toBeUndefined();
    expect(await status('X-Second', token[1])).toBe(401);
    expect(await reconnect({ secret: token[2] })).toBeUndefined();
    expect(await status('X-First', token[0])).toBe(401);
    expect(await status('X-Second', token[1])).toBe(401);
    expect(await status('X-Third', token[2])).toBe(202);
    const { data } = await source.api.call('auditLog.list', {
      params: { id: source.workspaceId },
      query: { action: 'integration.reconnected' },
    });
    const overlaps = data.filter(({ metadata }) => metadata?.['overlap_seconds'] !== undefined);
    expect([data.length, overlaps.length]).toEqual([8, 2]);
  });

  it('without verification refuses calls that have its ID alone, which lists and webhook calls show', async () => {
    const source = await connect({ verification: 'none' });
    const [url = '', token = ''] = source.url.split('?token=');
    expect(url.endsWith(source.integrationId)).toBe(true);
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const query of ['', '?token=', '?token=***', `?token=${token}&token=${token}`, `?token=${token}x`])
      expect(await post(`${url}${query}`, BODY)).toMatchObject({ status: 401 });
    expect(await events(source)).toEqual([]);
  });

  it('without verification shows the token of its URL to those who may manage integrations, and to nobody else', async () => {
    const { api, url, ...workspace } = await connect({ verification: 'none' });
    const read = { params: { integrationId: workspace.integrationId } };
    const { ingest } = await api.call('integrations.get', read);
    expect(ingest.url).toBe(url);
    expect(ingest.instructions).toContain(`POST to ${url}. Keep that URL secret`);
    for (const options of [{ role: 'viewer' }, { scopes: ['integrations:read'] }] as const) {
      const { key } = await newKey({ api, ...workspace }, options);
      const seen = await api.as(key).call('integrations.get', read);
      expect(seen.ingest.url).toBe(url.replace(/=.*/, '=***'));
      expect(JSON.stringify(seen)).not.toContain(url.split('=')[1]);
      expect(seen.ingest.instructions).toContain('shown only to those who may manage integrations');
    }
  });

  it('without verification keeps the token of its URL when it is reconnected, unless another one is given', async () => {
    const { api, url, integrationId } = await connect({ verification: 'none' });
    const reconnect = async (credentials: Record<string, string>) => {
      const request = { params: { integrationId }, body: { credentials } };
      return (await api.call('integrations.reconnect', request)).ingest;
    };
    expect(await reconnect({ verification: 'none', source: 'heating' })).not.toHaveProperty('secret');
    expect((await reconnect({ verification: 'none' })).url).toBe(url);
    const other = await reconnect({ verification: 'none', url_token: 'another-token-of-the-url' });
    expect(other.url).toBe(url.replace(/=.*/, '=another-token-of-the-url'));
    expect(await post(url, BODY)).toMatchObject({ status: 401 });
    expect(await post(other.url, BODY)).toMatchObject({ status: 202 });
    await api.refused('integrations.reconnect', 400, {
      params: { integrationId },
      body: { credentials: { verification: 'hmac', url_token: 'another-token-of-the-url' } },
    });
  });
});

describe('a message for Slack', () => {
  it("is taken from Slack's own client, with the secret in the URL", async () => {
    const source = await connect({ source: 'alerts' });
    const slack = new IncomingWebhook(`${source.url}/slack?token=${encodeURIComponent(source.secret)}`);
    expect((await slack.send('*Deploy* of <https://example.com|site> failed')).text).toBe('ok');
    await slack.send({
      username: 'ci',
      channel: '#ops',
      attachments: [{ color: 'danger', text: 'It is broken' }],
    });
    const [second, first] = await events(source);
    expect(first).toMatchObject({
      type: 'message',
      source: 'alerts',
      summary: { text: '*Deploy* of site failed' },
      payload: { text: '*Deploy* of <https://example.com|site> failed' },
    });
    expect(second).toMatchObject({
      summary: { text: 'It is broken', severity: 'high', actor: { name: 'ci' }, container: { name: '#ops' } },
    });
  });

  it('gets the response "ok", as from Slack, and 400 if its body is not a message', async () => {
    const { url, secret } = await connect({});
    const to = `${url}/slack?token=${encodeURIComponent(secret)}`;
    expect(await post(to, '{"text":"hi"}')).toEqual({ status: 200, text: 'ok', type: 'text/plain' });
    for (const body of ['', '{}', '[]', 'text', '{"text":""}'])
      expect(await post(to, body)).toMatchObject({ status: 400 });
  });

  it('without the secret, or with two, is refused and leaves nothing', async () => {
    const source = await connect({});
    const token = encodeURIComponent(source.secret);
    for (const query of ['', '?token=', '?token=wrong', `?token=${token}&token=${token}`, `?token=${token}x`])
      expect(await post(`${source.url}/slack${query}`, '{"text":"hi"}')).toMatchObject({ status: 401 });
    expect(await events(source)).toEqual([]);
  });

  it('is taken with the token of the URL if nothing else is verified', async () => {
    const source = await connect({ verification: 'none' });
    const slack = source.url.replace('?', '/slack?');
    expect(await post(slack.replace(/\?.*/, ''), '{"text":"hi"}')).toMatchObject({ status: 401 });
    expect(await post(slack, '{"text":"hi"}')).toMatchObject({ status: 200, text: 'ok' });
    // Messages have no ID: the same words twice are two messages.
    const first = Date.now();
    await until('another moment', () => Date.now() > first);
    await post(slack, '{"text":"hi"}');
    expect(await events(source)).toHaveLength(2);
  });
});
