import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWorkspace, type Place, startPlace } from '../api/support/place.ts';
import {
  type ReceivedCall,
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '../api/support/receiver.ts';
import { until } from '../api/support/until.ts';

/** A call of a tool to its ingest URL. */
interface Call {
  headers: Record<string, string>;
  body: string;
}

/** A tool as its users see it, and as it calls. */
interface Tool {
  provider: 'linear' | 'gitlab' | 'jira';
  credentials: Record<string, string>;
  /** Credentials that its API refuses, and the one that is named. */
  refused: [credentials: Record<string, string>, field: string];
  /** Its API as far as it is asked here. */
  api(call: ReceivedCall): ReceiverAnswer;
  /** Reports whether a request to its API removes the webhook. */
  removes(call: ReceivedCall): boolean;
  call(secret: string): Call;
  /** The status of a new event, and of the same again. */
  statuses: [number, number];
  event: { type: string; summary: object };
  channel: string;
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

const linear: Tool = {
  provider: 'linear',
  credentials: { api_key: 'lin_api_good' },
  refused: [{ api_key: 'lin_api_bad' }, 'credentials.api_key'],
  api({ headers, body }) {
    if (headers.authorization !== 'lin_api_good')
      return { status: 401, body: { errors: [{ extensions: { type: 'authentication error' } }] } };
    const field = /\{ (\w+)/.exec((JSON.parse(body) as { query: string }).query)?.[1] ?? '';
    const data: Record<string, object> = {
      viewer: { id: 'u1' },
      webhooks: { nodes: [] },
      webhookCreate: { success: true, webhook: { id: 'w1' } },
      webhookDelete: { success: true },
      commentCreate: { success: true },
    };
    return { status: 200, body: { data: { [field]: data[field] ?? null } } };
  },
  removes: ({ body }) => body.includes('webhookDelete'),
  call(secret) {
    const body = JSON.stringify({
      action: 'create',
      type: 'Issue',
      actor: { id: 'u1', name: 'Ada' },
      data: { id: 'i1', identifier: 'ENG-7', title: 'Log in with a passkey' },
      webhookTimestamp: Date.now(),
    });
    return { body, headers: { 'linear-signature': hmac(secret, body), 'linear-delivery': randomUUID() } };
  },
  statuses: [200, 200],
  event: { type: 'issue', summary: { subject: { id: 'ENG-7' }, actor: { name: 'Ada' } } },
  channel: 'ENG-7',
};

const gitlab: Tool = {
  provider: 'gitlab',
  credentials: { token: 'glpat-good', project: 'acme/web' },
  refused: [{ token: 'glpat-bad' }, 'credentials.token'],
  api({ method, url, headers }) {
    if (headers['private-token'] !== 'glpat-good')
      return { status: 401, body: { message: '401 Unauthorized' } };
    if (url === '/user') return { status: 200, body: { username: 'ada' } };
    if (method === 'DELETE') return { status: 204 };
    return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { id: 1, iid: 12 } };
  },
  removes: ({ method, url }) => method === 'DELETE' && url === '/projects/acme%2Fweb/hooks/1',
  call: (secret) => ({
    body: JSON.stringify({
      object_kind: 'merge_request',
      user: { username: 'ada' },
      project: { path_with_namespace: 'acme/web' },
      object_attributes: { iid: 34, title: 'Passkeys', action: 'open' },
    }),
    headers: {
      'x-gitlab-token': secret,
      'x-gitlab-event': 'Merge Request Hook',
      'idempotency-key': randomUUID(),
    },
  }),
  statuses: [202, 200],
  event: { type: 'pull_request', summary: { subject: { id: 'acme/web!34' }, actor: { name: 'ada' } } },
  channel: 'acme/web#12',
};

const jira: Tool = {
  provider: 'jira',
  credentials: { email: 'ada@example.com', api_key: 'good', domain: 'acme.atlassian.net' },
  refused: [
    { email: 'ada@example.com', api_key: 'bad', domain: 'acme.atlassian.net' },
    'credentials.api_key',
  ],
  api({ method, url, headers }) {
    const known = `Basic ${Buffer.from('ada@example.com:good').toString('base64')}`;
    if (headers.authorization !== known) return { status: 401, text: 'Client must be authenticated.' };
    if (url === '/rest/api/3/myself') return { status: 200, body: { accountId: 'a1' } };
    if (method === 'DELETE') return { status: 204 };
    const self = 'https://acme.atlassian.net/rest/webhooks/1.0/webhook/72';
    return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { self } };
  },
  removes: ({ method, url }) => method === 'DELETE' && url === '/rest/webhooks/1.0/webhook/72',
  call(secret) {
    const body = JSON.stringify({
      webhookEvent: 'jira:issue_created',
      user: { displayName: 'Ada' },
      issue: { key: 'OPS-7', fields: { summary: 'Disk is full' } },
    });
    const headers = {
      'x-hub-signature': `sha256=${hmac(secret, body)}`,
      'x-atlassian-webhook-identifier': randomUUID(),
    };
    return { body, headers };
  },
  statuses: [202, 200],
  event: { type: 'issue', summary: { subject: { id: 'OPS-7' }, actor: { name: 'Ada' } } },
  channel: 'OPS-7',
};

const TOOLS = [linear, gitlab, jira];
const apis = new Map<Tool, Receiver>();
/** The answer of every API in place of its own. */
let instead: ReceiverAnswer | null = null;
let server: Place & { stop(): Promise<void> };
let place: Place;
beforeAll(async () => {
  const env: Record<string, string> = {};
  for (const tool of TOOLS) {
    const api = await startReceiver((call) => instead ?? tool.api(call));
    apis.set(tool, api);
    env[`HUBLINE_${tool.provider.toUpperCase()}_API_URL`] = api.url;
  }
  server = await startPlace({ env });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([...apis.values()].map((api) => api.stop()));
});
beforeEach(async () => {
  instead = null;
  place = await newWorkspace(server);
});

describe.each(TOOLS)('$provider', (tool) => {
  const { provider } = tool;
  const calls = () => apis.get(tool)?.calls ?? [];
  const body = (credentials: Record<string, string>) => ({
    body: { workspace_id: place.workspaceId, provider, credentials, config: { channel: tool.channel } },
  });
  const send = async (url: string, { headers, body: text }: Call) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    return { status: response.status, body: await response.text() };
  };
  const test = (integrationId: string) =>
    place.api.call('integrations.test', {
      params: { integrationId },
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    });

  it('refuses credentials that its API refuses', async () => {
    const [credentials, field] = tool.refused;
    const refusal = await place.api.refused('integrations.connect', 422, body(credentials));
    expect(refusal.details).toMatchObject([{ field }]);
  });

  it.each<[what: string, answer: ReceiverAnswer, seconds: string]>([
    ['too busy', { status: 429, headers: { 'retry-after': '7' } }, '7'],
    ['broken', { status: 500 }, '2'],
    ['not itself', { status: 200, text: '<html>Log in to the Wi-Fi</html>' }, '2'],
    ['silent about it', { status: 200 }, '2'],
  ])('is to be connected later when its API is %s', async (_what, answer, seconds) => {
    instead = answer;
    const refusal = await place.api.refused('integrations.connect', 503, body(tool.credentials));
    expect(refusal.headers.get('retry-after')).toBe(seconds);
    instead = null;
    expect(await place.api.call('integrations.connect', body(tool.credentials))).toMatchObject({
      status: 'connected',
    });
  });

  it('is in error once its token has ended, with the reason, until a notification is taken again', async () => {
    const { integration_id: integrationId } = await place.api.call(
      'integrations.connect',
      body(tool.credentials),
    );
    const status = async () => {
      const { status, status_detail } = await place.api.call('integrations.get', {
        params: { integrationId },
      });
      return [status, status_detail?.code];
    };
    instead = {
      status: 401,
      body: {
        message: '401 Ended',
        errors: [{ message: 'Ended', extensions: { type: 'authentication error' } }],
      },
    };
    expect(await test(integrationId)).toMatchObject({
      success: false,
      error: expect.stringContaining('Ended'),
    });
    expect(await status()).toEqual(['error', 'credentials_refused']);
    instead = null;
    expect(await test(integrationId)).toMatchObject({ success: true });
    expect(await status()).toEqual(['connected', 'awaiting_hook']);
  });

  it('is connected, calls, is notified and is disconnected', async () => {
    const connected = await place.api.call('integrations.connect', body(tool.credentials));
    expect(connected).toMatchObject({ status: 'connected', ingest: { registered: true } });
    const { integration_id: integrationId, ingest } = connected;
    const secret = ingest.secret ?? '';
    expect(calls().some(({ body }) => body.includes(ingest.url) && body.includes(secret))).toBe(true);

    const call = tool.call(secret);
    const [created, duplicate] = tool.statuses;
    const wrong = await send(ingest.url, { ...call, ...tool.call('another secret'), body: call.body });
    expect(wrong.status).toBe(401);
    expect((await send(ingest.url, call)).status).toBe(created);
    expect((await send(ingest.url, call)).status).toBe(duplicate);
    const { data } = await place.api.call('events.list', { params: { id: place.workspaceId } });
    expect(data).toMatchObject([{ ...tool.event, source: provider, payload: JSON.parse(call.body) }]);
    const integration = await place.api.call('integrations.get', { params: { integrationId } });
    expect(integration).toMatchObject({ status: 'connected', status_detail: null });

    expect(await test(integrationId)).toMatchObject({ success: true, destination: tool.channel });

    await place.api.call('integrations.disconnect', { params: { id: place.workspaceId, integrationId } });
    expect((await send(ingest.url, call)).status).toBe(404);
    await until('its webhook is removed', () => calls().some((each) => tool.removes(each)));
  });
});

describe('the ways in which GitLab proves its calls', () => {
  const signingToken = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  it('are changed by reconnecting, and never mixed', async () => {
    const { integration_id: integrationId, ingest } = await place.api.call('integrations.connect', {
      body: { workspace_id: place.workspaceId, provider: 'gitlab', credentials: { token: 'glpat-good' } },
    });
    const reconnect = (credentials: Record<string, string>) =>
      place.api.call('integrations.reconnect', { params: { integrationId }, body: { credentials } });
    const send = async (headers: Record<string, string>, id: string = randomUUID()) => {
      const call = { ...headers, 'webhook-id': id, 'idempotency-key': id };
      return (await fetch(ingest.url, { method: 'POST', body: '{}', headers: call })).status;
    };
    const sign = (id: string) => {
      const time = String(Math.floor(Date.now() / 1_000));
      const key = Buffer.alloc(32, 7);
      const signature = createHmac('sha256', key).update(`${id}.${time}.{}`).digest('base64');
      return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    };
    const token = { 'x-gitlab-token': ingest.secret ?? '' };
    const id = randomUUID();
    expect([await send(token), await send(sign(id), id)]).toEqual([202, 401]);

    await reconnect({ token: 'glpat-good', signing_token: signingToken });
    expect([await send(token), await send(sign(id), id)]).toEqual([401, 202]);
    await reconnect({ token: 'glpat-good' });
    expect([await send(token), await send(sign(id), id)]).toEqual([401, 200]);

    await reconnect({ token: 'glpat-good', webhook_secret: 'chosen' });
    expect([await send({ 'x-gitlab-token': 'chosen' }), await send(sign(id), id)]).toEqual([202, 401]);
  });
});
