import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWorkspace, type Place, startPlace } from '../api/support/place.ts';
import { type ReceiverAnswer, type Receiver, startReceiver } from '../api/support/receiver.ts';

/** A tool, how it calls, and what its API answers. */
interface Tool {
  provider: 'slack' | 'discord' | 'teams' | 'notion';
  credentials: Record<string, string>;
  channel?: string;
  /** Its API, by route. */
  api: Record<string, ReceiverAnswer>;
  /** The headers that prove a body. */
  prove(body: string): Record<string, string>;
  /** The call by which it makes itself known, and the answer. `unsigned`: it brings the secret, once. */
  handshake?: { body: string; answer: Answer; unsigned?: true };
  event: object;
  type: string;
  /** The only answer that it takes for success. */
  success: Answer;
  destination: string;
  /** The answer by which its API refuses the credentials, and the field that is to blame. */
  refusal?: { route: string; answer: ReceiverAnswer; field: string };
}

interface Answer {
  status: number;
  type: string | null;
  text: string;
}

const now = () => String(Math.floor(Date.now() / 1_000));

const discordKeys = generateKeyPairSync('ed25519');
const discordKey = discordKeys.publicKey
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('hex');

const NOTION_KEY = 'secret_0123456789abcdefghijklmnopqrstuvwxyz';

const TOOLS: Tool[] = [
  {
    provider: 'slack',
    credentials: { token: 'xoxb-works', signing_secret: 'slack-signing-secret' },
    channel: '#releases',
    api: {
      'POST /api/auth.test': { status: 200, body: { ok: true } },
      'POST /api/chat.postMessage': { status: 200, body: { ok: true } },
    },
    prove(body) {
      const timestamp = now();
      const hmac = createHmac('sha256', 'slack-signing-secret').update(`v0:${timestamp}:${body}`);
      return {
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${hmac.digest('hex')}`,
      };
    },
    handshake: {
      body: '{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRN"}',
      answer: { status: 200, type: 'text/plain', text: '3eZbrw1aBm2rZgRN' },
    },
    event: {
      type: 'event_callback',
      event_id: 'Ev1',
      event: { type: 'message', user: 'U1', text: 'Hello', channel: 'C1' },
    },
    type: 'message',
    success: { status: 200, type: null, text: '' },
    destination: '#releases',
    refusal: {
      route: 'POST /api/auth.test',
      answer: { status: 200, body: { ok: false, error: 'invalid_auth' } },
      field: 'credentials.token',
    },
  },
  {
    provider: 'discord',
    credentials: { bot_token: 'works', public_key: discordKey, application_id: '1234567890123456789' },
    channel: '9876543210987654321',
    api: {
      'GET /api/v10/applications/@me': {
        status: 200,
        body: { id: '1234567890123456789', verify_key: discordKey },
      },
      'POST /api/v10/channels/9876543210987654321/messages': { status: 200, body: { id: '1' } },
    },
    prove(body) {
      const timestamp = now();
      const signature = sign(null, Buffer.from(timestamp + body), discordKeys.privateKey);
      return { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature.toString('hex') };
    },
    handshake: {
      body: '{"version":1,"application_id":"1234567890123456789","type":0}',
      answer: { status: 204, type: 'application/json', text: '' },
    },
    event: {
      version: 1,
      application_id: '1234567890123456789',
      type: 1,
      event: { type: 'ENTITLEMENT_CREATE', timestamp: '2026-01-02T03:04:05', data: { id: '9' } },
    },
    type: 'entitlement',
    success: { status: 204, type: 'application/json', text: '' },
    destination: '9876543210987654321',
    refusal: {
      route: 'GET /api/v10/applications/@me',
      answer: { status: 401, body: { message: '401: Unauthorized' } },
      field: 'credentials.bot_token',
    },
  },
  {
    provider: 'teams',
    credentials: {
      security_token: 'dGVhbXMtc2VjdXJpdHktdG9rZW4=',
      webhook_url:
        'https://prod-00.westus.logic.azure.com:443/workflows/abc/triggers/manual/paths/invoke?sig=s',
    },
    api: { 'POST /workflows/abc/triggers/manual/paths/invoke?sig=s': { status: 202 } },
    prove(body) {
      const hmac = createHmac('sha256', 'teams-security-token').update(body);
      return { authorization: `HMAC ${hmac.digest('base64')}` };
    },
    event: {
      type: 'message',
      id: '1767323045000',
      conversation: { id: '19:abc@thread.tacv2' },
      from: { id: '29:1', name: 'Ada' },
      text: '<at>Hubline</at> Hello',
    },
    type: 'message',
    success: {
      status: 200,
      type: 'application/json',
      text: '{"type":"message","text":"Hubline has received this message."}',
    },
    destination: 'prod-00.westus.logic.azure.com',
  },
  {
    provider: 'notion',
    credentials: { token: 'ntn_works' },
    channel: '337e31d64eb980fab299c93680d85322',
    api: {
      'GET /v1/users/me': { status: 200, body: { object: 'user', id: 'bot-1' } },
      'POST /v1/comments': { status: 200, body: { object: 'comment' } },
    },
    prove: (body) => ({
      'x-notion-signature': `sha256=${createHmac('sha256', NOTION_KEY).update(body).digest('hex')}`,
    }),
    handshake: {
      body: JSON.stringify({ verification_token: NOTION_KEY }),
      answer: { status: 200, type: null, text: '' },
      unsigned: true,
    },
    event: {
      id: '56c3e00c-4f0c-4566-9676-4b058a50a03d',
      type: 'page.created',
      entity: { id: '337e31d6-4eb9-80fa-b299-c93680d85322', type: 'page' },
    },
    type: 'page',
    success: { status: 200, type: null, text: '' },
    destination: '337e31d64eb980fab299c93680d85322',
    refusal: {
      route: 'GET /v1/users/me',
      answer: { status: 401, body: { message: 'API token is invalid.' } },
      field: 'credentials.token',
    },
  },
];

let api: Receiver;
/** Answers that stand in for those of the tools, by route. */
const instead = new Map<string, ReceiverAnswer>();
let server: Place & { stop(): Promise<void> };
let place: Place;
beforeAll(async () => {
  api = await startReceiver(({ method, url }) => {
    const route = `${method} ${url}`;
    const other = instead.get(route);
    return other ?? TOOLS.find((tool) => route in tool.api)?.api[route] ?? { status: 404, body: {} };
  });
  server = await startPlace({
    env: {
      HUBLINE_SLACK_API_URL: `${api.url}/api`,
      HUBLINE_DISCORD_API_URL: `${api.url}/api/v10`,
      HUBLINE_TEAMS_API_URL: api.url,
      HUBLINE_NOTION_API_URL: api.url,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await api.stop();
});
beforeEach(async () => {
  instead.clear();
  place = await newWorkspace(server);
});

async function send(url: string, body: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const type = response.headers.get('content-type');
  const text = await response.text();
  const length = response.headers.get('content-length');
  expect(length).toBe(response.status === 204 ? null : String(text.length));
  return { status: response.status, type, text };
}

const eventTypes = async () =>
  (await place.api.call('events.list', { params: { id: place.workspaceId } })).data.map(({ type }) => type);

describe.each(TOOLS)('$provider', (tool) => {
  const connect = () =>
    place.api.call('integrations.connect', {
      body: {
        workspace_id: place.workspaceId,
        provider: tool.provider,
        credentials: tool.credentials,
        config: tool.channel === undefined ? {} : { channel: tool.channel },
      },
    });

  it('is connected, confirms its URL, brings events once, and is disconnected', async () => {
    const { integration_id: integrationId, ingest } = await connect();
    const params = { integrationId };
    const body = JSON.stringify(tool.event);
    const { handshake } = tool;

    if (handshake) {
      const proof = handshake.unsigned ? {} : tool.prove(handshake.body);
      expect(await send(ingest.url, handshake.body, proof)).toEqual(handshake.answer);
      expect(await send(ingest.url, handshake.body, {})).toMatchObject({ status: 401 });
    }
    const headers = tool.prove(body);
    expect(await send(ingest.url, body, headers)).toEqual(tool.success);
    expect(await send(ingest.url, body, headers)).toEqual(tool.success);
    expect(await send(ingest.url, `${body} `, headers)).toMatchObject({ status: 401 });
    expect(await send(ingest.url, body, {})).toMatchObject({ status: 401 });
    expect(await eventTypes()).toEqual([tool.type]);
    expect(await place.api.call('integrations.get', { params })).toMatchObject({
      status: 'connected',
      status_detail: null,
    });

    await place.api.call('integrations.disconnect', { params: { id: place.workspaceId, integrationId } });
    expect(await send(ingest.url, body, tool.prove(body))).toMatchObject({ status: 404 });
    expect(await eventTypes()).toEqual([tool.type]);
  });

  it('takes a test notification', async () => {
    const { integration_id: integrationId } = await connect();
    const sent = await place.api.call('integrations.test', {
      params: { integrationId },
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    });
    expect(sent).toMatchObject({ success: true, destination: tool.destination });
  });
});

describe('an app that ends its access', () => {
  const slack = TOOLS[0] as Tool;
  const connectSlack = async () => {
    const { provider, credentials } = slack;
    const body = { workspace_id: place.workspaceId, provider, credentials, config: { channel: '#releases' } };
    return place.api.call('integrations.connect', { body });
  };
  const tell = async (url: string, event: object) => {
    const body = JSON.stringify({ type: 'event_callback', event_id: 'EvEnd', event });
    expect(await send(url, body, slack.prove(body))).toEqual(slack.success);
  };
  const shown = async (integrationId: string) => {
    const { status, status_detail } = await place.api.call('integrations.get', { params: { integrationId } });
    return [status, status_detail?.code, status_detail?.message];
  };

  it.each([
    [{ type: 'app_uninstalled' }, 'the app was uninstalled from the workspace'],
    [{ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U1'] } }, 'the token of the bot was revoked'],
  ])('shows %j as an error until it is connected again', async (event, reason) => {
    const { integration_id: integrationId, ingest } = await connectSlack();
    await tell(ingest.url, event);
    const message = `Slack refused the credentials: ${reason}. Reconnect the integration with others.`;
    expect(await shown(integrationId)).toEqual(['error', 'credentials_refused', message]);
    const { credentials } = slack;
    await place.api.call('integrations.reconnect', { params: { integrationId }, body: { credentials } });
    expect((await shown(integrationId))[0]).toBe('connected');
    // Slack repeats a call: it tells nothing new.
    await tell(ingest.url, event);
    expect((await shown(integrationId))[0]).toBe('connected');
  });

  it('is not affected by the token of a person', async () => {
    const { integration_id: integrationId, ingest } = await connectSlack();
    await tell(ingest.url, { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } });
    expect((await shown(integrationId))[0]).toBe('connected');
  });
});

const checked = TOOLS.flatMap(({ provider, credentials, refusal }) =>
  refusal ? [{ provider, credentials, ...refusal }] : [],
);

it.each(checked)(
  '$provider is not connected with what its API refuses, or cannot say',
  async ({ provider, credentials, route, answer, field }) => {
    const body = { workspace_id: place.workspaceId, provider, credentials };
    instead.set(route, answer);
    expect(await place.api.send('integrations.connect', { body })).toMatchObject({
      status: 422,
      json: { error: { details: [{ field }] } },
    });
    instead.set(route, { status: 429, body: {}, headers: { 'retry-after': '7' } });
    const limited = await place.api.send('integrations.connect', { body });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([503, '7']);
    instead.clear();
    expect(await place.api.send('integrations.connect', { body })).toMatchObject({ status: 201 });
  },
);

describe('a connection that only sends', () => {
  const workflow = 'https://prod-00.westus.logic.azure.com/workflows/abc/triggers/manual/paths/invoke?sig=s';
  it.each([
    [
      'slack',
      'https://hooks.slack.com/services/T/B/x',
      'POST /services/T/B/x',
      { status: 400, text: 'no_text' },
    ],
    [
      'discord',
      'https://discord.com/api/webhooks/1234567890123456789/x',
      'GET /api/v10/webhooks/1234567890123456789/x',
      { status: 200, body: { id: '1' } },
    ],
    ['teams', workflow, 'POST /workflows/abc/triggers/manual/paths/invoke?sig=s', { status: 202 }],
  ] as const)('waits for no call of %s, and takes none', async (provider, url, route, answer) => {
    instead.set(route, answer);
    const connected = await place.api.call('integrations.connect', {
      body: { workspace_id: place.workspaceId, provider, credentials: { webhook_url: url } },
    });
    expect(connected).toMatchObject({ status: 'connected', status_detail: null });
    expect(JSON.stringify(connected)).not.toContain('sig=');
    for (const tool of TOOLS.filter((each) => each.provider === provider)) {
      const body = JSON.stringify(tool.event);
      expect(await send(connected.ingest.url, body, tool.prove(body))).toMatchObject({ status: 401 });
    }
  });
});

describe('a comment of Notion', () => {
  it('that was written by the bot of the token makes no event, and the token to paste is shown until the first', async () => {
    const connected = await place.api.call('integrations.connect', {
      body: { workspace_id: place.workspaceId, provider: 'notion', credentials: { token: 'ntn_works' } },
    });
    const { integration_id: integrationId, ingest } = connected;
    const shown = async () =>
      (await place.api.call('integrations.get', { params: { integrationId } })).ingest.verification_token;
    const comment = async (author: string) => {
      const body = JSON.stringify({
        id: `comment-of-${author}`,
        type: 'comment.created',
        authors: [{ id: author, type: 'bot' }],
      });
      const hmac = createHmac('sha256', NOTION_KEY).update(body).digest('hex');
      return send(ingest.url, body, { 'x-notion-signature': `sha256=${hmac}` });
    };

    expect(await shown()).toBeNull();
    expect(await comment('bot-2')).toMatchObject({ status: 401 });
    await send(ingest.url, JSON.stringify({ verification_token: NOTION_KEY }), {});
    expect(await shown()).toBe(NOTION_KEY);
    expect(await comment('bot-1')).toMatchObject({ status: 200 });
    expect(await eventTypes()).toEqual([]);
    expect(await comment('bot-2')).toMatchObject({ status: 200 });
    expect(await eventTypes()).toEqual(['message']);
    expect(await shown()).toBeNull();

    // New credentials keep what was learned: Notion goes on signing with it.
    await place.api.call('integrations.reconnect', {
      params: { integrationId },
      body: { credentials: { token: 'ntn_newer' } },
    });
    expect(await comment('bot-3')).toMatchObject({ status: 200 });
    expect(await eventTypes()).toEqual(['message', 'message']);
  });
});
