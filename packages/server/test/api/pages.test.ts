import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseServerConfig } from '../../src/config.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { Api } from './support/api.ts';
import { invite } from './support/place.ts';

let data: string;
let server: RunningServer;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'hubline-pages-'));
  server = await startServer(parseServerConfig({ data, port: 0, logLevel: 'silent' }, {}), {
    clock: () => now,
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

describe('the set-up page', () => {
  it('makes the first owner, workspace and key, once', async () => {
    // Looking does not use the link up.
    for (const _ of [1, 2]) expect((await get(setupUrl())).html).toContain('<form method="post"');
    const { status, html } = await setUp();
    expect(status).toBe(200);
    const api = new Api(server.baseUrl, keyIn(html));
    expect((await api.call('me.get')).memberships).toMatchObject([{ slug: 'acme', role: 'owner' }]);
    const again = await setUp({ slug: 'second' });
    expect([again.status, keyIn(again.html)]).toEqual([403, '']);
    expect((await get(setupUrl())).status).toBe(403);
    expect((await api.call('workspaces.list')).data).toHaveLength(1);
  });

  it('sent twice at the same time makes one owner', async () => {
    const answers = await Promise.all([setUp(), setUp({ email: 'eve@example.com', slug: 'eve' })]);
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '403']);
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
  it('runs no script, is framed by nobody, is not kept, and does not tell its address to others', async () => {
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
  it('makes the invited person a member, once', async () => {
    const { html } = await setUp();
    const api = new Api(server.baseUrl, keyIn(html));
    const { data } = await api.call('workspaces.list');
    const workspaceId = data[0]?.id ?? '';
    const place = { server: { ...server, url: server.url } as never, api, workspaceId, userId: '' };
    const invited = await invite(place, 'member', 'bob@example.com');
    for (const _ of [1, 2]) expect((await get(invited.invite_url)).status).toBe(200);
    expect((await post('/invite', { token: invited.token, password: 'short' })).status).toBe(400);
    const joined = await post('/invite', { token: invited.token, password: 'correct horse battery' });
    expect([joined.status, joined.html.includes('Welcome, bob@example.com')]).toEqual([200, true]);
    expect((await post('/invite', { token: invited.token })).status).toBe(404);
    const members = await api.call('members.list', { params: { id: workspaceId } });
    expect(members.data.find(({ user_id }) => user_id === invited.user_id)).toMatchObject({
      status: 'active',
      role: 'member',
    });
  });
});
