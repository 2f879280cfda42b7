import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@hubline/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap, newSetupLink } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { type RunningServer, startServer } from '../../../src/server.ts';
import { Api } from '../support/api.ts';
import { Browser } from '../support/browser.ts';
import { CHEAP, invite, type TestWorkspace } from '../support/workspace.ts';

let data: string;
let server: RunningServer;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'hubline-pages-'));
  server = await startServer(parseServerConfig({ data, port: 0, logLevel: 'silent' }, {}), {
    clock: () => now,
    ...CHEAP,
  });
});
afterEach(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

const setupUrl = () => server.setupUrl ?? '';
const setupToken = () => new URL(setupUrl()).searchParams.get('token') ?? '';

async function read(response: Response): Promise<{ status: number; headers: Headers; html: string }> {
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const get = async (url: string) => read(await fetch(url));
const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  read(
    await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    }),
  );
const keyIn = (html: string) => /hl_[0-9A-Za-z]{36}/.exec(html)?.[0] ?? '';
const setUp = (fields: Record<string, string> = {}) =>
  post('/setup', {
    token: setupToken(),
    email: 'ana@example.com',
    password: 'ana has a password',
    name: 'Acme',
    slug: 'acme',
    ...fields,
  });

describe('the setup page', () => {
  it('makes the first owner, workspace and key, once', async () => {
    // Opening the link does not use it up.
    for (const _ of [1, 2]) expect((await get(setupUrl())).html).toContain('<form method="post"');
    const { status, html } = await setUp();
    expect(status).toBe(200);
    expect(html).toContain(`<code>hubline auth login ${server.url}</code>`);
    const api = new Api(server.baseUrl, keyIn(html));
    expect((await api.call('me.get')).memberships).toMatchObject([{ slug: 'acme', role: 'owner' }]);
    const again = await setUp({ slug: 'second' });
    expect([again.status, keyIn(again.html)]).toEqual([403, '']);
    expect((await get(setupUrl())).status).toBe(403);
    const [workspace] = (await api.call('workspaces.list')).data;
    const { data } = await api.call('auditLog.list', { params: { id: workspace?.id ?? '' } });
    expect(data).toMatchObject([{ action: 'workspace.created', actor: { name: 'ana@example.com' } }]);
  });

  it('makes the slug from the name if it is left empty', async () => {
    const { html } = await setUp({ name: 'Éclair & Co.', slug: '' });
    expect(html).toContain('href="/w/eclair-co/overview"');
  });

  it('sent twice at the same time makes one owner', async () => {
    const responses = await Promise.all([setUp(), setUp({ email: 'eve@example.com', slug: 'eve' })]);
    expect(responses.map(({ status }) => String(status)).sort()).toEqual(['200', '403']);
  });

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ name: '' }, 'name'],
    [{ slug: 'No Slug' }, 'slug'],
  ])('shows the form again for a mistake, and can be corrected: %j', async (fields, named) => {
    const { status, html } = await setUp(fields);
    expect(status).toBe(400);
    expect(html).toContain(`role="alert">${named} `);
    expect((await setUp()).status).toBe(200);
  });

  it('lets a browser check the slug before it is sent', async () => {
    const { html } = await get(setupUrl());
    const [, pattern = ''] = /id="slug"[^>]* pattern="([^"]+)"/.exec(html) ?? [];
    // As browsers do it: https://html.spec.whatwg.org/#compiled-pattern-regular-expression
    const rule = new RegExp(`^(?:${pattern})$`, 'v');
    expect(['my-team-1', 'My Team', 'a_b'].map((slug) => rule.test(slug))).toEqual([true, false, false]);
  });

  it('shows what was typed as text', async () => {
    const evil = '"><script>alert(1)</script>';
    const { html } = await setUp({ name: evil, slug: 'No' });
    expect(html).not.toContain('<script');
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
    const invited = await get(`${server.url}/invite?token=${encodeURIComponent(evil)}`);
    expect(invited.html).not.toContain('<script');
  });

  it('is refused without the token, and after 30 minutes', async () => {
    for (const token of ['', 'x', setupToken().slice(1), `${setupToken()}x`])
      expect((await setUp({ token })).status).toBe(403);
    const start = now;
    now = new Date(start.getTime() + 30 * 60_000);
    expect((await setUp()).status).toBe(403);
    now = start;
    expect((await setUp()).status).toBe(200);
  });

  it('is refused to the form of another site', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await post('/setup', { token: setupToken() }, { 'Sec-Fetch-Site': site })).status).toBe(403);
    const typed = await fetch(`${server.url}/setup`, {
      method: 'POST',
      body: 'token=x',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(typed.status).toBe(400);
    await typed.body?.cancel();
  });

  it('tells a person, not a program, that the link does not work', async () => {
    const { status, headers, html } = await get(`${server.url}/setup?token=x`);
    expect([status, headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(html).toContain('role="alert"');
  });
});

describe('every page', () => {
  it('runs no script, is framed by nobody, is not cached, and does not tell its address to others', async () => {
    for (const url of [setupUrl(), `${server.url}/invite?token=x`, `${server.url}/setup?token=x`]) {
      const { headers, html } = await get(url);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "base-uri 'none'",
      ])
        expect(policy).toContain(part);
      expect(policy).not.toContain('script');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(html).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
    }
  });
});

describe('the invitation page', () => {
  const PASSWORD = 'correct horse battery';
  let api: Api;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    const { html } = await setUp();
    api = new Api(server.baseUrl, keyIn(html));
    const { data } = await api.call('workspaces.list');
    workspace = {
      server: { ...server, url: server.url } as never,
      api,
      workspaceId: data[0]?.id ?? '',
      userId: '',
    };
  });
  const another = async () => ({
    ...workspace,
    workspaceId: (await api.call('workspaces.create', { body: { name: 'Other & Co', slug: 'other' } })).id,
  });
  const statusOf = async ({ workspaceId }: TestWorkspace, userId: string) =>
    (await api.call('members.list', { params: { id: workspaceId } })).data.find(
      ({ user_id: id }) => id === userId,
    )?.status;
  /** A user with an account, and a browser in which that user is logged in. */
  async function bob(): Promise<Browser> {
    const browser = new Browser(server.url);
    const { token } = await invite(workspace, 'member', 'bob@example.com');
    await browser.page('/invite', { token, password: PASSWORD });
    return browser;
  }

  it('lets somebody new choose a password, and logs them in', async () => {
    const { token, invite_url: url, user_id: userId } = await invite(workspace, 'member', 'bob@example.com');
    for (const _ of [1, 2]) {
      const { status, html } = await get(url);
      expect([status, html]).toEqual([200, expect.stringContaining('Choose a password')]);
      expect(html).toContain(
        'bob@example.com is invited to <strong>Acme</strong> as member, who sees events,',
      );
    }
    const browser = new Browser(server.url);
    for (const password of ['', 'short'])
      expect((await browser.page('/invite', { token, password })).status).toBe(400);
    const joined = await browser.page('/invite', { token, password: PASSWORD });
    expect([joined.status, joined.html]).toEqual([
      200,
      expect.stringContaining('Welcome, bob@example.com. You joined Acme as member.'),
    ]);
    expect(joined.html).toContain('href="/w/acme/overview"');
    expect((await browser.request('GET', '/session')).json.user.email).toBe('bob@example.com');
    expect(await statusOf(workspace, userId)).toBe('active');
    expect((await browser.page('/invite', { token })).status).toBe(404);
  });

  it('is one click for somebody who is logged in', async () => {
    const browser = await bob();
    const other = await another();
    const { token, user_id: userId } = await invite(other, 'viewer', 'bob@example.com');
    const { html } = await browser.page(`/invite?token=${token}`);
    expect(html).toContain('You are logged in as bob@example.com.');
    expect(html).toContain('<button>Join Other &amp; Co</button>');
    expect(html).not.toContain('type="password"');
    expect((await browser.page('/invite', { token })).html).toContain('You joined Other &amp; Co as viewer.');
    expect(await statusOf(other, userId)).toBe('active');
    expect((await browser.request('GET', '/session')).json).not.toBeNull();
  });

  it('leads somebody who has an account to the login, and back', async () => {
    await bob();
    const { token } = await invite(await another(), 'viewer', 'bob@example.com');
    const { html } = await new Browser(server.url).page(`/invite?token=${token}`);
    expect(html).toContain(`href="/login?next=${encodeURIComponent(`/invite?token=${token}`)}"`);
    expect(html).toContain('hubline server set-password bob@example.com');
    expect(html).not.toContain('<form');
  });

  it('shows a command that takes an address which begins with a dash as one', async () => {
    const address = '-x@example.com';
    const first = await invite(workspace, 'member', address);
    await new Browser(server.url).page('/invite', { token: first.token, password: PASSWORD });
    const { token } = await invite(await another(), 'viewer', address);
    const { html } = await get(`${server.url}/invite?token=${token}`);
    expect(html).toContain(`hubline server set-password -- ${address}</code>`);
  });

  it('shows a command that runs nothing but itself, whatever the address is', async () => {
    const address = "a'b`exit${IFS}7`|exit&@example.com";
    const first = await invite(workspace, 'member', address);
    await new Browser(server.url).page('/invite', { token: first.token, password: PASSWORD });
    const { token } = await invite(await another(), 'viewer', address);
    const { html } = await get(`${server.url}/invite?token=${token}`);
    const [, shown = ''] = /<code>hubline (.*?)<\/code>/.exec(html) ?? [];
    const command = shown.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    const { stdout } = spawnSync('sh', ['-c', `printf '%s\n' ${command}`], { encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(['server', 'set-password', first.email, '']);
  });

  it('tells somebody else who is logged in whom it is for, and lets them log out', async () => {
    const browser = await bob();
    const { token, user_id: userId } = await invite(workspace, 'viewer', 'cem@example.com');
    const shown = await browser.page(`/invite?token=${token}`);
    expect(shown.html).toContain(
      'You are logged in as bob@example.com, and cannot accept for somebody else.',
    );
    // No form lets bob accept cem's invitation.
    const sent = await browser.page('/invite', { token, password: PASSWORD });
    expect(sent.html).toContain('Log out and continue');
    expect(await statusOf(workspace, userId)).toBe('invited');
    const { html } = await browser.page('/invite', { token, log_out: '1' });
    expect([html, browser.cookie]).toEqual([expect.stringContaining('Choose a password'), null]);
    expect((await browser.page('/invite', { token, password: PASSWORD })).status).toBe(200);
    expect((await browser.request('GET', '/session')).json.user.email).toBe('cem@example.com');
  });

  it('asks for patience while an older invitation is open', async () => {
    await invite(workspace, 'viewer', 'dan@example.com');
    const { token } = await invite(await another(), 'viewer', 'dan@example.com');
    const { html } = await get(`${server.url}/invite?token=${token}`);
    expect(html).toContain('You have an older invitation');
    expect(html).not.toContain('<form');
  });

  it('does nothing with a session for the form of another site', async () => {
    const browser = await bob();
    const other = await another();
    const { token, user_id: userId } = await invite(other, 'viewer', 'bob@example.com');
    for (const site of ['cross-site', 'same-site'])
      expect((await browser.page('/invite', { token }, { 'Sec-Fetch-Site': site })).status).toBe(403);
    // A program that does not send its origin has no session either.
    expect((await browser.page('/invite', { token }, {})).status).toBe(401);
    expect(await statusOf(other, userId)).toBe('invited');
  });

  it.each(['unknown', 'used', 'withdrawn', 'expired'])('says so when the link is %s', async (how) => {
    const { token, user_id: userId } = await invite(workspace, 'viewer', 'eve@example.com');
    if (how === 'used') await post('/invite', { token, password: PASSWORD });
    if (how === 'withdrawn')
      await api.call('members.remove', { params: { id: workspace.workspaceId, userId } });
    const start = now;
    if (how === 'expired') now = new Date(now.getTime() + LIMITS.invitationMs);
    const { status, html } = await get(`${server.url}/invite?token=${how === 'unknown' ? 'x' : token}`);
    now = start;
    expect([status, html]).toEqual([404, expect.stringContaining('ask for a new invitation')]);
    expect(html).not.toContain('<form');
  });
});

describe('a setup link', () => {
  it('stops working when there is a newer one, or an owner', async () => {
    const config = parseServerConfig({ data, port: 0 }, {});
    const first = setupToken();
    const newer = new URL((await newSetupLink(config)) ?? '').searchParams.get('token') ?? '';
    expect((await setUp({ token: first })).status).toBe(403);
    expect((await get(`${server.url}/setup?token=${newer}`)).status).toBe(200);
    await bootstrap(config, { email: 'ana@example.com' });
    const again = await setUp({ token: newer });
    expect(again.status).toBe(403);
    for (const { html } of [again, await get(`${server.url}/setup?token=${newer}`)]) {
      expect(html).not.toContain('<form');
      expect(html).toContain('<a class="button" href="/">Open the dashboard</a>');
    }
    expect(await newSetupLink(config)).toBeNull();
  });
});
