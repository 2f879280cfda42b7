import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { HEADERS } from '@hubline/contract';
import { Webhook as Standard } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../../../src/providers/registry.ts';
import { checkBase } from '../support/api.ts';
import { newWorkspace, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
/** The APIs at which webhooks are registered. */
let tools: Receiver;
beforeAll(async () => {
  const linear = { webhooks: { nodes: [] }, webhookCreate: { success: true, webhook: { id: 'w1' } } };
  const self = 'https://acme.atlassian.net/rest/webhooks/1.0/webhook/72';
  tools = await startReceiver(({ method, url }) =>
    method === 'GET'
      ? { status: 200, body: [] }
      : { status: url === '/graphql' ? 200 : 201, body: { data: linear, self } },
  );
  const env = {
    HUBLINE_CREDENTIAL_CHECK: 'skip',
    HUBLINE_LINEAR_API_URL: tools.url,
    HUBLINE_JIRA_API_URL: tools.url,
  };
  workspace = await startWorkspace({ env, flags: { httpThread: 'on' } });
});
afterAll(async () => {
  await workspace.stop();
  await tools.stop();
});

type Header = readonly [name: string, value: string];

/** The headers of a request from a page of the dashboard. */
const OWN_PAGE: readonly Header[] = [
  ['X-Hubline-Dashboard', '1'],
  ['Sec-Fetch-Site', 'same-origin'],
];

/** Sends headers exactly as listed. */
async function send(url: string, headers: readonly Header[], body?: string) {
  const { pathname, search } = new URL(url);
  const lines = [
    ['Host', 'x'],
    ...headers,
    ...(body === undefined ? [] : [['Content-Length', Buffer.byteLength(body)]]),
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  const method = body === undefined ? 'GET' : 'POST';
  const request = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
  const { responses } = await raw(workspace.server.url, Buffer.from(request), { responses: 1 });
  const [response] = responses;
  if (!response) throw new Error('There is no response.');
  return response;
}

/**
 * The headers with a second one of that name: another value before or after it, or the same value with the name in
 * upper case.
 */
const doubled = (headers: readonly Header[], [name, value]: Header): (readonly Header[])[] => [
  [[name, 'x'], ...headers],
  [...headers, [name, 'x']],
  [...headers, [name.toUpperCase(), value]],
];

describe('a request of the API', () => {
  const auth = (): Header => [HEADERS.authorization, `Bearer ${workspace.server.apiKey}`];
  const json: Header = ['Content-Type', 'application/json'];
  const newBody = () => JSON.stringify({ name: 'Once', slug: unique('once') });

  it.each<[string, Header, number]>([
    ['Host', ['Host', 'x'], 400],
    ['Cookie', ['Cookie', 'a=b'], 400],
    ['Content-Type', json, 400],
    ['Content-Encoding', ['Content-Encoding', 'identity'], 400],
    ['Idempotency-Key', [HEADERS.idempotencyKey, 'once'], 400],
    ['Last-Event-ID', [HEADERS.lastEventId, 'x'], 400],
    ['X-Error-Format', [HEADERS.errorFormat, 'nested'], 400],
    ['Sec-Fetch-Site', ['Sec-Fetch-Site', 'same-origin'], 400],
    ['X-Hubline-Dashboard', ['X-Hubline-Dashboard', '1'], 400],
    ['Authorization', ['Authorization', 'Bearer x'], 401],
  ])('is refused when it has two: %s', async (name, header, status) => {
    const url = `${workspace.server.baseUrl}/workspaces`;
    const base = [auth(), ...(name === 'Content-Type' ? [] : [json])];
    const once = name === 'Host' || name === 'Authorization' ? base : [...base, header];
    expect((await send(url, once, newBody())).status).toBe(201);
    const before = (await workspace.api.call('workspaces.list', { query: { limit: '100' } })).data.length;
    const twice = name === 'Host' ? [[...once, header]] : doubled(once, header);
    for (const headers of twice) {
      const response = await send(url, headers, newBody());
      checkBase(response);
      expect(response.status, response.text).toBe(status);
      expect(response.text).toContain(name.toLowerCase());
    }
    const { data } = await workspace.api.call('workspaces.list', { query: { limit: '100' } });
    expect(data).toHaveLength(before);
  });

  it('is refused when it has two session cookies of one name', async () => {
    const name = `hubline_session_${new URL(workspace.server.url).port}`;
    const response = await send(`${workspace.server.url}/session`, [
      ...OWN_PAGE,
      ['Cookie', `${name}=a; ${name}=b`],
    ]);
    expect(response.status).toBe(401);
    expect(response.text).toContain(`several ${name}`);
  });

  it.each<Header>([
    ['Content-Length', '2'],
    ['Content-Length', '3'],
    ['Transfer-Encoding', 'chunked'],
  ])('is refused when it is not clear where it ends: %s %s', async (name, value) => {
    const response = await send(
      `${workspace.server.baseUrl}/workspaces`,
      [auth(), json, [name, value]],
      '{}',
    );
    expect(response.status).toBe(400);
  });

  it('is read to its last header, however many there are', async () => {
    const many = Array.from({ length: 1_500 }, (_, index): Header => [index.toString(36), '']);
    const url = `${workspace.server.baseUrl}/me`;
    expect((await send(url, [...many, auth()])).status).toBe(200);
    // Node 22 would leave out all headers after the first thousand, and newer versions refuse more.
    const second: Header = [HEADERS.authorization, 'Bearer x'];
    expect((await send(url, [auth(), ...many, second])).status).toBe(401);
  });

  it('may repeat headers that are lists', async () => {
    const lists: Header[] = [
      ['Accept', 'text/html'],
      ['Accept', 'application/json'],
      ['X-Forwarded-For', '10.0.0.1'],
      ['X-Forwarded-For', '10.0.0.2'],
      ['Via', '1.1 a'],
      ['Via', '1.1 b'],
    ];
    expect((await send(`${workspace.server.baseUrl}/me`, [auth(), ...lists])).status).toBe(200);
  });
});

it('two tokens for the metrics are refused', async () => {
  const guarded = await startWorkspace({
    env: { HUBLINE_METRICS_TOKEN: 'metrics-token-of-32-characters-xx' },
  });
  try {
    const right: Header = ['Authorization', 'Bearer metrics-token-of-32-characters-xx'];
    const request = (headers: readonly Header[]) =>
      raw(
        guarded.server.url,
        Buffer.from(
          `GET /metrics HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header.join(': ')}\r\n`).join('')}\r\n`,
        ),
        { patienceMs: 10_000, responses: 1 },
      ).then(({ responses }) => responses[0]?.status);
    expect(await request([['Authorization', 'Bearer x'], right])).toBe(401);
    expect(await request([right, ['Authorization', 'Bearer x']])).toBe(401);
  } finally {
    await guarded.stop();
  }
});

describe('behind a proxy', () => {
  let behind: TestWorkspace & { stop(): Promise<void> };
  beforeAll(async () => {
    behind = await startWorkspace({ flags: { behindProxy: true, rateLimit: 5, httpThread: 'on' } });
  });
  afterAll(() => behind.stop());

  const ask = async (headers: readonly Header[]) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
    const { responses } = await raw(
      behind.server.url,
      Buffer.from(`GET /v1/me HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`),
      { responses: 1 },
    );
    return responses[0];
  };

  it('two X-Forwarded-Proto headers are refused: the proxy has passed on that of its client', async () => {
    for (const values of [
      ['https', 'http'],
      ['http', 'https'],
      ['https', 'https'],
    ]) {
      const response = await ask(values.map((value): Header => ['X-Forwarded-Proto', value]));
      expect(response?.status).toBe(400);
      expect(response?.text).toContain('X-Forwarded-Proto');
    }
  });

  it('two session cookies of one name are refused', async () => {
    const name = '__Host-hubline_session';
    const response = await ask([
      ...OWN_PAGE,
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-For', '203.0.113.9'],
      ['Cookie', `${name}=a; ${name}=b`],
    ]);
    expect(response?.status).toBe(401);
    expect(response?.text).toContain(`several ${name}`);
  });

  it('X-Forwarded-For may come in several lines: the last address is the one that the proxy has seen', async () => {
    const from = async (address: string, forged: string) =>
      (
        await ask([
          ['X-Forwarded-Proto', 'https'],
          ['X-Forwarded-For', forged],
          ['X-Forwarded-For', address],
        ])
      )?.headers.get(HEADERS.rateLimitRemaining);
    expect(await from('203.0.113.7', '10.0.0.1')).toBe('4');
    expect(await from('203.0.113.7', '10.0.0.2')).toBe('3');
    expect(await from('203.0.113.8', '203.0.113.7')).toBe('4');
  });
});

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** A signing token of GitLab is 32 bytes long. */
const SIGNING_TOKEN = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex');
const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000));

interface Call {
  credentials: Record<string, string>;
  path?: string;
  /** The body of an event. Default: a text. */
  body?: () => string;
  /** The headers of an authentic call that its provider reads. */
  headers: (body: string) => Header[];
}

const discord = generateKeyPairSync('ed25519');
const discordKey = discord.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const gitlab = () => JSON.stringify({ object_kind: 'push', message: unique('text') });
const jira = () =>
  JSON.stringify({ webhookEvent: 'jira:issue_created', issue: { key: 'OPS-7', id: unique('id') } });

function bearer(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iat: now, exp: now + 180 })}`;
  return `Bearer ${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** Every kind of call that a provider takes. A provider without an example, or with a header that no example has, fails below. */
const CALLS: Record<string, Record<string, Call>> = {
  slack: {
    'signed by Slack': {
      credentials: { token: 'xoxb-not-checked', signing_secret: SECRET },
      body: () =>
        JSON.stringify({
          type: 'event_callback',
          event_id: unique('Ev'),
          event: { type: 'message', user: 'U1', text: 'Hello', channel: 'C1' },
        }),
      headers(body) {
        const at = seconds(new Date());
        return [
          ['X-Slack-Request-Timestamp', at],
          ['X-Slack-Signature', `v0=${hmac(`v0:${at}:${body}`)}`],
        ];
      },
    },
  },
  discord: {
    'signed by Discord': {
      credentials: {
        bot_token: 'not-checked',
        public_key: discordKey,
        application_id: '1234567890123456789',
      },
      body: () =>
        JSON.stringify({
          version: 1,
          application_id: '1234567890123456789',
          type: 1,
          event: { type: 'ENTITLEMENT_CREATE', timestamp: '2026-01-02T03:04:05', data: { id: unique('id') } },
        }),
      headers(body) {
        const at = seconds(new Date());
        const signature = sign(null, Buffer.from(at + body), discord.privateKey).toString('hex');
        return [
          ['X-Signature-Timestamp', at],
          ['X-Signature-Ed25519', signature],
        ];
      },
    },
  },
  teams: {
    'signed by Teams': {
      credentials: { security_token: Buffer.from(SECRET).toString('base64') },
      body: () =>
        JSON.stringify({ type: 'message', id: unique('id'), conversation: { id: '19:a' }, text: 'Hello' }),
      headers: (body) => [['Authorization', `HMAC ${Buffer.from(hmac(body), 'hex').toString('base64')}`]],
    },
  },
  gitlab: {
    'with the token of GitLab': {
      credentials: { token: 'glpat-not-checked', webhook_secret: SECRET },
      body: gitlab,
      headers: () => [
        ['X-Gitlab-Token', SECRET],
        ['X-Gitlab-Event', 'Push Hook'],
        ['webhook-id', randomUUID()],
        ['webhook-timestamp', seconds(new Date())],
        ['webhook-signature', 'v1,not-read'],
      ],
    },
    'signed by GitLab': {
      credentials: { token: 'glpat-not-checked', signing_token: SIGNING_TOKEN },
      body: gitlab,
      headers(body) {
        const at = new Date();
        const id = randomUUID();
        return [
          ['X-Gitlab-Token', 'not-read'],
          ['X-Gitlab-Event', 'Push Hook'],
          ['webhook-id', id],
          ['webhook-timestamp', seconds(at)],
          ['webhook-signature', new Standard(SIGNING_TOKEN).sign(id, at, body)],
        ];
      },
    },
  },
  linear: {
    'signed by Linear': {
      credentials: { api_key: 'lin_api_not_checked', webhook_secret: SECRET },
      body: () =>
        JSON.stringify({
          action: 'create',
          type: 'Issue',
          data: { id: unique('i') },
          webhookTimestamp: Date.now(),
        }),
      headers: (body) => [
        ['Linear-Signature', hmac(body)],
        ['Linear-Delivery', randomUUID()],
      ],
    },
  },
  jira: {
    'of an administrator’s webhook': {
      credentials: {
        email: 'ada@example.com',
        api_key: 'not-checked',
        domain: 'acme.atlassian.net',
        webhook_secret: SECRET,
      },
      body: jira,
      headers: (body) => [
        ['X-Hub-Signature', `sha256=${hmac(body)}`],
        ['Authorization', 'not-read'],
        ['X-Atlassian-Webhook-Identifier', randomUUID()],
      ],
    },
    'of an app’s webhook': {
      credentials: {
        email: 'ada@example.com',
        api_key: 'not-checked',
        domain: 'acme.atlassian.net',
        client_secret: SECRET,
      },
      body: jira,
      headers: () => [
        ['X-Hub-Signature', 'not-read'],
        ['Authorization', bearer()],
        ['X-Atlassian-Webhook-Identifier', randomUUID()],
      ],
    },
  },
  notion: {
    'signed by Notion': {
      credentials: { token: 'ntn_not_checked', verification_token: SECRET },
      body: () =>
        JSON.stringify({
          id: randomUUID(),
          type: 'page.created',
          entity: { id: randomUUID(), type: 'page' },
        }),
      headers: (body) => [['X-Notion-Signature', `sha256=${hmac(body)}`]],
    },
  },
  github: {
    'signed by GitHub': {
      credentials: { token: 'ghp_not_checked', webhook_secret: SECRET },
      headers: (body) => [
        ['X-Hub-Signature-256', `sha256=${hmac(body)}`],
        ['X-Hub-Signature', 'sha1=0'],
        ['X-GitHub-Event', 'push'],
        ['X-GitHub-Delivery', randomUUID()],
      ],
    },
  },
  custom: {
    'in the style of GitHub': {
      credentials: { secret: SECRET, event_type_header: 'X-Kind', delivery_id_header: 'X-Id' },
      headers: (body) => [
        ['X-Hub-Signature-256', `sha256=${hmac(body)}`],
        ['X-Kind', 'push'],
        ['X-Id', randomUUID()],
        ['webhook-id', randomUUID()],
      ],
    },
    'as Standard Webhooks': {
      credentials: { preset: 'standard-webhooks', secret: SECRET },
      headers(body) {
        const at = new Date();
        const id = randomUUID();
        return [
          ['webhook-id', id],
          ['webhook-timestamp', seconds(at)],
          ['webhook-signature', new Standard(SECRET).sign(id, at, body)],
        ];
      },
    },
    'in the style of Slack': {
      credentials: { preset: 'slack-style', secret: SECRET },
      headers(body) {
        const at = seconds(new Date());
        return [
          ['X-Slack-Request-Timestamp', at],
          ['X-Slack-Signature', `v0=${hmac(`v0:${at}:${body}`)}`],
        ];
      },
    },
    'with its own headers': {
      credentials: {
        secret: SECRET,
        header: 'X-Sign',
        signed: '{id}.{timestamp}.{body}',
        timestamp_header: 'X-At',
        delivery_id_header: 'X-Id',
      },
      headers(body) {
        const at = seconds(new Date());
        const id = randomUUID();
        return [
          ['X-Sign', hmac(`${id}.${at}.${body}`)],
          ['X-At', at],
          ['X-Id', id],
        ];
      },
    },
    'with a token': {
      credentials: { preset: 'shared-token', secret: SECRET },
      headers: () => [['Authorization', `Bearer ${SECRET}`]],
    },
    'with a token in its own header': {
      credentials: { verification: 'token', secret: SECRET, header: 'X-Token' },
      headers: () => [['X-Token', SECRET]],
    },
    'that proves nothing': {
      credentials: { verification: 'none', event_type_header: 'X-Kind', delivery_id_header: 'X-Id' },
      headers: () => [
        ['X-Kind', 'push'],
        ['X-Id', randomUUID()],
      ],
    },
    'as a Slack message': {
      credentials: { preset: 'shared-token', secret: SECRET },
      path: '/slack',
      headers: () => [['Authorization', `Bearer ${SECRET}`]],
    },
  },
};

describe.each([...providers.values()])('a call for $key', (provider) => {
  const calls = Object.entries(CALLS[provider.key] ?? {});

  it('has an example above, with every header that the provider declares', () => {
    expect(calls.length).toBeGreaterThan(0);
    for (const [, { credentials, path, headers }] of calls) {
      const receiving = path === '/slack' ? provider.slack : provider;
      const declared = receiving?.headers(credentials) ?? [];
      const sent = headers('').map(([name]) => name.toLowerCase());
      for (const name of sent) expect(declared).toContain(name);
      // These may be absent, and are among the headers that a request may have only once.
      const optional = ['content-type', 'idempotency-key', 'webhook-id'];
      for (const name of declared) expect([...sent, ...optional]).toContain(name);
    }
    expect(calls.some(([, { path }]) => path === '/slack')).toBe(provider.slack !== undefined);
  });

  it.each(calls)('is refused when a header that the provider reads comes twice: %s', async (_, call) => {
    const source = await newWorkspace(workspace);
    const { ingest } = await source.api.call('integrations.connect', {
      body: { workspace_id: source.workspaceId, provider: provider.key, credentials: call.credentials },
    });
    const url = `${ingest.url}${call.path ?? ''}`;
    const body = call.body ?? (() => JSON.stringify({ text: unique('text') }));
    const accepted = async () =>
      (await source.api.call('events.list', { params: { id: source.workspaceId } })).data.length;

    const first = body();
    const json: Header = ['Content-Type', 'application/json'];
    expect((await send(url, [json, ...call.headers(first)], first)).status).toBeLessThan(300);
    expect(await accepted()).toBe(1);
    for (const [index, [name]] of call.headers(first).entries()) {
      for (const variant of [0, 1, 2]) {
        const text = body();
        const headers = [json, ...call.headers(text)];
        const twice = doubled(headers, headers[index + 1] as Header)[variant] ?? [];
        const response = await send(url, twice, text);
        expect(response.status, `${name} ${variant}: ${response.text}`).toBe(401);
      }
    }
    const other = body();
    const idempotent: Header = ['Idempotency-Key', 'x'];
    for (const headers of [
      [json, json],
      [json, idempotent, idempotent],
    ]) {
      expect((await send(url, [...headers, ...call.headers(other)], other)).status).toBe(400);
    }
    expect(await accepted()).toBe(1);
  });
});
