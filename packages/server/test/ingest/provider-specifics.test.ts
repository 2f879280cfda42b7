import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import {
  type ReceivedCall,
  type Receiver,
  type ReceiverResponse,
  startReceiver,
} from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { discordApplication, slackApp } from './tools/chat-tools.ts';
import { githubToken, gitlabToken } from './tools/code-hosts.ts';
import { linearApiKey, notionToken } from './tools/trackers.ts';

let api: Receiver;
/** The endpoint of the Discord application. */
let endpoint: string | null = null;
let server: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
beforeAll(async () => {
  api = await startReceiver((call) => {
    if (call.url.startsWith('/discord/')) return discord(call);
    const [, name, url = ''] = /^\/(github|linear)(\/.*)$/.exec(call.url) ?? [];
    if (name !== undefined) {
      const tool = name === 'github' ? githubToken : linearApiKey;
      return tool.api({ ...call, url }) ?? { status: 404, body: {} };
    }
    const tool = call.url.startsWith('/api/')
      ? slackApp
      : call.url.startsWith('/v1/')
        ? notionToken
        : gitlabToken;
    return tool.api(call) ?? { status: 404, body: {} };
  });
  server = await startWorkspace({
    env: {
      HUBLINE_GITHUB_API_URL: `${api.url}/github`,
      HUBLINE_LINEAR_API_URL: `${api.url}/linear`,
      HUBLINE_DISCORD_API_URL: `${api.url}/discord/api/v10`,
      HUBLINE_SLACK_API_URL: `${api.url}/api`,
      HUBLINE_NOTION_API_URL: api.url,
      HUBLINE_GITLAB_API_URL: api.url,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await api.stop();
});
beforeEach(async () => {
  workspace = await newWorkspace(server);
});

async function send(url: string, body: string, headers: Record<string, string>): Promise<{ status: number }> {
  const { status } = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status };
}

/** The API of Discord, which accepts an endpoint only after that has responded to a PING. */
async function discord({ method, url, body }: ReceivedCall): Promise<ReceiverResponse> {
  if (url.includes('/webhooks/')) return { status: 200, body: { id: '1' } };
  if (method === 'PATCH') {
    const given = (JSON.parse(body) as { event_webhooks_url: string | null }).event_webhooks_url;
    const ping = '{"version":1,"application_id":"1234567890123456789","type":0}';
    const proof = discordApplication.calls?.prove({
      secret: discordApplication.calls.secret ?? '',
      body: ping,
      at: new Date(),
      id: '',
    });
    if (given !== null && (await send(given, ping, proof ?? {})).status !== 204)
      return { status: 400, body: { message: 'The URL could not be verified.' } };
    endpoint = given;
  }
  const response = discordApplication.api({ url: url.replace('/discord', ''), method, body } as ReceivedCall);
  const application = {
    ...(response?.body as object),
    event_webhooks_url: endpoint,
    event_webhooks_status: 2,
  };
  return { status: 200, body: application };
}

describe('the endpoint of a Discord application', () => {
  it('is registered once the integration can respond, and removed when it is disconnected', async () => {
    const { credentials } = discordApplication;
    const made = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider: 'discord', credentials },
    });
    const params = { integrationId: made.integration_id };
    const shown = () => workspace.api.call('integrations.get', { params });
    expect(made.status_detail?.message).toBe(
      'The webhook is being registered at Discord. This takes a few seconds.',
    );
    await until('it is registered', async () => (await shown()).ingest.registered);
    expect(endpoint).toBe(made.ingest.url);
    expect(await shown()).toMatchObject({ status: 'connected', status_detail: null });
    await workspace.api.call('integrations.disconnect', { params: { id: workspace.workspaceId, ...params } });
    await until('it is removed', () => endpoint === null);
  });

  it('is not said to be registering before there are credentials', async () => {
    const { workspaceId: workspace_id } = workspace;
    const { ingest } = await workspace.api.call('integrations.create', {
      body: { type: 'discord', workspace_id, config: {} },
    });
    expect(ingest.instructions).toContain(ingest.url);
    expect(ingest.instructions).not.toContain('being registered');
  });

  it('is removed when the integration changes to the webhook of a channel', async () => {
    const { credentials } = discordApplication;
    const made = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider: 'discord', credentials },
    });
    const params = { integrationId: made.integration_id };
    await until('it is registered', () => endpoint === made.ingest.url);
    await until(
      'it is stored',
      async () => (await workspace.api.call('integrations.get', { params })).ingest.registered,
    );
    await workspace.api.call('integrations.reconnect', {
      params,
      body: { credentials: { webhook_url: 'https://discord.com/api/webhooks/1234567890123456789/x' } },
    });
    await until('it is removed', () => endpoint === null);
    expect(await workspace.api.call('integrations.get', { params })).toMatchObject({
      status: 'connected',
      status_detail: null,
      ingest: { registered: false },
    });
  });

  it('of another tool is left alone, and the instructions say why and what to do', async () => {
    endpoint = 'https://other.example/events';
    const { credentials } = discordApplication;
    const made = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider: 'discord', credentials },
    });
    const params = { integrationId: made.integration_id };
    const shown = async () => (await workspace.api.call('integrations.get', { params })).ingest.instructions;
    await until('it is refused', async () => (await shown()).includes('already calls other.example'));
    expect(await shown()).toContain(made.ingest.url);
    expect(endpoint).toBe('https://other.example/events');
    endpoint = null;
  });
});

const eventTypes = async () =>
  (await workspace.api.call('events.list', { params: { id: workspace.workspaceId } })).data.map(
    ({ type }) => type,
  );

describe('a Slack app that loses its access', () => {
  const connectSlack = async () => {
    const { provider, credentials } = slackApp;
    const body = {
      workspace_id: workspace.workspaceId,
      provider,
      credentials,
      config: { channel: '#releases' },
    };
    return workspace.api.call('integrations.connect', { body });
  };
  const report = async (url: string, event: object) => {
    const body = JSON.stringify({ type: 'event_callback', event_id: 'EvEnd', event });
    const proof = slackApp.calls?.prove({
      secret: slackApp.credentials['signing_secret'] ?? '',
      body,
      at: new Date(),
      id: '',
    });
    expect(await send(url, body, proof ?? {})).toEqual({ status: 200 });
  };
  const shown = async (integrationId: string) => {
    const { status, status_detail } = await workspace.api.call('integrations.get', {
      params: { integrationId },
    });
    return [status, status_detail?.code, status_detail?.message];
  };

  it.each([
    [{ type: 'app_uninstalled' }, 'the app was uninstalled from the workspace'],
    [{ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U1'] } }, 'the token of the bot was revoked'],
  ])('shows %j as an error until it is connected again', async (event, reason) => {
    const { integration_id: integrationId, ingest } = await connectSlack();
    await report(ingest.url, event);
    const message = `Slack refused the credentials: ${reason}. Reconnect the integration with new ones.`;
    expect(await shown(integrationId)).toEqual(['error', 'credentials_refused', message]);
    const { credentials } = slackApp;
    await workspace.api.call('integrations.reconnect', { params: { integrationId }, body: { credentials } });
    expect((await shown(integrationId))[0]).toBe('connected');
    // Slack repeats a call, which changes nothing.
    await report(ingest.url, event);
    expect((await shown(integrationId))[0]).toBe('connected');
  });

  it('is not affected when the token of a person is revoked', async () => {
    const { integration_id: integrationId, ingest } = await connectSlack();
    await report(ingest.url, { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } });
    expect((await shown(integrationId))[0]).toBe('connected');
  });
});

describe('a webhook that was deleted at GitHub', () => {
  it('shows as an error in plain words until a new one sends a ping, or the integration is connected again', async () => {
    const { provider, credentials } = githubToken;
    const made = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider, credentials },
    });
    const params = { integrationId: made.integration_id };
    const shown = () => workspace.api.call('integrations.get', { params });
    const secret = made.ingest.secret ?? '';
    const report = async (event: string, payload: object) => {
      const body = JSON.stringify({ ...payload, n: randomUUID() });
      const proof = githubToken.calls?.prove({ secret, body, at: new Date(), id: randomUUID() });
      expect((await send(made.ingest.url, body, { ...proof, 'x-github-event': event })).status).toBeLessThan(
        300,
      );
    };
    const deleted = { action: 'deleted', hook_id: 7, hook: { id: 7 }, repository: { full_name: 'acme/web' } };
    const ended = {
      status: 'error',
      status_detail: {
        code: 'webhook_ended',
        message:
          'The webhook at GitHub has ended: it was deleted. No more events arrive. Reconnect the integration to register it again.',
      },
      ingest: { registered: false },
    };
    await report('push', {});
    await report('meta', deleted);
    expect(await shown()).toMatchObject(ended);
    // This call was still on its way.
    await report('push', {});
    expect(await shown()).toMatchObject(ended);
    await report('ping', { zen: 'Speak like a human.' });
    expect(await shown()).toMatchObject({ status: 'connected', status_detail: null });

    await report('meta', deleted);
    await workspace.api.call('integrations.reconnect', { params, body: { credentials } });
    expect(await shown()).toMatchObject({ status: 'connected', ingest: { registered: true } });
    const { data } = await workspace.api.call('auditLog.list', { params: { id: workspace.workspaceId } });
    expect(data.map(({ action }) => action)).toContain('integration.failed');
  });
});

describe('an OAuth app that was removed from Linear', () => {
  it('shows as an error until the integration is connected again', async () => {
    const { provider, credentials } = linearApiKey;
    const made = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider, credentials },
    });
    const params = { integrationId: made.integration_id };
    const body = JSON.stringify({
      type: 'OAuthApp',
      action: 'revoked',
      oauthClientId: 'c1',
      organizationId: 'o1',
      createdAt: new Date().toISOString(),
      webhookTimestamp: Date.now(),
    });
    const secret = made.ingest.secret ?? '';
    const proof = linearApiKey.calls?.prove({ secret, body, at: new Date(), id: randomUUID() });
    expect((await send(made.ingest.url, body, proof ?? {})).status).toBe(200);
    expect(await workspace.api.call('integrations.get', { params })).toMatchObject({
      status: 'error',
      status_detail: {
        code: 'credentials_refused',
        message: expect.stringContaining('the access of the OAuth app was revoked'),
      },
    });
    await workspace.api.call('integrations.reconnect', { params, body: { credentials } });
    expect(await workspace.api.call('integrations.get', { params })).toMatchObject({ status: 'connected' });
  });
});

const NOTION_KEY = notionToken.calls?.secret ?? '';

describe('a Notion comment', () => {
  it('by the bot of the token makes no event, and the verification token is shown until the first event', async () => {
    const connected = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider: 'notion', credentials: { token: 'ntn_works' } },
    });
    const { integration_id: integrationId, ingest } = connected;
    const shown = async () =>
      (await workspace.api.call('integrations.get', { params: { integrationId } })).ingest.verification_token;
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

    // New credentials keep the verification token, because Notion still signs with it.
    await workspace.api.call('integrations.reconnect', {
      params: { integrationId },
      body: { credentials: { token: 'ntn_newer' } },
    });
    expect(await comment('bot-3')).toMatchObject({ status: 200 });
    expect(await eventTypes()).toEqual(['message', 'message']);
  });
});

describe("the proofs of GitLab's calls", () => {
  const signingToken = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  it('are changed by reconnecting, and never mixed', async () => {
    const { integration_id: integrationId, ingest } = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider: 'gitlab', credentials: { token: 'glpat-good' } },
    });
    const reconnect = (credentials: Record<string, string>) =>
      workspace.api.call('integrations.reconnect', { params: { integrationId }, body: { credentials } });
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
