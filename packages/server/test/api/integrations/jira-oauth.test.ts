import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
import { listJobs } from '../../../src/start/operator-jobs.ts';
import {
  allowAccess,
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from '../support/stand-ins/fake-authorization-server.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
const SITES = {
  acme: { id: 'cloud-1', url: 'https://acme.atlassian.net', name: 'acme', scopes: ['read:jira-work'] },
  beta: { id: 'cloud-2', url: 'https://beta.atlassian.net', name: 'beta', scopes: ['read:jira-work'] },
  // The same site once more, for another product.
  confluence: { id: 'cloud-1', url: 'https://acme.atlassian.net', name: 'acme', scopes: ['read:page'] },
};

let atlassian: AuthorizationServer;
/** The API of every site, for valid tokens. */
let api: Receiver;
let sites: object[];
/** The webhooks of the app at Atlassian. */
let hooks: { id: number; url: string; jqlFilter: string; events: string[] }[];
let nextHook = 1_000;

/** The API of the site itself, for callers with an API token. */
const site = ({ method, url }: { method: string; url: string }) => {
  if (url === '/rest/api/3/myself') return { status: 200, body: { accountId: 'a1' } };
  const self = 'https://acme.atlassian.net/rest/webhooks/1.0/webhook/72';
  return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { self } };
};

let server: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let offsetMs = 0;

beforeAll(async () => {
  atlassian = await startAuthorizationServer({
    authorizePath: '/authorize',
    tokenPath: '/oauth/token',
    pkce: false,
    scope: 'read:jira-work write:jira-work read:jira-user manage:jira-webhook offline_access',
    client: 'body',
    request: 'json',
    parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    expiresIn: 3_600,
    refuse: (error) => ({
      status: 403,
      body: { error, error_description: 'Unknown or invalid refresh token.' },
    }),
  });
  api = await startReceiver(({ method, url, headers, body }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (token.startsWith('Basic ')) return site({ method, url });
    if (!atlassian.tokens.has(token)) return { status: 401, body: { code: 401, message: 'Unauthorized' } };
    if (url === '/oauth/token/accessible-resources') return { status: 200, body: sites };
    const [, path = ''] = /^\/ex\/jira\/cloud-\d\/rest\/api\/3(\/.*)$/.exec(url) ?? [];
    if (path === '/myself') return { status: 200, body: { accountId: 'a1' } };
    if (path === '/search/jql') return { status: 200, body: { issues: [] } };
    if (path === '/webhook?maxResults=100') return { status: 200, body: { values: hooks } };
    const {
      webhookIds = [],
      url: target = '',
      webhooks = [],
    } = JSON.parse(body) as {
      webhookIds?: number[];
      url?: string;
      webhooks?: { jqlFilter: string; events: string[] }[];
    };
    if (path === '/webhook/refresh') return { status: 200, body: { expirationDate: 1 } };
    if (path === '/webhook' && method === 'DELETE') {
      hooks = hooks.filter(({ id }) => !webhookIds.includes(id));
      return { status: 202 };
    }
    if (path !== '/webhook') return { status: 404, body: { errorMessages: ['No route'] } };
    const made = webhooks.map((each) => ({ ...each, url: target, id: (nextHook += 1) }));
    hooks.push(...made);
    return {
      status: 200,
      body: { webhookRegistrationResult: made.map(({ id }) => ({ createdWebhookId: id })) },
    };
  });
  server = await startWorkspace({
    env: { HUBLINE_JIRA_OAUTH_URL: atlassian.url, HUBLINE_JIRA_API_URL: api.url },
    clock: () => new Date(Date.now() + offsetMs),
  });
});
afterAll(async () => {
  await server.stop();
  await atlassian.stop();
  await api.stop();
});
beforeEach(async () => {
  offsetMs = 0;
  sites = [SITES.acme, SITES.confluence];
  hooks = [];
  api.calls.length = 0;
  workspace = await newWorkspace(server);
  await workspace.api.call('oauth.configureApp', {
    params: { id: workspace.workspaceId },
    body: { provider: 'jira', ...CLIENT },
  });
});

async function run(settings?: Record<string, string>) {
  const { url, flow_id } = await workspace.api.call('oauth.start', {
    params: { provider: 'jira' },
    body: { workspace_id: workspace.workspaceId, ...(settings && { settings }) },
  });
  await allowAccess(atlassian, url);
  return workspace.api.call('oauth.get', { params: { id: workspace.workspaceId, flowId: flow_id } });
}

async function connect(settings?: Record<string, string>) {
  const { status, error, integration_id } = await run(settings);
  expect({ status, error }).toEqual({ status: 'connected', error: null });
  return workspace.api.call('integrations.get', { params: { integrationId: integration_id ?? '' } });
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The proof of a call: a token that is signed with the secret of the app. */
function bearer(secret: string) {
  const now = Math.floor((Date.now() + offsetMs) / 1_000);
  const content = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ iat: now, exp: now + 180 })}`;
  return `Bearer ${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

const untilSynced = (integrationId: string) =>
  until('the sync is over', async () => {
    const { sync } = await workspace.api.call('integrations.get', { params: { integrationId } });
    return sync?.status === 'completed';
  });

const untilRenewalIsPlanned = (integrationId: string) =>
  until('the next renewal is planned', async () => {
    const jobs = await listJobs(parseServerConfig(server.server.storage, {}), { kind: 'renew_hook' });
    const due = jobs.find(({ key }) => key === integrationId)?.due_at ?? null;
    return due !== null && Date.parse(due) > Date.now() + offsetMs;
  });

const routesTo = (path: string) => api.calls.filter(({ url }) => url.endsWith(path)).length;

it('connects the site to which access was granted, and registers webhooks that are signed with the secret of the app', async () => {
  const { integration_id: integrationId, ingest } = await connect({ project: 'OPS' });
  expect(ingest).toMatchObject({ registered: true });
  expect(hooks).toMatchObject([{ url: ingest.url, jqlFilter: 'project = "OPS"' }]);
  const body = JSON.stringify({ webhookEvent: 'jira:issue_created', issue: { key: 'OPS-7', fields: {} } });
  const send = async (authorization: string) =>
    (await fetch(ingest.url, { method: 'POST', body, headers: { authorization } })).status;
  expect([await send(bearer('another secret')), await send(bearer(CLIENT.client_secret))]).toEqual([
    401, 202,
  ]);
  const { data } = await workspace.api.call('events.list', { params: { id: workspace.workspaceId } });
  expect(data).toMatchObject([{ integration_id: integrationId, summary: { subject: { id: 'OPS-7' } } }]);
});

it('renews the webhooks before their 30 days end, with a token that it refreshes, and forever', async () => {
  const { integration_id: integrationId, ingest } = await connect();
  for (const days of [21, 42]) {
    offsetMs = days * DAY_MS;
    // All access tokens have expired long ago; refresh tokens rotate.
    atlassian.tokens.clear();
    const before = routesTo('/webhook/refresh');
    // This wakes the jobs of a server whose clock was moved.
    await workspace.api.call('integrations.sync', { params: { integrationId } });
    await until('the webhooks are renewed', () => routesTo('/webhook/refresh') > before);
    // The next renewal is planned from the time of the response: a clock that moves before the response would postpone it.
    await untilRenewalIsPlanned(integrationId);
    // Only then can another sync begin.
    await untilSynced(integrationId);
  }
  expect(hooks.filter(({ url }) => url === ingest.url)).toHaveLength(1);
});

it('creates the webhooks again after they have ended, and shows an error when the app may no longer do that', async () => {
  const { integration_id: integrationId, ingest } = await connect();
  const status = async () => {
    const shown = await workspace.api.call('integrations.get', { params: { integrationId } });
    return shown.status;
  };
  hooks = [];
  offsetMs = 21 * DAY_MS;
  await workspace.api.call('integrations.sync', { params: { integrationId } });
  await until('there are others', () => hooks.some(({ url }) => url === ingest.url));
  await untilRenewalIsPlanned(integrationId);
  await untilSynced(integrationId);
  // The person has removed the app at Atlassian.
  offsetMs = 42 * DAY_MS;
  atlassian.tokens.clear();
  atlassian.refreshTokens.clear();
  await workspace.api.call('integrations.sync', { params: { integrationId } });
  await until('people see it', async () => (await status()) === 'error');
  await connect();
  expect(await status()).toBe('connected');
});

it('removes the webhooks when it is disconnected, even if its token has expired', async () => {
  const { integration_id: integrationId } = await connect();
  offsetMs = 7_200_000;
  atlassian.tokens.clear();
  await workspace.api.call('integrations.disconnect', {
    params: { id: workspace.workspaceId, integrationId },
  });
  await until('its webhooks are removed', () => hooks.length === 0);
});

it('asks for the site when access to several was granted, and connects the one that is named', async () => {
  sites = [SITES.acme, SITES.beta];
  expect(await run()).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /several sites: acme\.atlassian\.net, beta\.atlassian\.net\. Start again with the domain/,
    ),
  });
  await connect({ domain: 'beta.atlassian.net' });
  expect(api.calls.some(({ url }) => url.startsWith('/ex/jira/cloud-2/'))).toBe(true);
  expect(await run({ domain: 'gamma.atlassian.net' })).toMatchObject({
    error: expect.stringContaining('not to gamma.atlassian.net'),
  });
  sites = [];
  expect(await run()).toMatchObject({ error: expect.stringContaining('to no Jira site') });
});

it('can be changed to an API token, which removes the secret and the webhooks of the app', async () => {
  const { integration_id: integrationId, ingest } = await connect();
  expect(hooks).toHaveLength(1);
  const credentials = { email: 'ada@example.com', api_key: 'key', domain: 'acme.atlassian.net' };
  const again = await workspace.api.call('integrations.reconnect', {
    params: { integrationId },
    body: { credentials },
  });
  expect(again.ingest).toMatchObject({ registered: true, secret: expect.any(String) });
  await until('the webhooks of the app are removed', () => hooks.length === 0);
  const body = JSON.stringify({ webhookEvent: 'jira:issue_created', issue: { key: 'OPS-7', fields: {} } });
  const signature = createHmac('sha256', again.ingest.secret ?? '')
    .update(body)
    .digest('hex');
  const send = async (headers: Record<string, string>) =>
    (await fetch(ingest.url, { method: 'POST', body, headers })).status;
  expect(await send({ authorization: bearer(CLIENT.client_secret) })).toBe(401);
  expect(await send({ 'x-hub-signature': `sha256=${signature}` })).toBe(202);
});
