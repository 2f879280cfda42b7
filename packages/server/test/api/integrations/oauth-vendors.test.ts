import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLIENT,
  startAuthorizationServer,
  type Vendor,
} from '../support/stand-ins/fake-authorization-server.ts';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import {
  startReceiver,
  type Receiver,
  type ReceivedCall,
  type ReceiverResponse,
} from '../support/stand-ins/receiver.ts';

interface Case extends Vendor {
  provider: string;
  app?: Record<string, string>;
  /** The provider's API as far as connecting needs it, for a call that has the token. */
  api: (call: ReceivedCall) => ReceiverResponse;
  /** Its tokens expire and are refreshed. Absent: they do not expire, or are not kept. */
  refreshes?: true;
  /** The token of a call. */
  tokenOf: (call: ReceivedCall) => string | undefined;
}

const bearer = ({ headers }: ReceivedCall) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];

const DISCORD_WEBHOOK = 'https://discord.com/api/webhooks/112233445566778899/aBc-123';

/** Every vendor as its documentation describes it. */
const VENDORS: Case[] = [
  {
    provider: 'github',
    authorizePath: '/login/oauth/authorize',
    tokenPath: '/login/oauth/access_token',
    pkce: true,
    scope: 'repo admin:repo_hook admin:org_hook read:user',
    client: 'body',
    request: 'form',
    refuse: (error) => ({ status: 200, body: { error, error_description: `It is ${error}.` } }),
    tokenOf: bearer,
    api: () => ({ status: 200, body: { login: 'octocat' } }),
  },
  {
    provider: 'slack',
    app: { signing_secret: '8f742231b10e8888abcd99yyyzzz85a5' },
    authorizePath: '/oauth/v2/authorize',
    tokenPath: '/api/oauth.v2.access',
    pkce: false,
    scope:
      'app_mentions:read,channels:history,channels:read,chat:write,chat:write.public,files:read,groups:history,groups:read,reactions:read',
    client: 'body',
    request: 'form',
    refuse: (error) => ({ status: 200, body: { ok: false, error } }),
    response: {
      ok: true,
      token_type: 'bot',
      bot_user_id: 'U0KRQLJ9H',
      team: { id: 'T9TK3CUKW', name: 'Acme' },
    },
    tokenOf: bearer,
    api: () => ({ status: 200, body: { ok: true, user_id: 'U0KRQLJ9H', bot_id: 'B1' } }),
  },
  {
    provider: 'gitlab',
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    pkce: true,
    scope: 'api',
    client: 'body',
    request: 'form',
    expiresIn: 7_200,
    refreshes: true,
    tokenOf: bearer,
    api: () => ({ status: 200, body: { id: 1, username: 'root' } }),
  },
  {
    provider: 'linear',
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    pkce: true,
    scope: 'read,write,issues:create,comments:create,admin',
    client: 'body',
    request: 'form',
    parameters: { prompt: 'consent' },
    expiresIn: 86_400,
    refreshes: true,
    tokenOf: bearer,
    api: () => ({
      status: 200,
      body: {
        data: {
          viewer: { id: 'u1', name: 'Ana', email: 'ana@example.com' },
          organization: { id: 'o1', urlKey: 'acme' },
          webhookCreate: { success: true, webhook: { id: 'w1' } },
        },
      },
    }),
  },
  {
    provider: 'jira',
    authorizePath: '/authorize',
    tokenPath: '/oauth/token',
    pkce: false,
    scope: 'read:jira-work write:jira-work read:jira-user manage:jira-webhook offline_access',
    client: 'body',
    request: 'json',
    parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    expiresIn: 3_600,
    refreshes: true,
    refuse: (error) => ({ status: 401, body: { error, error_description: 'Unauthorized' } }),
    response: { scope: 'offline_access' },
    tokenOf: bearer,
    api({ method, url }) {
      if (url === '/oauth/token/accessible-resources')
        return {
          status: 200,
          body: [{ id: 'c1', url: 'https://acme.atlassian.net', scopes: ['read:jira-work'] }],
        };
      if (url === '/ex/jira/c1/rest/api/3/myself') return { status: 200, body: { accountId: 'a1' } };
      if (url.startsWith('/ex/jira/c1/rest/api/3/issue/')) return { status: 201, body: { id: '1' } };
      return method === 'GET'
        ? { status: 200, body: { values: [] } }
        : { status: 200, body: { webhookRegistrationResult: [{ createdWebhookId: 1 }] } };
    },
  },
  {
    provider: 'notion',
    authorizePath: '/v1/oauth/authorize',
    tokenPath: '/v1/oauth/token',
    pkce: false,
    scope: null,
    client: 'basic',
    request: 'json',
    parameters: { owner: 'user' },
    refuse: (error) => ({ status: 400, body: { object: 'error', error } }),
    response: { bot_id: 'b1', workspace_id: 'w1', workspace_name: 'Acme', owner: { type: 'user' } },
    tokenOf: bearer,
    api: () => ({ status: 200, body: { object: 'user', id: 'b1' } }),
  },
  {
    provider: 'discord',
    authorizePath: '/oauth2/authorize',
    tokenPath: '/api/oauth2/token',
    pkce: false,
    scope: 'webhook.incoming',
    client: 'body',
    request: 'form',
    expiresIn: 604_800,
    response: { webhook: { id: '112233445566778899', url: DISCORD_WEBHOOK } },
    // The webhook is read by its own secret path.
    tokenOf: ({ url }) => (url === '/webhooks/112233445566778899/aBc-123' ? 'webhook' : undefined),
    api: () => ({ status: 200, body: { id: '112233445566778899' } }),
  },
];

let offsetMs = 0;
let workspace: TestWorkspace & { stop(): Promise<void> };
const servers: Receiver[] = [];
const vendors = new Map<string, Awaited<ReturnType<typeof startAuthorizationServer>>>();

beforeAll(async () => {
  const env: Record<string, string> = {};
  for (const vendor of VENDORS) {
    const authorization = await startAuthorizationServer(vendor);
    authorization.tokens.add('webhook');
    const api = await startReceiver((call) =>
      authorization.tokens.has(vendor.tokenOf(call) ?? '')
        ? vendor.api(call)
        : { status: 401, body: { ok: false, error: 'invalid_auth', message: 'Bad credentials' } },
    );
    servers.push(authorization, api);
    vendors.set(vendor.provider, authorization);
    env[`HUBLINE_${vendor.provider.toUpperCase()}_OAUTH_URL`] = authorization.url;
    env[`HUBLINE_${vendor.provider.toUpperCase()}_API_URL`] = api.url;
  }
  workspace = await startWorkspace({ env, clock: () => new Date(Date.now() + offsetMs) });
});
afterAll(async () => {
  await workspace.stop();
  for (const server of servers) await server.stop();
});

it('covers every provider that has OAuth', async () => {
  const { data } = await workspace.api.call('oauth.listApps', { params: { id: workspace.workspaceId } });
  expect(VENDORS.map(({ provider }) => provider).toSorted()).toEqual(
    data.map(({ provider }) => provider).toSorted(),
  );
});

describe.each(VENDORS)('$provider', ({ provider, app, refreshes }) => {
  const configure = (changes: object = {}) =>
    workspace.api.call('oauth.configureApp', {
      params: { id: workspace.workspaceId },
      body: { provider, ...CLIENT, ...app, ...changes },
    });

  async function run(decision: 'allow' | 'deny') {
    const { url, flow_id } = await workspace.api.call('oauth.start', {
      params: { provider },
      body: { workspace_id: workspace.workspaceId },
    });
    const entered = await fetch(url);
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const link = /<a href="([^"]+)">Continue/.exec(await entered.text())?.[1] ?? '';
    const back = vendors.get(provider)?.decide(link.replaceAll('&amp;', '&'), decision) ?? '';
    await fetch(back, { headers: { cookie }, redirect: 'manual' });
    return workspace.api.call('oauth.get', { params: { id: workspace.workspaceId, flowId: flow_id } });
  }

  it('connects as its authorization server wants it', async () => {
    await configure();
    const { status, error, integration_id } = await run('allow');
    expect({ status, error }).toEqual({ status: 'connected', error: null });
    expect(
      await workspace.api.call('integrations.get', { params: { integrationId: integration_id ?? '' } }),
    ).toMatchObject({ provider, status: 'connected' });
  });

  it.runIf(refreshes)(
    'refreshes an expired token once for all requests, and shows an error when access has ended',
    async () => {
      await configure();
      const { integration_id } = await run('allow');
      const params = { integrationId: integration_id ?? '' };
      const body = { event_type: 'event.created', payload: { message: 'Hello' } };
      const use = () => workspace.api.send('integrations.test', { params, body });
      const authorization = vendors.get(provider);
      if (!authorization) throw new Error('There is no such vendor.');
      offsetMs += 30 * 86_400_000;
      authorization.tokens.clear();
      for (const { status } of await Promise.all([use(), use(), use()])) expect(status).toBe(200);
      expect(authorization.tokens.size).toBe(1);

      offsetMs += 30 * 86_400_000;
      authorization.refreshTokens.clear();
      expect((await use()).status).toBe(422);
      const ended = await workspace.api.call('integrations.get', { params });
      expect(ended).toMatchObject({ status: 'error', status_detail: { code: 'credentials_refused' } });
      expect(await run('allow')).toMatchObject({ status: 'connected', integration_id });
      expect(await workspace.api.call('integrations.get', { params })).toMatchObject({ status: 'connected' });
      const disconnected = { id: workspace.workspaceId, ...params };
      await workspace.api.call('integrations.disconnect', { params: disconnected });
    },
  );

  it('says that the person declined', async () => {
    expect(await run('deny')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('you declined'),
    });
  });

  it('says that the secret of the app is wrong', async () => {
    await configure({ client_secret: 'another' });
    expect(await run('allow')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('client secret of the app is wrong'),
    });
  });
});
