import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StorageUnavailable } from '../../../src/domain/faults/storage-unavailable.ts';
import {
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
  type Vendor,
} from '../support/stand-ins/fake-authorization-server.ts';
import { openStore } from '../../delivery/support.ts';
import { until } from '../support/until.ts';
import { join, newKey, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let github: AuthorizationServer;
let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let offsetMs = 0;
/** Called before each refresh. */
let onRefresh: () => ReturnType<NonNullable<Vendor['holdRefresh']>> = async () => {};
/** The number of writes that the database refuses from now on. */
let refusals = 0;
/** Called after each commit, before anything else happens. */
let onCommit: () => Promise<void> | void = () => {};

beforeAll(async () => {
  github = await startAuthorizationServer(
    {
      authorizePath: '/login/oauth/authorize',
      tokenPath: '/login/oauth/access_token',
      pkce: true,
      scope: 'repo admin:repo_hook admin:org_hook read:user',
      client: 'body',
      request: 'form',
      expiresIn: 3_600,
      holdRefresh: () => onRefresh(),
      refuse: (error) => ({ status: 200, body: { error } }),
    },
    ({ url, method, headers }) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      if (!github.tokens.has(token)) return { status: 401, body: { message: 'Bad credentials' } };
      if (url === '/user') return { status: 200, body: { login: 'octocat' } };
      if (method === 'POST' && url === '/repos/octo/repo/hooks') return { status: 201, body: { id: 7 } };
      if (method === 'PATCH' && url === '/repos/octo/repo/hooks/7') return { status: 200, body: { id: 7 } };
      if (method === 'POST' && url === '/repos/octo/repo/issues') return { status: 201, body: { number: 1 } };
      return { status: 404, body: { message: 'Not Found' } };
    },
  );
  root = await startWorkspace({
    env: { HUBLINE_GITHUB_API_URL: github.url, HUBLINE_GITHUB_OAUTH_URL: github.url },
    clock: () => new Date(Date.now() + offsetMs),
    companion({ store }) {
      const { write } = store;
      store.write = async (unit, options) => {
        if (refusals > 0) {
          refusals -= 1;
          throw new StorageUnavailable({ cause: new Error('a test') });
        }
        const result = await write.call(store, unit, options);
        await onCommit();
        return result as never;
      };
      return { stop: () => Promise.resolve() };
    },
  });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(async () => {
  offsetMs = 0;
  workspace = await newWorkspace(root);
});

const configure = (changes: object = {}) =>
  workspace.api.call('oauth.configureApp', {
    params: { id: workspace.workspaceId },
    body: { provider: 'github', ...CLIENT, ...changes },
  });
const start = (settings?: Record<string, string>) =>
  workspace.api.call('oauth.start', {
    params: { provider: 'github' },
    body: { workspace_id: workspace.workspaceId, ...(settings && { settings }) },
  });
const SETTINGS = { repository: 'octo/repo' };
const outcome = (flowId: string) =>
  workspace.api.call('oauth.get', { params: { id: workspace.workspaceId, flowId } });

/** A browser: it keeps the cookies of the server, and follows no redirect by itself. */
class Browser {
  #cookies = new Map<string, string>();

  async open(url: string): Promise<{ status: number; text: string; location: string | null }> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, text, location: response.headers.get('location') };
  }

  /** Opens the link, reads the page, and continues to the provider. Returns the URL there. */
  async enter(url: string): Promise<string> {
    const { text } = await this.open(url);
    const href = /<a href="([^"]+)">Continue/.exec(text)?.[1] ?? '';
    return href.replaceAll('&amp;', '&');
  }
}

async function connected(settings?: Record<string, string>) {
  await configure();
  const { url, flow_id } = await start(settings);
  const browser = new Browser();
  const back = github.decide(await browser.enter(url), 'allow');
  const page = await browser.open(back);
  return { browser, back, page, flow_id, url };
}

describe('connecting with OAuth', () => {
  it('asks the person who opens the link, connects what they allow, and registers the webhook', async () => {
    await configure();
    const { url, flow_id } = await start(SETTINGS);
    const browser = new Browser();
    const asked = await browser.open(url);
    expect(asked.text).toContain('wants to connect GitHub to the workspace <strong>Other</strong>');
    expect(await outcome(flow_id)).toMatchObject({ status: 'pending', integration_id: null });
    const back = github.decide(await browser.enter(url), 'allow');
    const page = await browser.open(back);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('GitHub is connected') });
    const { status, integration_id } = await outcome(flow_id);
    expect(status).toBe('connected');
    expect(
      await workspace.api.call('integrations.get', { params: { integrationId: integration_id ?? '' } }),
    ).toMatchObject({ provider: 'github', status: 'connected', ingest: { registered: true } });
  });

  it('connects in the transaction that ends the attempt: a crash after it changes nothing', async () => {
    await configure();
    const { url, flow_id } = await start();
    const seen: unknown[] = [];
    onCommit = async () => {
      const { data } = await workspace.api.call('integrations.list', {
        params: { id: workspace.workspaceId },
      });
      if (data.length > 0) seen.push((await outcome(flow_id)).integration_id === data[0]?.integration_id);
    };
    onTestFinished(() => void (onCommit = () => {}));
    const browser = new Browser();
    await browser.open(github.decide(await browser.enter(url), 'allow'));
    expect(seen).toContain(true);
    expect(seen).not.toContain(false);
  });

  it('connects the only integration of a provider again, with its settings', async () => {
    const first = await outcome((await connected(SETTINGS)).flow_id);
    const second = await outcome((await connected()).flow_id);
    expect(second.integration_id).toBe(first.integration_id);
    expect(
      await workspace.api.call('integrations.get', {
        params: { integrationId: second.integration_id ?? '' },
      }),
    ).toMatchObject({ ingest: { registered: true } });
  });

  it('connects it again at the organization that takes the place of its repository', async () => {
    await connected({ repository: 'octo/unknown' });
    const { integration_id } = await outcome((await connected({ organization: 'octo' })).flow_id);
    const params = { integrationId: integration_id ?? '' };
    const { ingest } = await workspace.api.call('integrations.get', { params });
    expect(ingest.instructions).toContain('https://github.com/organizations/octo/settings/hooks');
  });

  it('says to which host the link leads: a workspace can name its own server', async () => {
    await configure({ provider: 'gitlab', domain: 'gitlab.example' });
    const { url } = await workspace.api.call('oauth.start', {
      params: { provider: 'gitlab' },
      body: { workspace_id: workspace.workspaceId },
    });
    const { text } = await new Browser().open(url);
    expect(text).toContain('<a href="https://gitlab.example/oauth/authorize?');
    expect(text).toContain('The link leads to <strong>gitlab.example</strong>.');
  });

  it('says why nothing was connected', async () => {
    await configure();
    const { url, flow_id } = await start();
    const browser = new Browser();
    const page = await browser.open(github.decide(await browser.enter(url), 'deny'));
    expect(page).toMatchObject({ status: 422, text: expect.stringContaining('you declined') });
    expect(await outcome(flow_id)).toMatchObject({
      status: 'failed',
      error: 'GitHub did not grant access: you declined, or are not allowed to grant access.',
    });
  });

  it('says that the secret of the app is wrong, and never repeats it', async () => {
    await configure({ client_secret: 'not-the-secret' });
    const { url, flow_id } = await start();
    const browser = new Browser();
    const { text } = await browser.open(github.decide(await browser.enter(url), 'allow'));
    expect(text).toContain('the client ID or the client secret of the app is wrong');
    expect(JSON.stringify(await outcome(flow_id)) + text).not.toContain('not-the-secret');
  });
});

describe('a response from the provider', () => {
  it('counts once', async () => {
    const { browser, back } = await connected();
    expect(await browser.open(back)).toMatchObject({
      status: 400,
      text: expect.stringContaining('was used before'),
    });
  });

  it('counts only in the browser that went there', async () => {
    await configure();
    const { url, flow_id } = await start();
    const back = github.decide(await new Browser().enter(url), 'allow');
    expect(await new Browser().open(back)).toMatchObject({
      status: 400,
      text: expect.stringContaining('belongs to another browser'),
    });
    expect(await outcome(flow_id)).toMatchObject({ status: 'pending' });
  });

  it('counts over HTTPS only with a cookie that no other host of the domain can set', async () => {
    const proxied = await startWorkspace({
      flags: { behindProxy: true },
      env: { HUBLINE_GITHUB_API_URL: github.url, HUBLINE_GITHUB_OAUTH_URL: github.url },
    });
    onTestFinished(() => proxied.stop());
    workspace = proxied;
    await configure();
    const headers = { 'x-forwarded-proto': 'https' };
    const entered = await fetch((await start()).url, { headers });
    const [cookie = ''] = entered.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-hubline_oauth=[^;]+; Path=\/; .*; Secure$/);
    const link = /<a href="([^"]+)">Continue/.exec(await entered.text())?.[1] ?? '';
    const back = github.decide(link.replaceAll('&amp;', '&'), 'allow');
    const come = async (sent: string) =>
      (await fetch(back, { headers: { ...headers, cookie: sent.split(';')[0] ?? '' } })).status;
    expect(await come(cookie.replace('__Host-', ''))).toBe(400);
    expect(await come(cookie)).toBe(200);
  });

  it('counts even if a mail scanner opened the link first, and again in the meantime', async () => {
    await configure();
    const { url, flow_id } = await start();
    await new Browser().open(url);
    const browser = new Browser();
    const there = await browser.enter(url);
    await new Browser().open(url);
    expect((await browser.open(github.decide(there, 'allow'))).status).toBe(200);
    expect(await outcome(flow_id)).toMatchObject({ status: 'connected' });
  });

  it('counts once, even if two browsers bring one', async () => {
    await configure();
    const { url } = await start();
    const [first, second] = [new Browser(), new Browser()];
    const back = [
      github.decide(await first.enter(url), 'allow'),
      github.decide(await second.enter(url), 'allow'),
    ];
    expect((await first.open(back[0] ?? '')).status).toBe(200);
    expect((await second.open(back[1] ?? '')).status).toBe(400);
  });

  it('counts for each of two flows that one browser follows at once', async () => {
    await connected();
    const browser = new Browser();
    const [one, two] = [await start(), await start()];
    const there = [await browser.enter(one.url), await browser.enter(two.url)];
    for (const url of there.toReversed())
      expect((await browser.open(github.decide(url, 'allow'))).status).toBe(200);
    expect(await outcome(one.flow_id)).toMatchObject({ status: 'connected' });
    expect(await outcome(two.flow_id)).toMatchObject({ status: 'connected' });
  });

  it.each([
    ['with a made-up state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
    ['without a state', (back: URL) => back.searchParams.delete('state')],
    ['for another provider', (back: URL) => (back.pathname = back.pathname.replace('github', 'custom'))],
  ])('is refused %s', async (_, spoil) => {
    await configure();
    const browser = new Browser();
    const back = new URL(github.decide(await browser.enter((await start()).url), 'allow'));
    spoil(back);
    expect((await browser.open(back.href)).status).toBe(400);
  });

  it('is refused with two codes, and the real one still counts', async () => {
    await configure();
    const browser = new Browser();
    const { url, flow_id } = await start();
    const back = new URL(github.decide(await browser.enter(url), 'allow'));
    const twice = new URL(back);
    twice.searchParams.append('code', 'another');
    expect(await browser.open(twice.href)).toMatchObject({
      status: 400,
      text: expect.stringContaining('code must be given once'),
    });
    const again = new URL(github.decide(await browser.enter(url), 'allow'));
    expect((await browser.open(again.href)).status).toBe(200);
    expect(await outcome(flow_id)).toMatchObject({ status: 'connected' });
  });

  it('is refused with a code that the provider did not give', async () => {
    await configure();
    const { url, flow_id } = await start();
    const browser = new Browser();
    const back = new URL(github.decide(await browser.enter(url), 'allow'));
    back.searchParams.set('code', 'made-up');
    expect((await browser.open(back.href)).status).toBe(422);
    expect(await outcome(flow_id)).toMatchObject({ status: 'failed' });
  });

  it('is refused when it comes too late', async () => {
    await configure();
    const { url, flow_id } = await start();
    const browser = new Browser();
    const back = github.decide(await browser.enter(url), 'allow');
    offsetMs = 16 * 60_000;
    expect((await browser.open(back)).status).toBe(400);
    expect((await new Browser().open(url)).status).toBe(400);
    expect(await outcome(flow_id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('expired'),
    });
  });

  it('connects nothing for somebody who may no longer connect', async () => {
    const { api, userId } = await join(workspace, 'admin');
    await configure();
    const { url, flow_id } = await api.call('oauth.start', {
      params: { provider: 'github' },
      body: { workspace_id: workspace.workspaceId },
    });
    const browser = new Browser();
    const back = github.decide(await browser.enter(url), 'allow');
    await workspace.api.call('members.update', {
      params: { id: workspace.workspaceId, userId },
      body: { role: 'viewer' },
    });
    expect((await browser.open(back)).status).toBe(403);
    expect(await outcome(flow_id)).toMatchObject({ status: 'failed' });
  });

  it('connects nothing for a key that has been revoked', async () => {
    const { id, key } = await newKey(workspace, { scopes: ['integrations:write', 'integrations:read'] });
    await configure();
    const { url } = await workspace.api.as(key).call('oauth.start', {
      params: { provider: 'github' },
      body: { workspace_id: workspace.workspaceId },
    });
    const browser = new Browser();
    const back = github.decide(await browser.enter(url), 'allow');
    await workspace.api.call('apiKeys.revoke', { params: { id: workspace.workspaceId, keyId: id } });
    expect((await browser.open(back)).status).toBe(401);
  });
});

describe('a token that expires', () => {
  const send = async (flowId: string) => {
    const { integration_id } = await outcome(flowId);
    return workspace.api.send('integrations.test', {
      params: { integrationId: integration_id ?? '' },
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    });
  };

  it('is refreshed before it is used, once for requests at the same time, and the refresh token rotates', async () => {
    const { flow_id } = await connected(SETTINGS);
    const { integration_id } = await outcome(flow_id);
    await workspace.api.call('integrations.update', {
      params: { integrationId: integration_id ?? '' },
      body: { config: { channel: 'octo/repo' } },
    });
    for (const hours of [1, 2]) {
      offsetMs = hours * 3_600_000;
      github.tokens.clear();
      const sent = await Promise.all([send(flow_id), send(flow_id), send(flow_id)]);
      for (const { json } of sent) expect(json).toMatchObject({ success: true });
      expect(github.tokens.size).toBe(1);
    }
  });

  it('is stored as soon as the database takes it: the provider gives it once', async () => {
    const { flow_id } = await connected(SETTINGS);
    const { integration_id } = await outcome(flow_id);
    await workspace.api.call('integrations.update', {
      params: { integrationId: integration_id ?? '' },
      body: { config: { channel: 'octo/repo' } },
    });
    onRefresh = async () => void (refusals = 2);
    onTestFinished(() => {
      onRefresh = async () => {};
      refusals = 0;
    });
    for (const hours of [1, 2]) {
      offsetMs = hours * 3_600_000;
      github.tokens.clear();
      expect((await send(flow_id)).json).toMatchObject({ success: true });
    }
  });

  describe('and is refreshed to remove the webhook', () => {
    const removal = () =>
      until('the removal', () =>
        github.calls.find(
          ({ method, headers }) =>
            method === 'DELETE' && github.tokens.has(headers.authorization?.replace('Bearer ', '') ?? ''),
        ),
      );
    beforeEach(async () => {
      github.calls.length = 0;
      onTestFinished(() => {
        onRefresh = async () => {};
        refusals = 0;
      });
    });

    it('is stored as soon as the database takes it', async () => {
      const { flow_id } = await connected(SETTINGS);
      const { integration_id } = await outcome(flow_id);
      offsetMs = 3_600_000;
      github.tokens.clear();
      onRefresh = async () => void (refusals = 2);
      const params = { id: workspace.workspaceId, integrationId: integration_id ?? '' };
      await workspace.api.call('integrations.disconnect', { params });
      expect(await removal()).toMatchObject({ url: '/repos/octo/repo/hooks/7' });
    });

    it('is refreshed by the app that was deleted with the workspace', async () => {
      await connected(SETTINGS);
      offsetMs = 3_600_000;
      github.tokens.clear();
      const { workspaceId } = workspace;
      const { read } = openStore(workspace);
      const left = () =>
        read.selectFrom('workspaces').select('id').where('id', '=', workspaceId).executeTakeFirst();
      onRefresh = async () => ((await left()) ? { status: 503 } : undefined);
      await workspace.api.call('workspaces.delete', { params: { id: workspaceId } });
      await until('the end of the workspace', async () => !(await left()));
      expect(await removal()).toMatchObject({ url: '/repos/octo/repo/hooks/7' });
    });
  });

  it('shows an error at the integration when access has ended', async () => {
    const { flow_id } = await connected(SETTINGS);
    const { integration_id } = await outcome(flow_id);
    offsetMs = 3_600_000;
    await workspace.api.call('oauth.removeApp', {
      params: { id: workspace.workspaceId, provider: 'github' },
    });
    expect(await send(flow_id)).toMatchObject({ status: 422 });
    expect(
      await workspace.api.call('integrations.get', { params: { integrationId: integration_id ?? '' } }),
    ).toMatchObject({
      status: 'error',
      status_detail: { code: 'credentials_refused', message: expect.stringContaining('was removed') },
    });
  });
});

describe('a granted token goes only to the server of the app', () => {
  it('when it replaces a token of another server', async () => {
    const unchecked = await startWorkspace({
      env: {
        HUBLINE_CREDENTIAL_CHECK: 'skip',
        HUBLINE_GITHUB_API_URL: github.url,
        HUBLINE_GITHUB_OAUTH_URL: github.url,
      },
    });
    onTestFinished(() => unchecked.stop());
    workspace = unchecked;
    const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
      body: {
        provider: 'github',
        workspace_id: workspace.workspaceId,
        credentials: { token: 'ghp_by_hand', domain: 'github.invalid', ...SETTINGS },
      },
    });
    const get = () => workspace.api.call('integrations.get', { params: { integrationId } });
    expect(await get()).toMatchObject({ ingest: { registered: false } });
    await connected();
    expect(await get()).toMatchObject({ status: 'connected', ingest: { registered: true } });
  });

  it('when the workspace names an app of another server while a person allows the access', async () => {
    await configure();
    const { url, flow_id } = await start();
    const browser = new Browser();
    const back = github.decide(await browser.enter(url), 'allow');
    await configure({ domain: 'github.invalid' });
    github.calls.length = 0;
    expect(await browser.open(back)).toMatchObject({
      status: 400,
      text: expect.stringContaining('open the link'),
    });
    expect(github.calls).toEqual([]);
    expect(await outcome(flow_id)).toMatchObject({ status: 'pending' });
  });

  it('and the flow ends with the reason when the app is removed while a person allows the access', async () => {
    await configure({ domain: 'github.invalid' });
    const { url, flow_id } = await start();
    const browser = new Browser();
    const back = github.decide(await browser.enter(url), 'allow');
    await workspace.api.call('oauth.removeApp', {
      params: { id: workspace.workspaceId, provider: 'github' },
    });
    expect(await browser.open(back)).toMatchObject({
      status: 422,
      text: expect.stringContaining('was removed from the workspace'),
    });
    expect(await outcome(flow_id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('was removed from the workspace'),
    });
  });

  it('when it is refreshed after the workspace named an app of another server', async () => {
    const { flow_id } = await connected();
    const { integration_id } = await outcome(flow_id);
    await configure({ domain: 'github.invalid' });
    offsetMs = 3_600_000;
    github.calls.length = 0;
    await workspace.api.refused('integrations.test', 422, {
      params: { integrationId: integration_id ?? '' },
      body: { event_type: 'event.created', payload: { message: 'Hello' } },
    });
    expect(github.calls).toEqual([]);
    expect(
      await workspace.api.call('integrations.get', { params: { integrationId: integration_id ?? '' } }),
    ).toMatchObject({
      status: 'error',
      status_detail: { code: 'credentials_refused', message: expect.stringContaining('another server') },
    });
  });
});

describe('the app of a workspace', () => {
  const list = async () =>
    (await workspace.api.call('oauth.listApps', { params: { id: workspace.workspaceId } })).data.find(
      ({ provider }) => provider === 'github',
    );

  it('is listed without its secret, with what to enter at the provider', async () => {
    expect(await list()).toMatchObject({ configured: false, client_id: null });
    const shown = await configure();
    expect(shown).toMatchObject({
      configured: true,
      client_id: CLIENT.client_id,
      redirect_uri: `${root.server.baseUrl}/integrations/oauth/github/callback`,
    });
    expect(await list()).toEqual(shown);
    expect(JSON.stringify(shown)).not.toContain(CLIENT.client_secret);
  });

  it('that no longer decrypts counts as none, and can be configured again', async () => {
    await configure();
    await openStore(workspace).write((tx) =>
      tx
        .updateTable('oauth_apps')
        .set({ app: 'v1.damaged.damaged' })
        .where('workspace_id', '=', workspace.workspaceId)
        .execute(),
    );
    expect(await list()).toMatchObject({ configured: false, client_id: null });
    await workspace.api.refused('oauth.start', 422, {
      params: { provider: 'github' },
      body: { workspace_id: workspace.workspaceId },
    });
    expect(await configure()).toMatchObject({ configured: true, client_id: CLIENT.client_id });
  });

  it('is of this workspace alone', async () => {
    await configure();
    const other = await newWorkspace(root);
    await other.api.refused('oauth.start', 422, {
      params: { provider: 'github' },
      body: { workspace_id: other.workspaceId },
    });
  });

  it.each(['10.0.0.1', '169.254.169.254'])('does not take %s as the domain of a GitLab', async (domain) => {
    const { details } = await workspace.api.refused('oauth.configureApp', 422, {
      params: { id: workspace.workspaceId },
      body: { provider: 'gitlab', ...CLIENT, domain },
    });
    expect(details?.map(({ field }) => field)).toEqual(['domain']);
  });

  it.each([
    [{ signing_secret: 'x' }, /signing_secret is not part of an app of GitHub/],
    [{ domain: 'https://github.example.com' }, /domain must be a host name alone/],
    [{ client_id: '' }, /client_id must not be empty/],
  ])('is refused with %j', async (changes, message) => {
    const refusal = await workspace.api.refused('oauth.configureApp', 400, {
      params: { id: workspace.workspaceId },
      body: { provider: 'github', ...CLIENT, ...changes },
    });
    expect(refusal.message).toMatch(message);
  });

  it.each([
    [{ token: 'x' }, /settings\.token/],
    [{ repository: 'nonsense' }, /settings\.repository must be owner\/repo/],
    [{ domain: 'github.example.com' }, /settings\.domain/],
  ])('does not start with the settings %j', async (settings, message) => {
    await configure();
    const refusal = await workspace.api.refused('oauth.start', 400, {
      params: { provider: 'github' },
      body: { workspace_id: workspace.workspaceId, settings },
    });
    expect(refusal.message).toMatch(message);
  });
});
