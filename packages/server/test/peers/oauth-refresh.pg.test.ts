import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Api } from '../api/support/api.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import {
  allowAccess,
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from '../api/support/stand-ins/fake-authorization-server.ts';
import { until } from '../api/support/until.ts';
import { Child, ignoreDeath } from '../crash/harness/child.ts';
import type { ServerInput } from '../crash/harness/server.process.ts';
import { startAnother, through } from './two-processes.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = 30_000;
const TOKENS = '/login/oauth/access_token';

let github: AuthorizationServer;
let env: Record<string, string>;
let root: TestWorkspace & { stop(): Promise<void> };
let offsetMs = 0;
const clock = () => new Date(Date.now() + offsetMs);
/** Delays the vendor's refreshes. */
let hold = async () => {};

beforeAll(async () => {
  github = await startAuthorizationServer(
    {
      authorizePath: '/login/oauth/authorize',
      tokenPath: TOKENS,
      pkce: true,
      scope: 'repo admin:repo_hook admin:org_hook read:user',
      client: 'body',
      request: 'form',
      expiresIn: HOUR_MS / 1_000,
      holdRefresh: () => hold(),
    },
    ({ url, headers }) => {
      if (!github.tokens.has(headers.authorization?.replace('Bearer ', '') ?? ''))
        return { status: 401, body: { message: 'Bad credentials' } };
      if (url === '/user') return { status: 200, body: { login: 'octocat' } };
      return { status: 201, body: { id: 7, number: 1 } };
    },
  );
  env = { HUBLINE_GITHUB_API_URL: github.url, HUBLINE_GITHUB_OAUTH_URL: github.url };
  root = await startWorkspace({ env, clock });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(() => {
  offsetMs = 0;
  hold = async () => {};
});

/** An integration whose access token has expired. */
async function expired(): Promise<TestWorkspace & { integrationId: string }> {
  const workspace = await newWorkspace(root);
  await workspace.api.call('oauth.configureApp', {
    params: { id: workspace.workspaceId },
    body: { provider: 'github', ...CLIENT },
  });
  const { url, flow_id } = await workspace.api.call('oauth.start', {
    params: { provider: 'github' },
    body: { workspace_id: workspace.workspaceId, settings: { repository: 'octo/repo' } },
  });
  await allowAccess(github, url);
  const flow = await workspace.api.call('oauth.get', {
    params: { id: workspace.workspaceId, flowId: flow_id },
  });
  const integrationId = flow.integration_id ?? '';
  await workspace.api.call('integrations.update', {
    params: { integrationId },
    body: { config: { channel: 'octo/repo' } },
  });
  offsetMs = HOUR_MS;
  github.tokens.clear();
  github.calls.length = 0;
  return { ...workspace, integrationId };
}

const send = (api: Api, integrationId: string) =>
  api.send('integrations.test', {
    params: { integrationId },
    body: { event_type: 'event.created', payload: { message: 'Hello' } },
  });

const refreshes = () => github.calls.filter(({ url }) => url === TOKENS);

describe('a token that expires', () => {
  it('is refreshed by one process, and the others use the result', async () => {
    const workspace = await expired();
    const other = through(await startAnother(workspace, { env, clock }), workspace);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    hold = () => held;
    const first = send(workspace.api, workspace.integrationId);
    await until('the first refresh', () => refreshes().length === 1);
    const second = send(other.api, workspace.integrationId);
    // Long enough for the other process to ask the vendor, if it would.
    await Promise.race([second, sleep(1_000)]);
    release();
    for (const { json } of await Promise.all([first, second])) expect(json).toMatchObject({ success: true });
    expect(refreshes()).toHaveLength(1);
  });

  it('is refreshed by another process when the one that was refreshing it is killed', async () => {
    const workspace = await expired();
    const flags = { ...workspace.server.storage, port: 0, allowHttpLocalhost: true, rateLimit: 10_000_000 };
    const child = new Child('server', {
      input: {
        flags: { ...flags, senders: 0, httpThread: 'off', logLevel: 'silent' },
        env,
        // An hour ahead, like `clock` below.
        speed: 2,
        origin: Date.now() - HOUR_MS,
      } satisfies ServerInput,
    });
    onTestFinished(() => child.kill('SIGKILL'));
    const up = await child.first<{ baseUrl: string }>();
    hold = () => new Promise(() => {});
    const lost = send(new Api(up?.baseUrl ?? '', workspace.api.key), workspace.integrationId).catch(
      ignoreDeath,
    );
    await until('its refresh', () => refreshes().length === 1);
    child.kill('SIGKILL');
    await Promise.all([lost, child.ended]);
    hold = async () => {};
    const waiting = send(workspace.api, workspace.integrationId);
    // Another process might be slow instead of dead, so that its lease holds.
    await Promise.race([waiting, sleep(1_000)]);
    expect(refreshes()).toHaveLength(1);
    offsetMs += 2 * LEASE_MS;
    expect(await waiting).toMatchObject({ json: { success: true } });
    expect(refreshes()).toHaveLength(2);
  });
});
