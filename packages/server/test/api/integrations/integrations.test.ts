import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { VENDOR_ACTIONS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../delivery/support.ts';
import type { Api } from '../support/api.ts';
import { newStranger, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, type ReceiverResponse, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const TOKEN = 'ghp_a_token_that_works_at_the_fake';

let github: Receiver;
let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let api: Api;

/** The part of GitHub's API that an integration needs: the user, the webhooks of one repository, issues. */
function githubResponse({
  method,
  url,
  headers,
}: {
  method: string;
  url: string;
  headers: Record<string, unknown>;
}): ReceiverResponse {
  if (headers['authorization'] !== `Bearer ${TOKEN}`)
    return { status: 401, body: { message: 'Bad credentials' } };
  if (url === '/user') return { status: 200, body: { login: 'octocat' } };
  if (method === 'POST' && url === '/repos/octo/repo/hooks') return { status: 201, body: { id: 7 } };
  if (method === 'DELETE' && url === '/repos/octo/repo/hooks/7') return { status: 204 };
  if (method === 'POST' && url === '/repos/octo/repo/issues') return { status: 201, body: { number: 42 } };
  return { status: 404, body: { message: 'Not Found' } };
}

beforeAll(async () => {
  github = await startReceiver(githubResponse);
  root = await startWorkspace({ env: { HUBLINE_GITHUB_API_URL: github.url } });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(async () => {
  workspace = await newWorkspace(root);
  ({ api } = workspace);
  github.calls.length = 0;
});

const connecting = (credentials: unknown, provider: unknown = 'github') => ({
  body: { provider, workspace_id: workspace.workspaceId, credentials },
});
const at = (integrationId: string) => ({ params: { integrationId } });

function stored(): string {
  return Buffer.concat(
    readdirSync(root.server.data)
      .filter((name) => name.startsWith('hubline.db'))
      .map((name) => readFileSync(joinPath(root.server.data, name))),
  ).toString('latin1');
}

it('lists the providers that can be connected', async () => {
  const { data } = await api.call('integrations.listProviders');
  expect(data.find(({ provider }) => provider === 'github')).toMatchObject({
    name: 'GitHub',
    required_credentials: ['token'],
  });
  expect(data.map(({ provider }) => provider)).toContain('custom');
});

it('lists the actions of automations in each of them, with their inputs', async () => {
  const { data } = await api.call('integrations.listProviders');
  const actions = data.flatMap((provider) => provider.actions);
  expect(actions.map(({ type }) => type).sort()).toEqual([...VENDOR_ACTIONS].sort());
  expect(data.find(({ provider }) => provider === 'teams')?.actions).toEqual([]);
  expect(actions.find(({ type }) => type === 'github.comment')).toEqual({
    type: 'github.comment',
    name: 'Comment on an issue or pull request',
    inputs: [
      {
        name: 'repository',
        type: 'string',
        description: 'owner/repo. Default: the repository of the integration.',
        required: false,
      },
      {
        name: 'number',
        type: 'number',
        description: 'Number of the issue or pull request.',
        required: true,
      },
      { name: 'body', type: 'text', description: 'The comment, in Markdown.', required: true },
    ],
    outputs: ['number', 'url'],
  });
});

describe('connecting GitHub', () => {
  it('checks the token, registers the webhook, and shows the ingest secret once', async () => {
    const made = await api.call(
      'integrations.connect',
      connecting({ token: TOKEN, repository: 'octo/repo' }),
    );
    expect(made).toMatchObject({
      provider: 'github',
      workspace_id: workspace.workspaceId,
      status: 'connected',
      last_synced_at: null,
    });
    expect(made.ingest).toMatchObject({
      url: `${root.server.url}/v1/ingest/${made.integration_id}`,
      registered: true,
    });
    const secret = made.ingest.secret ?? '';
    expect(secret.length).toBeGreaterThan(30);
    const hook = github.calls.find(({ method }) => method === 'POST');
    expect(JSON.parse(hook?.body ?? '')).toMatchObject({ config: { url: made.ingest.url, secret } });

    const read = await api.send('integrations.get', at(made.integration_id));
    for (const text of [
      read.text,
      (await api.send('auditLog.list', { params: { id: workspace.workspaceId } })).text,
      stored(),
    ]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(secret);
    }
    const listed = await api.call('integrations.list', { params: { id: workspace.workspaceId } });
    expect(listed.data.map(({ integration_id }) => integration_id)).toEqual([made.integration_id]);
  });

  it('is refused with 422 when GitHub refuses the token, and nothing is stored', async () => {
    const wrong = 'ghp_wrong_token_value';
    const refused = await api.refused('integrations.connect', 422, connecting({ token: wrong }));
    expect(refused.details?.[0]?.field).toBe('credentials.token');
    expect(JSON.stringify(refused)).not.toContain(wrong);
    expect((await api.call('integrations.list', { params: { id: workspace.workspaceId } })).data).toEqual([]);
  });

  it('twice is refused with 422, also when both come at once', async () => {
    const responses = await Promise.all(
      [1, 2].map(() =>
        api.send('integrations.connect', connecting({ token: TOKEN, repository: 'octo/repo' })),
      ),
    );
    expect(responses.map(({ status }) => String(status)).sort()).toEqual(['201', '422']);
    await api.refused('integrations.connect', 422, connecting({ token: TOKEN }));
    expect(
      (await api.call('integrations.list', { params: { id: workspace.workspaceId } })).data,
    ).toHaveLength(1);
  });

  it('says why the webhook was not registered, and what is left to do', async () => {
    const made = await api.call(
      'integrations.connect',
      connecting({ token: TOKEN, repository: 'octo/secret' }),
    );
    expect(made.ingest.registered).toBe(false);
    expect(made.ingest.instructions).toContain(made.ingest.url);
  });
});

describe('connecting', () => {
  it.each<[unknown, string]>([
    [undefined, 'credentials'],
    [null, 'credentials'],
    ['token', 'credentials'],
    [[], 'credentials'],
    [{}, 'credentials.token'],
    [{ token: '' }, 'credentials.token'],
    [{ token: 5 }, 'credentials.token'],
    [{ token: null }, 'credentials.token'],
    [{ token: ' padded ' }, 'credentials.token'],
    [{ token: 'new\nline' }, 'credentials.token'],
    [{ token: 'x'.repeat(5_000) }, 'credentials.token'],
    [{ token: 'x', tokn: 'mistyped' }, 'credentials.tokn'],
    [{ token: 'x', repository: 'no-slash' }, 'credentials.repository'],
    [{ token: 'x', repository: 'octo/..' }, 'credentials.repository'],
    [{ token: 'x', domain: 'http://x' }, 'credentials.domain'],
  ])('is refused with 400 for credentials with a mistake: %j', async (credentials, field) => {
    const { details } = await api.refused('integrations.connect', 400, connecting(credentials));
    expect(details?.[0]?.field).toBe(field);
    expect(github.calls).toEqual([]);
  });

  it('is refused with 422 for a provider that does not exist, and with 400 for none', async () => {
    for (const provider of ['gitbub', '__proto__', 'constructor', 'toString'])
      await api.refused('integrations.connect', 422, connecting({}, provider));
    for (const provider of ['', undefined, 5])
      await api.refused('integrations.connect', 400, connecting({}, provider));
  });

  it('is refused with 404 for the workspace of others', async () => {
    const stranger = await newStranger(root);
    for (const workspace_id of [stranger.workspaceId, 'nonsense']) {
      const body = { provider: 'custom', workspace_id, credentials: {} };
      await api.refused('integrations.connect', 404, { body });
      await api.refused('integrations.create', 404, { body: { type: 'custom', workspace_id, config: {} } });
    }
  });

  it('does not ask the provider if the operator has turned the check off', async () => {
    await using server = await startWorkspace({
      env: { HUBLINE_GITHUB_API_URL: github.url, HUBLINE_CREDENTIAL_CHECK: 'skip' },
    }).then((started) => ({ ...started, [Symbol.asyncDispose]: () => started.stop() }));
    const made = await server.api.call('integrations.connect', {
      body: { provider: 'github', workspace_id: server.workspaceId, credentials: { token: 'whatever' } },
    });
    expect(made.status).toBe('connected');
    expect(github.calls).toEqual([]);
  });

  it('leaves the webhook to a person if the provider does not respond', async () => {
    await using server = await startWorkspace({
      env: { HUBLINE_GITHUB_API_URL: 'http://127.0.0.1:9', HUBLINE_CREDENTIAL_CHECK: 'skip' },
    }).then((started) => ({ ...started, [Symbol.asyncDispose]: () => started.stop() }));
    const { ingest } = await server.api.call('integrations.connect', {
      body: {
        provider: 'github',
        workspace_id: server.workspaceId,
        credentials: { token: 'whatever', repository: 'octo/repo' },
      },
    });
    expect(ingest).toMatchObject({ registered: false, secret: expect.any(String) });
    expect(ingest.steps[0]).toMatch(/^GitHub did not register the webhook: GitHub's API did not respond/);
    expect(ingest.steps.join(' ')).toContain(ingest.url);
  });

  it('refuses a private address as the domain of an API, and does not say what is there', async () => {
    const { details } = await api.refused(
      'integrations.connect',
      422,
      connecting({ token: 'x', domain: '169.254.169.254' }),
    );
    expect(details?.[0]?.issue).not.toMatch(/169\.254|ECONN|timeout/i);
  });
});

it('a new token goes to a host that is stored only if the request names it again', async () => {
  const asked: string[] = [];
  const unchecked = await startWorkspace({
    env: { HUBLINE_CREDENTIAL_CHECK: 'skip', HUBLINE_GITHUB_API_URL: github.url },
    resolve: (name) => {
      asked.push(name);
      return Promise.resolve([]);
    },
  });
  onTestFinished(() => unchecked.stop());
  workspace = unchecked;
  ({ api } = unchecked);
  const place = { domain: 'github.example.com', repository: 'octo/repo' };
  const { integration_id: id } = await api.call('integrations.connect', connecting({ token: 'x', ...place }));
  expect(asked).toContain('github.example.com');
  asked.length = 0;
  const reconnect = (body: object) => ({ ...at(id), body: { credentials: { token: TOKEN }, ...body } });
  const { details } = await api.refused('integrations.reconnect', 400, reconnect({}));
  expect(details).toEqual([
    { field: 'credentials.domain', issue: expect.stringContaining('is at github.example.com') },
  ]);
  expect(asked).toEqual([]);
  const credentials = { token: TOKEN, domain: 'github.example.com' };
  await api.call('integrations.reconnect', reconnect({ credentials }));
  const { ingest } = await api.call('integrations.reconnect', reconnect({ remove: ['domain'] }));
  expect(ingest.registered).toBe(true);
});

describe('the variant form', () => {
  it('waits, disconnected, for credentials', async () => {
    const config = { channel: 'octo/repo', notify_on: ['event.created'], filters: { severity: ['high'] } };
    const made = await api.call('integrations.create', {
      body: { type: 'github', workspace_id: workspace.workspaceId, config },
    });
    expect(made).toMatchObject({ status: 'disconnected', config });
    const connected = await api.call('integrations.reconnect', {
      ...at(made.integration_id),
      body: { credentials: { token: TOKEN } },
    });
    expect(connected).toMatchObject({ integration_id: made.integration_id, status: 'connected', config });
  });

  it.each<[object, string]>([
    [{ config: undefined }, 'config'],
    [{ config: [] }, 'config'],
    [{ config: { channel: '' } }, 'config.channel'],
    [{ config: { notify_on: 'all' } }, 'config.notify_on'],
    // An event type is not one of the four trigger names, and the wildcard is for webhooks.
    [{ config: { notify_on: ['deployment'] } }, 'config.notify_on[0]'],
    [{ config: { notify_on: ['event.created', '*'] } }, 'config.notify_on[1]'],
    [{ config: { filters: { severity: 'high' } } }, 'config.filters.severity'],
    [{ type: undefined }, 'type'],
  ])('is refused with 400 for a mistake: %j', async (changes, field) => {
    const body = { type: 'custom', workspace_id: workspace.workspaceId, config: {}, ...changes };
    const { details } = await api.refused('integrations.create', 400, { body });
    expect(details?.[0]?.field).toBe(field);
  });
});

describe('a connected integration', () => {
  const connect = async () =>
    api.call('integrations.connect', connecting({ token: TOKEN, repository: 'octo/repo' }));

  it('takes new settings as a whole', async () => {
    const { integration_id } = await connect();
    const change = (config: unknown) =>
      api.send('integrations.update', { ...at(integration_id), body: { config } });
    await change({ channel: 'octo/repo#1', notify_on: ['event.created'] });
    const triggers = ['event.created', 'automation.completed', 'integration.connected', 'user.invited'];
    expect((await change({ notify_on: triggers })).json).toMatchObject({ config: { notify_on: triggers } });
    await change({ notify_on: [] });
    expect(await api.call('integrations.get', at(integration_id))).toMatchObject({
      config: { notify_on: [] },
    });
    expect((await change('x')).status).toBe(400);
  });

  it('sends a test notification, and says when that failed', async () => {
    const { integration_id } = await connect();
    const test = () =>
      api.call('integrations.test', {
        ...at(integration_id),
        body: { event_type: 'event.created', payload: { message: 'Hello', extra: [1] } },
      });
    expect(await test()).toMatchObject({
      success: true,
      integration_id,
      event_type: 'event.created',
      destination: 'octo/repo#42',
    });
    await api.call('integrations.update', {
      ...at(integration_id),
      body: { config: { channel: 'octo/other' } },
    });
    const failed = await test();
    expect(failed).toMatchObject({ success: false, destination: 'octo/other' });
    expect(failed.error).toMatch(/404/);
    for (const body of [
      {},
      { event_type: 'x' },
      { event_type: 'x', payload: {} },
      { event_type: '', payload: { message: 'x' } },
      { event_type: 'x', payload: { message: '' } },
    ])
      await api.refused('integrations.test', 400, { ...at(integration_id), body });
  });

  it('keeps its ingest secret when it is reconnected, unless another is given', async () => {
    const { integration_id, ingest } = await connect();
    const again = await api.call('integrations.reconnect', {
      ...at(integration_id),
      body: { credentials: { token: TOKEN, repository: 'octo/repo' } },
    });
    expect(again.ingest.secret).toBeUndefined();
    const body = JSON.stringify({ zen: 'Keep it.' });
    const deliver = (secret: string) =>
      api.as(null).send('ingest.receive', {
        ...at(integration_id),
        text: body,
        headers: {
          'X-GitHub-Event': 'ping',
          'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        },
      });
    expect((await deliver(ingest.secret ?? '')).status).toBe(200);
    await api.call('integrations.reconnect', {
      ...at(integration_id),
      body: { credentials: { token: TOKEN, webhook_secret: 'another-secret' } },
    });
    expect((await deliver(ingest.secret ?? '')).status).toBe(401);
    expect((await deliver('another-secret')).status).toBe(200);
    await api.refused('integrations.reconnect', 422, {
      ...at(integration_id),
      body: { credentials: { token: 'wrong' } },
    });
    expect((await deliver('another-secret')).status).toBe(200);
  });

  it('drops its ingest secret when it is reconnected without verification', async () => {
    const custom = { provider: 'custom', workspace_id: workspace.workspaceId, credentials: {} };
    const { integration_id } = await api.call('integrations.connect', { body: custom });
    const deliver = () => api.as(null).send('ingest.receive', { ...at(integration_id), text: '{}' });
    expect((await deliver()).status).toBe(401);
    const open = { ...at(integration_id), body: { credentials: { preset: 'none' } } };
    const { ingest } = await api.call('integrations.reconnect', open);
    expect(ingest.secret).toBeUndefined();
    expect((await fetch(ingest.url, { method: 'POST', body: '{}' })).status).toBe(202);
    const signed = { ...at(integration_id), body: { credentials: { preset: 'github-style' } } };
    expect((await api.call('integrations.reconnect', signed)).ingest.secret).toMatch(/^[\w-]{43}$/);
    expect((await deliver()).status).toBe(401);
  });

  it('that is disconnected is gone with its credentials, its ingest and its hook at GitHub', async () => {
    const { integration_id: integrationId } = await connect();
    const params = { id: workspace.workspaceId, integrationId };
    await api.call('integrations.disconnect', { params });
    await until('the hook to be removed', () => github.calls.some(({ method }) => method === 'DELETE'));
    await api.refused('integrations.get', 404, at(integrationId));
    await api.refused('integrations.disconnect', 404, { params });
    await api.as(null).refused('ingest.receive', 404, { ...at(integrationId), body: {} });
    const rows = openStore(root).read.selectFrom('integrations').select('id').where('id', '=', integrationId);
    expect(await rows.execute()).toEqual([]);
    await connect();
  });

  it('can be deleted with its workspace, and its hook with it', async () => {
    await connect();
    await api.call('workspaces.delete', { params: { id: workspace.workspaceId } });
    await until('the hook to be removed', () => github.calls.some(({ method }) => method === 'DELETE'));
  });
});
